// What an org's invoice is made of and no app of it keeps: the emails of every month, and the
// people of apps that were deleted. An app that is there counts its own people
// (`monthly-active.ts`). What a reader would get wrong: a month's row says what was included when
// its last email was delivered, so a later change of the allowance does not rewrite a month that is
// over.

import type { Millis } from '../../../engine/base/brand.ts';
import { type UtcMonth, utcMonthOf } from '../../../engine/time/utc-month.ts';
import { limits } from '../../limits.ts';
import { MonthLedger, type MonthLedgerSnapshot } from './month-ledger.ts';
import type { MonthlyActive } from './monthly-active.ts';

/** Deleted apps that are kept by name; of those before them only the sum is. */
const deletedAppsMax = 1_000;

/** The emails of one month. */
export interface EmailMonth {
  readonly delivered: number;
  /** What the allowance was; `null` is unlimited. */
  readonly included: number | null;
}

interface DeletedApp {
  readonly appId: string;
  readonly name: string;
  readonly months: MonthLedgerSnapshot<number>;
}

/** As a checkpoint has it. */
export interface OrgMeterSnapshot {
  readonly emails: MonthLedgerSnapshot<EmailMonth>;
  readonly deleted: readonly DeletedApp[];
  readonly earlier: MonthLedgerSnapshot<number>;
}

/** See the head of this file. */
export class OrgMeter {
  #emails = new MonthLedger<EmailMonth>();
  /** In order of deletion. */
  #deleted: DeletedApp[] = [];
  /** People of deleted apps beyond `deletedAppsMax`, added up. */
  #earlier = new MonthLedger<number>();

  /** Counts a delivered email against the allowance of this moment. */
  countEmail(atMs: Millis, included: number | null): void {
    const month = utcMonthOf(atMs);
    const row = this.#emails.get(month);
    this.#emails.put(month, { delivered: (row?.delivered ?? 0) + 1, included });
    if (row === undefined) this.#emails.keepUntil(month);
  }

  /** The emails of a month; `undefined` where none was delivered. */
  emails(month: UtcMonth): EmailMonth | undefined {
    return this.#emails.get(month);
  }

  /** Takes over the months of an app that is deleted, since they still have to be paid for. */
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
    this.#earlier.keepUntil(now);
    const beyond = this.#deleted.splice(0, Math.max(0, this.#deleted.length - deletedAppsMax));
    for (const [month, count] of beyond.flatMap(({ months }) => months))
      this.#earlier.put(month, this.earlier(month) + count);
  }

  /** Deleted apps that somebody was active in, in order of deletion. */
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
