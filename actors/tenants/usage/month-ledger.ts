// One row per month that usage is kept for. The caller trims it.

import type { UtcMonth } from '../../../engine/time/utc-month.ts';
import { limits } from '../../limits.ts';

/** Rows by month, the oldest first. */
export type MonthLedgerSnapshot<Row> = readonly (readonly [UtcMonth, Row])[];

/** The current month, those before it, and two that a wrong clock may have begun. */
const rowsMax = limits.usageMonthsKept + 3;

/** Rows are values: they are replaced, never changed. */
export class MonthLedger<Row> {
  readonly #rows = new Map<UtcMonth, Row>();

  get(month: UtcMonth): Row | undefined {
    return this.#rows.get(month);
  }

  put(month: UtcMonth, row: Row): void {
    this.#rows.set(month, row);
  }

  /**
   * Drops the oldest rows beyond those of `limits.usageMonthsKept`. By their number: a clock that
   * is a year ahead for a minute must not drop a year of invoices.
   */
  trim(): void {
    const months = [...this.#rows.keys()].sort((one, other) => one - other);
    for (const month of months.slice(0, Math.max(0, months.length - rowsMax)))
      this.#rows.delete(month);
  }

  /** Removes the rows after `month`, and returns them. */
  takeAfter(month: UtcMonth): readonly Row[] {
    const taken: Row[] = [];
    for (const [kept, row] of this.#rows) {
      if (kept <= month) continue;
      taken.push(row);
      this.#rows.delete(kept);
    }
    return taken;
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
