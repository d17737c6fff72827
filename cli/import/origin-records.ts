// The records of an export: rows of a CSV as Excel writes it in any country, or objects of JSON:
// one a line, a list, or the answer of an API that has a list in it.

import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { isObject } from '../../actors/is-object.ts';
import { csvPieces } from '../../files/csv-pieces.ts';
import { type DecodedText, decoded, WrongEncoding } from '../../files/decoded.ts';
import { fileKind, headBytes } from '../../files/file-kind.ts';
import { cellValue } from '../../files/typed-value.ts';
import { withoutControls } from './export-encoding.ts';
import type { ServiceFile, ServiceRecord } from './origin.ts';
import { type ReadMeter, unpacked } from './unpacked.ts';

export interface FileOptions {
  readonly encoding?: string;
  readonly isSuppressed: boolean;
  readonly mayAssume: boolean;
}

/** A record, or what is wrong with its line. */
export type ReadRecord =
  | { readonly record: ServiceRecord; readonly cells: readonly string[] }
  | { readonly line: number; readonly problem: string };

const pieceChars = 256 * 1024;
/** Of a file of JSON that is one value. */
const valueCharsMax = 512 * 1024 * 1024;

/** Pieces of records, in order. Throws one sentence for a file that cannot be read. */
export async function* serviceRecords(
  path: string,
  options: FileOptions,
  meter: ReadMeter,
): AsyncGenerator<readonly ReadRecord[]> {
  const name = basename(path);
  try {
    const chunks = unpacked(createReadStream(path, { highWaterMark: 64 * 1024 }), meter);
    const { encoding, bytes } = await begun(chunks, name, options.encoding);
    const texts = ready(decoded(bytes, encoding), encoding);
    const { text: first, texts: all } = await peeked(texts);
    const about = { name, isSuppressed: options.isSuppressed, mayAssume: options.mayAssume };
    if (/^\s*[[{]/.test(first)) yield* jsonRecords(all, about);
    else yield* csvRecords(all, about);
  } catch (error) {
    if (error instanceof WrongEncoding)
      throw new Error(
        `${name}: ${error.message}; name its encoding, such as --encoding windows-1258. Nothing was imported.`,
      );
    if (error instanceof Error && error.name === 'WrongFile')
      throw new Error(`${name}: ${error.message} Nothing was imported.`);
    throw error;
  }
}

const noTextNames = {
  workbook: 'an Excel workbook; save it as CSV UTF-8',
  oldWorkbook: 'an Excel workbook; save it as CSV UTF-8',
  packed: 'packed twice',
  pdf: 'a PDF',
  binary: 'no text',
} as const;

async function begun(
  chunks: AsyncGenerator<Buffer>,
  name: string,
  named: string | undefined,
): Promise<{ readonly encoding: string; readonly bytes: AsyncIterable<Uint8Array> }> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < headBytes) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  const kind = fileKind(head.subarray(0, headBytes));
  if ('noText' in kind) {
    const isZip = head[0] === 0x50 && head[1] === 0x4b;
    const what = isZip ? 'a zip file or an Excel workbook' : noTextNames[kind.noText];
    throw new Error(`${name} is ${what}. Nothing was imported; unpack it, or save it as CSV.`);
  }
  const bytes = async function* () {
    yield head;
    yield* chunks;
  };
  return { encoding: kind.encoding ?? named ?? 'utf-8', bytes: bytes() };
}

async function* ready(
  texts: AsyncIterable<DecodedText>,
  encoding: string,
): AsyncGenerator<DecodedText> {
  for await (const one of texts)
    yield encoding === 'windows-1252' ? { ...one, text: withoutControls(one.text) } : one;
}

async function peeked(texts: AsyncGenerator<DecodedText>) {
  let text = '';
  const read: DecodedText[] = [];
  while (text.trim() === '') {
    const next = await texts.next();
    if (next.done === true) break;
    read.push(next.value);
    text += next.value.text;
  }
  const all = async function* () {
    yield* read;
    yield* texts;
  };
  return { text, texts: all() };
}

