// One row per month that usage is kept for. The caller drops old months.

import type { UtcMonth } from '../../../engine/time/utc-month.ts';
import { limits } from '../../limits.ts';

/** Rows by month, the oldest first. */
export type MonthLedgerSnapshot<Row> = readonly (readonly [UtcMonth, Row])[];

/** Rows are values: they are replaced, never changed. */
export class MonthLedger<Row> {
  readonly #rows = new Map<UtcMonth, Row>();

  get(month: UtcMonth): Row | undefined {
    return this.#rows.get(month);
  }

  put(month: UtcMonth, row: Row): void {
    this.#rows.set(month, row);
  }

  /** Drops all but `month` and the `limits.usageMonthsKept` before it. */
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
