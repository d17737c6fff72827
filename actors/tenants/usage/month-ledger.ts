// One row a month, of the months that usage is kept for. A plain fold: a row is put, and old months
// are dropped by whoever puts, since only they know which month it is.

import type { UtcMonth } from '../../../engine/time/utc-month.ts';
import { limits } from '../../limits.ts';

/** Rows by month, the oldest first. */
export type MonthLedgerSnapshot<Row> = readonly (readonly [UtcMonth, Row])[];

/** See the head of this file. Rows are values: they are replaced, never changed. */
export class MonthLedger<Row> {
  readonly #rows = new Map<UtcMonth, Row>();

  /** The row of a month; `undefined` where nothing was put. */
  get(month: UtcMonth): Row | undefined {
    return this.#rows.get(month);
  }

  /** Puts a month's row in place of the one it had. */
  put(month: UtcMonth, row: Row): void {
    this.#rows.set(month, row);
  }

  /**
   * Drops what is no longer kept in `month`: all but that month and `limits.usageMonthsKept` before
   * it.
   */
  keepUntil(month: UtcMonth): void {
    for (const kept of this.#rows.keys())
      if (kept < month - limits.usageMonthsKept) this.#rows.delete(kept);
  }

  snapshot(): MonthLedgerSnapshot<Row> {
    return [...this.#rows].sort(([one], [other]) => one - other);
  }

  static restore<Row>(rows: MonthLedgerSnapshot<Row>): MonthLedger<Row> {
    const ledger = new MonthLedger<Row>();
    for (const [month, row] of rows) ledger.put(month, row);
    return ledger;
  }
}
