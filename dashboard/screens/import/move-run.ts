// Brings an export of OneSignal in, in three passes over the file: what its lines are, then the
// opt-outs, then the people. If it stops, nobody is reachable who opted out; a second run changes
// nothing, so it begins anew.

import { call } from '../../api/client.ts';
import { Batches } from './batches.ts';
import { judgeOneSignal, type OptOutRow } from './one-signal.ts';
import { type FailedLine, failuresMax, pace } from './run.ts';
import { readPieces, type Source } from './source.ts';

export interface Moved {
  readonly pass: 'judge' | 'optOuts' | 'people';
  /** Of the file, in this pass. */
  readonly bytes: number;
  readonly lines: number;
  /** Lines that are opt-outs. */
  readonly optOuts: number;
  /** Opt-outs that are stored, or were stored before. */
  readonly stored: number;
  readonly created: number;
  readonly updated: number;
  /** Lines whose device is not imported. */
  readonly left: number;
  readonly failuresCount: number;
  readonly failures: readonly FailedLine[];
}

interface Move {
  readonly appId: string;
  readonly source: Source;
  readonly signal: AbortSignal;
  readonly onProgress: (moved: Moved) => void;
}

interface JudgedLine {
  readonly line: number;
  readonly cells: readonly string[];
  readonly made: ReturnType<typeof judgeOneSignal>;
}

interface OptOutLine {
  readonly line: number;
  readonly cells: readonly string[];
  readonly row: OptOutRow;
}

const counts = { bytes: 0, lines: 0, optOuts: 0, stored: 0, created: 0, updated: 0, left: 0 };
const optOutsPerCall = 1_000;

/** `isDry`: only what the lines are. Throws an `ApiError`. */
export async function runMove(move: Move, isDry: boolean): Promise<void> {
  const mover = new Mover(move);
  await mover.judge();
  if (isDry) return;
  await mover.sendOptOuts();
  await mover.sendPeople();
}

class Mover {
  readonly #move: Move;
  readonly #calls: number[] = [];
  readonly #failures: FailedLine[] = [];
  /** Addresses whose opt-out the API did not take. */
  readonly #refused = new Set<string>();
  #moved: Moved;

  constructor(move: Move) {
    this.#move = move;
    this.#moved = { ...counts, pass: 'judge', failuresCount: 0, failures: this.#failures };
  }

  async judge(): Promise<void> {
    await this.#eachLine(async ({ line, cells, made }) => {
      this.#moved = { ...this.#moved, lines: line };
      const { optOuts, left } = this.#moved;
      if (made.optOut !== undefined) this.#moved = { ...this.#moved, optOuts: optOuts + 1 };
      if ('problem' in made) this.#fail(line, made.problem, cells);
      else if (made.isDeviceLeft) this.#moved = { ...this.#moved, left: left + 1 };
    });
  }

  async sendOptOuts(): Promise<void> {
    this.#tell({ pass: 'optOuts', bytes: 0 });
    let waiting: OptOutLine[] = [];
    const flush = async () => {
      const sent = waiting;
      waiting = [];
      if (sent.length > 0) await this.#storeOptOuts(sent);
    };
    await this.#eachLine(async ({ line, cells, made }) => {
      if (made.optOut === undefined) return;
      waiting.push({ line, cells, row: made.optOut });
      if (waiting.length === optOutsPerCall) await flush();
    });
    await flush();
  }

  async #storeOptOuts(sent: readonly OptOutLine[]): Promise<void> {
    const { appId, signal } = this.#move;
    await pace(this.#calls, signal);
    const body = { appId, rows: sent.map(({ row }) => row) };
    const answer = await call('importSuppressions', { query: {}, body }, { signal });
    for (const { row, error } of answer.errors) {
      const one = sent[row];
      if (one === undefined) continue;
      this.#fail(one.line, error, one.cells);
      this.#refused.add(placeOf(one.row.channel, one.row.address));
    }
    this.#tell({ stored: this.#moved.stored + answer.added + answer.known });
  }

  async sendPeople(): Promise<void> {
    const { appId, signal, source } = this.#move;
    this.#tell({ pass: 'people', bytes: 0 });
    const cellsOf = new Map<number, readonly string[]>();
    const batches = new Batches(async (rows) => {
      await pace(this.#calls, signal);
      const body = { appId, rows: rows.map(({ row }) => row) };
      const answer = await call('importSubscribers', { query: {}, body }, { signal });
      for (const { row, device, error } of answer.errors) {
        const line = rows[row]?.line ?? 0;
        this.#fail(line, error, cellsOf.get(line) ?? [], device !== undefined);
      }
      for (const { line } of rows) cellsOf.delete(line);
      const { created, updated } = this.#moved;
      this.#tell({ created: created + answer.created, updated: updated + answer.updated });
    });
    await this.#eachLine(async ({ line, cells, made }) => {
      if ('problem' in made || this.#isRefused(made.row.devices?.[0])) return;
      cellsOf.set(line, cells);
      await batches.add({ line, row: made.row });
    });
    await batches.flush();
    this.#tell({ bytes: source.file.size });
  }

  /** Whose opt-out was not stored must not become reachable, by whichever line. */
  #isRefused(
    device: { readonly channel: string; readonly endpoint: unknown } | undefined,
  ): boolean {
    return device !== undefined && this.#refused.has(placeOf(device.channel, device.endpoint));
  }

  async #eachLine(visit: (one: JudgedLine) => Promise<void>): Promise<void> {
    const { source, signal } = this.#move;
    const { header = [], facts } = source;
    let line = 0;
    await readPieces(source, async ({ lines, bytes }) => {
      for (const { cells = [], problem } of lines) {
        line++;
        signal.throwIfAborted();
        const made: JudgedLine['made'] =
          problem === undefined ? judgeOneSignal(cells, header, facts) : { problem };
        await visit({ line, cells, made });
      }
      this.#tell({ bytes });
      return true;
    });
  }

  #fail(line: number, error: string, cells: readonly string[], isImported = false): void {
    this.#moved = { ...this.#moved, failuresCount: this.#moved.failuresCount + 1 };
    if (this.#failures.length < failuresMax)
      this.#failures.push({ line, error, cells, isImported });
  }

  #tell(part: Partial<Moved>): void {
    this.#moved = { ...this.#moved, ...part };
    this.#move.onProgress(this.#moved);
  }
}

function placeOf(channel: string, endpoint: unknown): string {
  return `${channel} ${String(endpoint).toLowerCase()}`;
}
