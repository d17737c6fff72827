// A file to import, read in pieces by a worker. A CSV has columns; JSON Lines have them too, unless
// each line is already what the API takes.

import workerPath from 'url:./parse-worker.ts';
import type { JsonLine } from '../../../files/json-lines.ts';
import { startWorker } from '../../api/worker.ts';
import { apiRowOf, cellOf, isObject } from './json-columns.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import type { FileSurvey, Format, Surveyed } from './survey-file.ts';
import type { Mapping } from './target.ts';
import { type ImportRow, toRow } from './to-row.ts';

export interface Source extends Surveyed {
  readonly file: File;
  readonly format: Format;
}

/** A line of the file: its cells, or the row itself, or what is wrong with it. */
interface Line {
  readonly cells?: readonly string[];
  /** The values of JSON that the cells show. */
  readonly values?: readonly unknown[];
  readonly row?: ImportRow;
  readonly problem?: string;
}

interface Piece {
  readonly lines: readonly Line[];
  readonly bytes: number;
}

/** A file that was read once through, or why it cannot be read yet. */
export type Opened =
  | { readonly kind: 'source'; readonly source: Source }
  | Exclude<FileSurvey, { readonly kind: 'surveyed' }>;

/** Reads a file once through. `encoding` is what a person named. */
export async function openSource(
  file: File,
  encoding: string | undefined,
  onBytes: (bytes: number) => void,
): Promise<Opened> {
  const format = /\.(jsonl|ndjson|json)$/i.test(file.name) ? 'jsonl' : 'csv';
  let opened: Opened | undefined;
  await ask({ kind: 'survey', file, format, encoding }, async (message) => {
    if (message.kind === 'surveying') {
      onBytes(message.bytes);
      return true;
    }
    if (message.kind === 'surveyed')
      opened = { kind: 'source', source: { ...message.surveyed, file, format } };
    else if (message.kind !== 'rows' && message.kind !== 'objects' && message.kind !== 'end')
      opened = message;
    return false;
  });
  return opened ?? { kind: 'problem', problem: 'the background worker did not respond.' };
}

/** Calls `onPiece` with piece after piece until it answers `false`. */
export function readPieces(
  source: Source,
  onPiece: (piece: Piece) => Promise<boolean>,
): Promise<void> {
  const { file, format, encoding, form, header } = source;
  return ask({ kind: 'read', file, format, encoding, form }, async (message) => {
    if (message.kind === 'rows') return onPiece({ lines: message.rows, bytes: message.bytes });
    if (message.kind === 'objects') {
      const lines = message.objects.map((one) => lineOf(one, header));
      return onPiece({ lines, bytes: message.bytes });
    }
    if (message.kind === 'problem') throw new Error(message.problem);
    return false;
  });
}

/** Starts a worker and takes what it says until `take` answers `false`. */
function ask(order: ToWorker, take: (message: FromWorker) => Promise<boolean>): Promise<void> {
  const worker = startWorker(workerPath);
  return new Promise<void>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      take(data).then((goesOn) => {
        if (!goesOn) resolve();
        else if (data.kind !== 'surveying') worker.postMessage({ kind: 'more' } satisfies ToWorker);
      }, reject);
    };
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(order);
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
  return toRow(line.cells ?? [], mapping, header ?? [], line.values);
}

function lineOf({ value, problem }: JsonLine, header: readonly string[] | undefined): Line {
  if (problem !== undefined) return { problem };
  if (!isObject(value)) return { problem: 'the line is not a JSON object' };
  if (header === undefined) return { row: apiRowOf(value), cells: [JSON.stringify(value)] };
  const values = header.map((name) => value[name]);
  return { cells: values.map(cellOf), values };
}
