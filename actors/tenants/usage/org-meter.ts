// What an org's invoice needs beyond its existing apps (`monthly-active.ts`): emails per month, and
// the people of deleted apps. A month's row has the allowance as of the month's end, so a later
// change does not rewrite past months.

import type { Millis } from '../../../engine/base/brand.ts';
import { type UtcMonth, utcMonthOf } from '../../../engine/time/utc-month.ts';
import { limits } from '../../limits.ts';
import { MonthLedger, type MonthLedgerSnapshot } from './month-ledger.ts';
import type { MonthlyActive } from './monthly-active.ts';

/** Deleted apps kept by name; of earlier ones only the sum. */
const deletedAppsMax = 1_000;

export interface EmailMonth {
  readonly delivered: number;
  /** The allowance; `null` is unlimited. */
  readonly included: number | null;
}

interface DeletedApp {
  readonly appId: string;
  readonly name: string;
  readonly months: MonthLedgerSnapshot<number>;
}

export interface OrgMeterSnapshot {
  readonly emails: MonthLedgerSnapshot<EmailMonth>;
  readonly deleted: readonly DeletedApp[];
  readonly earlier: MonthLedgerSnapshot<number>;
}

export class OrgMeter {
  #emails = new MonthLedger<EmailMonth>();
  /** In order of deletion. */
  #deleted: DeletedApp[] = [];
  /** People of deleted apps beyond `deletedAppsMax`, added up. */
  #earlier = new MonthLedger<number>();

  /** Counts delivered emails against the current allowance. */
  countEmails(atMs: Millis, emails: number, included: number | null): void {
    const month = utcMonthOf(atMs);
    const row = this.#emails.get(month);
    this.#emails.put(month, { delivered: (row?.delivered ?? 0) + emails, included });
    if (row === undefined) this.#emails.trim();
  }

  /** The clock was ahead: what was delivered since then counts in the month of `toMs`. */
  rebase(toMs: Millis): void {
    const month = utcMonthOf(toMs);
    for (const { delivered, included } of this.#emails.takeAfter(month)) {
      const before = this.#emails.get(month)?.delivered ?? 0;
      this.#emails.put(month, { delivered: before + delivered, included });
    }
  }

  /** The allowance changed: it holds for the whole of the current month, and no other. */
  allow(atMs: Millis, included: number | null): void {
    const month = utcMonthOf(atMs);
    const row = this.#emails.get(month);
    if (row !== undefined) this.#emails.put(month, { ...row, included });
  }

  emails(month: UtcMonth): EmailMonth | undefined {
    return this.#emails.get(month);
  }

  /** Keeps the months of a deleted app, because they must still be paid for. */
  keepDeleted(
    app: { readonly id: string; readonly name: string },
    active: MonthlyActive,
    atMs: Millis,
  ): void {
    const now = utcMonthOf(atMs);
    const isKept = ([month]: readonly [UtcMonth, number]) => month >= now - limits.usageMonthsKept;
    const all = [...this.#deleted, { appId: app.id, name: app.name, months: active.counts() }];
    this.#deleted = all
      .map((one) => ({ ...one, months: one.months.filter(isKept) }))
      .filter(({ months }) => months.length > 0);
    this.#earlier.trim();
    const beyond = this.#deleted.splice(0, Math.max(0, this.#deleted.length - deletedAppsMax));
    for (const [month, count] of beyond.flatMap(({ months }) => months))
      this.#earlier.put(month, this.earlier(month) + count);
  }

  /** Deleted apps with active people, in order of deletion. */
  deleted(
    month: UtcMonth,
  ): { readonly appId: string; readonly name: string; readonly mau: number }[] {
    return this.#deleted.flatMap(({ appId, name, months }) => {
      const mau = months.find(([one]) => one === month)?.[1];
      return mau === undefined ? [] : [{ appId, name, mau }];
    });
  }

  /** People of a month in deleted apps that are no longer kept by name. */
  earlier(month: UtcMonth): number {
    return this.#earlier.get(month) ?? 0;
  }

  snapshot(): OrgMeterSnapshot {
    return {
      emails: this.#emails.snapshot(),
      deleted: [...this.#deleted],
      earlier: this.#earlier.snapshot(),
    };
  }

  static restore({ emails, deleted, earlier }: OrgMeterSnapshot): OrgMeter {
    const meter = new OrgMeter();
    meter.#emails = MonthLedger.restore(emails);
    meter.#deleted = [...deleted];
    meter.#earlier = MonthLedger.restore(earlier);
    return meter;
  }
}
