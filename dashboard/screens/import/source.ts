// A file to import, read in pieces by a worker. A CSV has columns; JSON Lines have them too, unless
// each line is already what the API takes.

import workerPath from 'url:./parse-worker.ts';
import { startWorker } from '../../api/worker.ts';
import type { Mapping } from './mapping.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import { type ImportRow, toRow } from './to-row.ts';

export interface Source {
  readonly file: File;
  readonly format: 'csv' | 'jsonl';
  /** Names of the columns; `undefined` if the lines are rows of the API already. */
  readonly header: readonly string[] | undefined;
  /** The first lines, to guess from and to show. */
  readonly first: readonly (readonly string[])[];
}

/** A line of the file: its cells, or the row itself, or what is wrong with it. */
export interface Line {
  readonly cells?: readonly string[];
  readonly row?: ImportRow;
  readonly problem?: string;
}

interface Piece {
  readonly header: readonly string[] | undefined;
  readonly lines: readonly Line[];
  readonly bytes: number;
}

const shownLines = 200;

/** Reads the beginning of a file. */
export async function openSource(file: File): Promise<Source> {
  const format = /\.(jsonl|ndjson|json)$/i.test(file.name) ? 'jsonl' : 'csv';
  let source: Source | undefined;
  await readPieces({ file, format, header: undefined }, async ({ header, lines }) => {
    const first = lines.slice(0, shownLines).map(({ cells = [] }) => cells);
    source = { file, format, header, first };
    return false;
  });
  if (source === undefined) throw new Error('empty');
  return source;
}

/** Calls `onPiece` with piece after piece until it answers `false`. */
export function readPieces(
  source: Pick<Source, 'file' | 'format' | 'header'>,
  onPiece: (piece: Piece) => Promise<boolean>,
): Promise<void> {
  const worker = startWorker(workerPath);
  let header = source.header;
  return new Promise<void>((resolve, reject) => {
    const take = async (message: FromWorker) => {
      if (message.kind === 'problem') throw new Error(message.problem);
      if (message.kind === 'end') return resolve();
      if (message.kind === 'objects') header ??= headerOf(message.objects);
      else header ??= message.header;
      const lines =
        message.kind === 'rows'
          ? message.rows.map((cells): Line => ({ cells }))
          : message.objects.map((one) => lineOf(one, header));
      if (!(await onPiece({ header, lines, bytes: message.bytes }))) return resolve();
      worker.postMessage({ kind: 'more' } satisfies ToWorker);
    };
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      take(data).catch(reject);
    };
    worker.onerror = ({ message }) => reject(new Error(message));
    const { file, format } = source;
    worker.postMessage({ kind: 'read', file, format } satisfies ToWorker);
  }).finally(() => worker.terminate());
}

/** A line as a row of the API. */
export function rowOf(
  line: Line,
  header: readonly string[] | undefined,
  mapping: Mapping,
): { readonly row: ImportRow } | { readonly problem: string } {
  if (line.problem !== undefined) return { problem: line.problem };
  if (line.row !== undefined) return { row: line.row };
  return toRow(line.cells ?? [], mapping, header ?? []);
}

const ofApi = ['externalUserId', 'tags', 'devices', 'preferredChannels', 'timezone'];

type Read = Extract<FromWorker, { readonly kind: 'objects' }>['objects'];

/** The columns of flat objects; `undefined` for rows of the API. */
function headerOf(objects: Read): readonly string[] | undefined {
  const flat = objects.map(({ value }) => value).filter(isObject);
  const isApi = flat.some(
    (one) => isObject(one['tags']) || Array.isArray(one['devices']) || 'externalUserId' in one,
  );
  if (isApi) return undefined;
  return [...new Set(flat.flatMap((one) => Object.keys(one)))];
}

function lineOf({ value, problem }: Read[number], header: readonly string[] | undefined): Line {
  if (problem !== undefined) return { problem };
  if (!isObject(value)) return { problem: 'the line is not an object' };
  if (header === undefined) {
    const known = Object.entries(value).filter(([name]) => ofApi.includes(name));
    return { row: Object.fromEntries(known) as ImportRow, cells: [JSON.stringify(value)] };
  }
  return { cells: header.map((name) => cellOf(value[name])) };
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(String).join('|');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
