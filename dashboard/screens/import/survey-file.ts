// The first pass over a file, before anything is sent: its encoding, its columns, and what the
// values of each have in common. What cannot be read is found here, in whichever line it is.

import { type ColumnFacts, Survey } from '../../../files/column-facts.ts';
import { type CsvForm, csvPieces } from '../../../files/csv-pieces.ts';
import { type DecodedText, decoded, WrongEncoding } from '../../../files/decoded.ts';
import { fileKind, headBytes, type NoText } from '../../../files/file-kind.ts';
import { jsonLines } from '../../../files/json-lines.ts';
import { WrongFile } from '../../../files/wrong-file.ts';
import { cellOf, isObject, JsonNames } from './json-columns.ts';
import { type SampleLines, sampleLines } from './sample-lines.ts';

export type Format = 'csv' | 'jsonl';

export interface Surveyed {
  readonly encoding: string;
  /** Of a CSV. */
  readonly form?: CsvForm;
  /** Names of the columns; `undefined` if the lines are rows of the API already. */
  readonly header: readonly string[] | undefined;
  /** The first lines, to guess from and to show. */
  readonly first: readonly (readonly string[])[];
  readonly facts: readonly ColumnFacts[];
  readonly lines: number;
  /** Members of rows of the API that are not imported. */
  readonly leftOut: readonly string[];
}

export type FileSurvey =
  | { readonly kind: 'surveyed'; readonly surveyed: Surveyed }
  /** The file is in an encoding that a person has to name. */
  | { readonly kind: 'encoding'; readonly sample: SampleLines }
  | { readonly kind: 'noText'; readonly noText: NoText }
  | { readonly kind: 'problem'; readonly problem: string };

/** Of the text that is read at once, in bytes or UTF-16 units. */
export const pieceSize = 512 * 1024;
const shownLines = 200;
const columnsMax = 2_000;

/** `encoding`: what a person named. */
export async function surveyFile(
  file: Blob,
  format: Format,
  encoding: string | undefined,
  onBytes: (bytes: number) => void,
): Promise<FileSurvey> {
  const kind = fileKind(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
  if ('noText' in kind) return { kind: 'noText', noText: kind.noText };
  const tried = kind.encoding ?? encoding ?? 'utf-8';
  const texts = counted(withoutZeros(decoded(file.stream(), tried)), onBytes);
  try {
    const survey = format === 'csv' ? surveyCsv : surveyJson;
    const surveyed = { ...(await survey(texts)), encoding: tried };
    return { kind: 'surveyed', surveyed };
  } catch (error) {
    if (error instanceof WrongFile) return { kind: 'problem', problem: error.message };
    if (!(error instanceof WrongEncoding)) throw error;
    if (kind.encoding !== undefined || encoding !== undefined)
      return { kind: 'problem', problem: `${error.message}.` };
    return { kind: 'encoding', sample: await sampleLines(file.stream()) };
  }
}

type Found = Omit<Surveyed, 'encoding'>;

async function surveyCsv(texts: AsyncIterable<DecodedText>): Promise<Found> {
  const survey = new Survey();
  const first: (readonly string[])[] = [];
  let found: Pick<Surveyed, 'header' | 'form'> = { header: [] };
  let line = 0;
  for await (const { header, form, rows } of csvPieces(texts, pieceSize)) {
    if (header.length > columnsMax) throw tooWide();
    found = { header, form };
    for (const { cells, problem } of rows) {
      line++;
      if (first.length < shownLines) first.push(cells);
      if (problem === undefined) survey.addCells(line, cells);
    }
  }
  const facts = survey.facts(found.header?.length ?? 0);
  return { ...found, first, facts, lines: line, leftOut: [] };
}

async function surveyJson(texts: AsyncIterable<DecodedText>): Promise<Found> {
  const survey = new Survey();
  const names = new JsonNames();
  const columns = new Map<string, number>();
  const shown: Readonly<Record<string, unknown>>[] = [];
  let line = 0;
  for await (const { objects } of jsonLines(texts, pieceSize)) {
    for (const { value } of objects) {
      line++;
      if (!isObject(value)) continue;
      names.add(value);
      if (names.size > columnsMax) throw tooWide();
      if (shown.length < shownLines) shown.push(value);
      const values: unknown[] = [];
      for (const name in value) {
        if (!columns.has(name)) columns.set(name, columns.size);
        values[columns.get(name) ?? 0] = value[name];
      }
      survey.addValues(line, values, values.map(cellOf));
    }
  }
  if (line > 0 && names.size === 0)
    throw new WrongFile('no line is a JSON object; JSON Lines files have one object per line.');
  const header = names.header();
  if (header === undefined)
    return { header, first: [], facts: [], lines: line, leftOut: names.leftOut() };
  const first = shown.map((value) => header.map((name) => cellOf(value[name])));
  const facts = survey.facts(header.length);
  return { header, first, facts, lines: line, leftOut: [] };
}

function tooWide(): WrongFile {
  return new WrongFile(`it has more than ${columnsMax} columns.`);
}

async function* counted(
  texts: AsyncIterable<DecodedText>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<DecodedText> {
  for await (const one of texts) {
    yield one;
    onBytes(one.bytes);
  }
}

async function* withoutZeros(texts: AsyncIterable<DecodedText>): AsyncGenerator<DecodedText> {
  for await (const one of texts) {
    if (one.text.includes('\0'))
      throw new WrongFile('it contains zero bytes, so it is not a text file.');
    yield one;
  }
}
