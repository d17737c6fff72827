// Sends a file to the API, call after call. Rows are upserts, so a run that broke off goes on from
// the last line that was answered, and a line that is sent twice changes nothing.

import { withoutGuard } from '../../../files/typed-value.ts';
import { call } from '../../api/client.ts';
import type { ImportResult } from '../../api/generated.ts';
import { Batches, callsPerSecond, type NumberedRow, waitBefore } from './batches.ts';
import { readPieces, rowOf, type Source } from './source.ts';
import type { Mapping } from './target.ts';

export interface FailedLine {
  readonly line: number;
  readonly error: string;
  readonly cells: readonly string[];
  /** It is imported without a device, which the error names. */
  readonly isImported: boolean;
}

export interface Progress {
  /** Of the file, read so far. */
  readonly bytes: number;
  /** Lines that were answered. */
  readonly lines: number;
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
  /** Lines that are imported without one or more devices. */
  readonly inPart: number;
  /** Failures, also those that are not kept. */
  readonly failuresCount: number;
  /** The first of them. */
  readonly failures: readonly FailedLine[];
  /** Addresses that may be wrong, of lines that are imported: by what may be wrong. */
  readonly flags: Readonly<Partial<Record<AddressFlag, FlaggedLines>>>;
  readonly perSecond: number;
}

type AddressFlag = 'typo' | 'disposable' | 'role';

/** How many, and the first of them. */
interface FlaggedLines {
  readonly count: number;
  readonly first: readonly {
    readonly line: number;
    readonly domain: string;
    readonly meant?: string;
  }[];
}

/** More failures are counted, not kept. */
export const failuresMax = 20_000;

interface Run {
  readonly appId: string;
  readonly source: Source;
  readonly mapping: Mapping;
  /** Lines that are done already. */
  readonly from: number;
  /** Only what would become of the lines: nothing is stored. */
  readonly isDry: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

const nothing: Omit<Progress, 'failures'> = {
  bytes: 0,
  lines: 0,
  created: 0,
  updated: 0,
  failed: 0,
  inPart: 0,
  failuresCount: 0,
  flags: {},
  perSecond: 0,
};

/** Throws an `ApiError` if the API does not answer; what was reported before stays done. */
export async function runImport({
  appId,
  source,
  mapping,
  from,
  isDry,
  signal,
  onProgress,
}: Run): Promise<Progress> {
  const startedMs = Date.now();
  const calls: number[] = [];
  const failures: FailedLine[] = [];
  const cellsOf = new Map<number, readonly string[]>();
  let progress: Progress = { ...nothing, lines: from, failures };
  const fail = (line: number, error: string, isImported = false) => {
    if (failures.length >= failuresMax) return;
    // The file of wrong lines puts an apostrophe before a formula, and its text would become one.
    const cells = (cellsOf.get(line) ?? []).map(withoutGuard);
    failures.push({ line, error, cells, isImported });
  };
  const batches = new Batches(async (rows) => {
    await pace(calls, signal);
    const body = { appId, rows: rows.map(({ row }) => row), ...(isDry ? { dryRun: true } : {}) };
    const answer = await call('importSubscribers', { query: {}, body }, { signal });
    const inPart = new Set<number>();
    for (const { row, device, error } of answer.errors) {
      fail(lineOf(rows, row), error, device !== undefined);
      if (device !== undefined) inPart.add(row);
    }
    for (const { line } of rows) cellsOf.delete(line);
    progress = {
      ...progress,
      created: progress.created + answer.created,
      updated: progress.updated + answer.updated,
      failed: progress.failed + answer.failed,
      inPart: progress.inPart + inPart.size,
      failuresCount: progress.failuresCount + answer.errors.length,
      flags: withFlags(progress.flags, answer.addressFlags ?? [], rows),
      lines: rows.at(-1)?.line ?? progress.lines,
      perSecond:
        ((rows.at(-1)?.line ?? 0) - from) / Math.max(0.001, (Date.now() - startedMs) / 1e3),
    };
    onProgress(progress);
  });
  let line = 0;
  await readPieces(source, async ({ lines, bytes }) => {
    for (const one of lines) {
      if (++line <= from) continue;
      signal.throwIfAborted();
      cellsOf.set(line, one.cells ?? []);
      const made = rowOf(one, source.header, mapping);
      if ('row' in made) await batches.add({ line, row: made.row });
      else {
        fail(line, made.problem);
        cellsOf.delete(line);
        const { failed, failuresCount } = progress;
        progress = { ...progress, failed: failed + 1, failuresCount: failuresCount + 1 };
      }
    }
    progress = { ...progress, bytes };
    onProgress(progress);
    return true;
  });
  await batches.flush();
  failures.sort((one, other) => one.line - other.line);
  progress = { ...progress, bytes: source.file.size, lines: line };
  onProgress(progress);
  return progress;
}

const flaggedMax = 10;

function withFlags(
  flags: Progress['flags'],
  told: NonNullable<ImportResult['addressFlags']>,
  rows: readonly NumberedRow[],
): Progress['flags'] {
  const all: { -readonly [Flag in AddressFlag]?: FlaggedLines } = { ...flags };
  for (const { flag, count, samples } of told) {
    const { count: before = 0, first = [] } = flags[flag] ?? {};
    const more = samples.slice(0, flaggedMax - first.length).map(({ row, domain, meant }) => ({
      line: lineOf(rows, row),
      domain,
      ...(meant === undefined ? {} : { meant }),
    }));
    all[flag] = { count: before + count, first: [...first, ...more] };
  }
  return all;
}

function lineOf(rows: readonly NumberedRow[], index: number): number {
  return rows[index]?.line ?? 0;
}

/** Waits until another call fits into the second. */
export async function pace(calls: number[], signal: AbortSignal): Promise<void> {
  const waitMs = waitBefore(calls, Date.now());
  if (waitMs > 0) await new Promise((wake) => setTimeout(wake, waitMs));
  signal.throwIfAborted();
  calls.push(Date.now());
  if (calls.length > callsPerSecond) calls.shift();
}