type About = Omit<ServiceFile, 'format' | 'columns'>;

async function* csvRecords(
  texts: AsyncIterable<DecodedText>,
  about: About,
): AsyncGenerator<readonly ReadRecord[]> {
  let line = 1;
  let file: ServiceFile | undefined;
  const at = new Map<string, number>();
  for await (const { header, rows } of csvPieces(texts, pieceChars)) {
    if (file === undefined) {
      for (const [column, name] of header.entries())
        if (!at.has(name.toLowerCase())) at.set(name.toLowerCase(), column);
      file = { ...about, format: 'csv', columns: new Set(at.keys()) };
    }
    const known = file;
    yield rows.map(({ cells: sent, problem }): ReadRecord => {
      line++;
      if (problem !== undefined) return { line, problem };
      const cells = sent.map((cell) => cellValue(cell).normalize('NFC'));
      const text = (name: string) => cells[at.get(name) ?? -1] ?? '';
      return { record: { line, file: known, names: header, text, value: text }, cells };
    });
  }
  if (file === undefined) throw new Error(`${about.name} is empty. Nothing was imported.`);
}

async function* jsonRecords(
  texts: AsyncIterable<DecodedText>,
  about: About,
): AsyncGenerator<readonly ReadRecord[]> {
  const file: ServiceFile = { ...about, format: 'json', columns: new Set() };
  let line = 0;
  let rest = '';
  let isWhole: boolean | undefined;
  const recordOf = (value: unknown): ReadRecord =>
    isObject(value)
      ? { record: objectRecord(line, file, value), cells: [] }
      : { line, problem: 'the line is not a JSON object' };
  const readLine = (text: string): ReadRecord[] => {
    line++;
    if (text.trim() === '') return [];
    try {
      return [recordOf(JSON.parse(text))];
    } catch {
      return [{ line, problem: 'the line is not valid JSON' }];
    }
  };
  for await (const { text } of texts) {
    rest += text;
    if (isWhole === undefined && rest.includes('\n')) isWhole = !isJsonLines(rest);
    if (isWhole !== false) {
      if (rest.length > valueCharsMax)
        throw new Error(`${about.name} is one JSON value of more than 512 MiB; use JSON Lines.`);
      continue;
    }
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield lines.flatMap(readLine);
  }
  if (isWhole === false) {
    if (rest !== '') yield readLine(rest);
    return;
  }
  let whole: unknown;
  try {
    whole = JSON.parse(rest);
  } catch {
    throw new Error(`${about.name} is not valid JSON, nor JSON Lines. Nothing was imported.`);
  }
  yield listIn(whole).map((one) => {
    line++;
    return recordOf(one);
  });
}

/** The first line is an object by itself, and not an answer with a list in it. */
function isJsonLines(text: string): boolean {
  const first = text.slice(0, text.indexOf('\n'));
  try {
    const value: unknown = JSON.parse(first);
    return isObject(value) && listIn(value)[0] === value;
  } catch {
    return false;
  }
}

/** Members in which APIs list people: Braze's `users`, `emails`, `sms`; listmonk's `results`. */
const listNames = ['users', 'emails', 'sms', 'results', 'subscribers'];

function listIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return [];
  if (isObject(value['data'])) return listIn(value['data']);
  const lists = listNames.flatMap((name) => {
    const list = value[name];
    return Array.isArray(list) ? list : [];
  });
  const hasList = listNames.some((name) => Array.isArray(value[name]));
  return hasList ? lists : [value];
}

function objectRecord(
  line: number,
  file: ServiceFile,
  value: Readonly<Record<string, unknown>>,
): ServiceRecord {
  const byName = new Map(Object.keys(value).map((name) => [name.toLowerCase(), value[name]]));
  return {
    line,
    file,
    names: Object.keys(value),
    value: (name) => byName.get(name),
    text: (name) => {
      const found = byName.get(name);
      if (typeof found === 'string') return found.trim();
      return typeof found === 'number' || typeof found === 'boolean' ? String(found) : '';
    },
  };
}
