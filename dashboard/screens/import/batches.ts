// Rows packed into calls: at most 1,000 rows and 900 KiB each, at most ten calls a second.

import type { ImportRow } from './to-row.ts';

export const rowsPerCall = 1_000;
export const bytesPerCall = 900 * 1024;
export const callsPerSecond = 10;

/** A row with the line of the file that it came from. */
export interface NumberedRow {
  readonly line: number;
  readonly row: ImportRow;
}

export class Batches {
  readonly #send: (rows: readonly NumberedRow[]) => Promise<void>;
  #rows: NumberedRow[] = [];
  #bytes = 0;

  constructor(send: (rows: readonly NumberedRow[]) => Promise<void>) {
    this.#send = send;
  }

  async add(row: NumberedRow): Promise<void> {
    // UTF-8 has at most three bytes for each of a string's units.
    const bytes = JSON.stringify(row.row).length * 3;
    if (this.#rows.length === rowsPerCall || this.#bytes + bytes > bytesPerCall) await this.flush();
    this.#rows.push(row);
    this.#bytes += bytes;
  }

  async flush(): Promise<void> {
    if (this.#rows.length === 0) return;
    const rows = this.#rows;
    this.#rows = [];
    this.#bytes = 0;
    await this.#send(rows);
  }
}

/** How long to wait before the next call, by the times of the calls before it, newest last. */
export function waitBefore(callsMs: readonly number[], nowMs: number): number {
  const tenth = callsMs.at(-callsPerSecond);
  return tenth === undefined ? 0 : Math.max(0, tenth + 1_000 - nowMs);
}
