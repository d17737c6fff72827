// The warm-ups of an app's sender domains, with what was sent today. A fold: entries that begin
// emails say how many, so that the count survives kill -9 exactly.

import type { Rebase } from '../../../engine/actor/machine.ts';
import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import type { MailboxGroup } from '../../channels/email/mailbox-groups.ts';
import { repeated, utcDayOf, type WarmUpRecord } from './warm-up.ts';

/** Emails that an entry begins, of a domain that is warming up. */
export interface WarmedMails {
  readonly domain: string;
  readonly mails: number;
  /** Only if a provider has a number of its own today. */
  readonly byProvider?: readonly (readonly [MailboxGroup, number])[];
}

/** What has begun on a UTC day. */
export interface DayCount {
  readonly day: number;
  readonly mails: number;
  readonly byProvider: ReadonlyMap<MailboxGroup, number>;
  readonly byCampaign: ReadonlyMap<string, number>;
  /** A backup was restored on this day, so that nobody knows: nothing more is sent. */
  readonly isUnknown: boolean;
}

class Count implements DayCount {
  day: number;
  mails = 0;
  isUnknown = false;
  readonly byProvider = new Map<MailboxGroup, number>();
  readonly byCampaign = new Map<string, number>();

  constructor(day: number) {
    this.day = day;
  }
}

interface WarmUpSnapshot {
  readonly record: WarmUpRecord;
  readonly day: number;
  readonly mails: number;
  readonly isUnknown?: true;
  readonly byProvider: readonly (readonly [MailboxGroup, number])[];
  readonly byCampaign: readonly (readonly [string, number])[];
}

export type WarmUpsSnapshot = readonly WarmUpSnapshot[];

export class WarmUps {
  readonly #records = new Map<string, WarmUpRecord>();
  readonly #counts = new Map<string, Count>();

  get size(): number {
    return this.#records.size;
  }

  get(domain: string): WarmUpRecord | undefined {
    return this.#records.get(domain);
  }

  records(): Iterable<WarmUpRecord> {
    return this.#records.values();
  }

  /** What has begun on a day; nothing if it is not the newest that was counted. */
  countOn(domain: string, day: number): DayCount {
    const count = this.#counts.get(domain);
    return count?.day === day ? count : new Count(day);
  }

  /** `exists`: whether the app still has a domain; warm-ups of others go. */
  save(record: WarmUpRecord, exists: (domain: string) => boolean): void {
    for (const domain of this.#records.keys()) if (!exists(domain)) this.delete(domain);
    this.#records.set(record.domain, record);
  }

  delete(domain: string): void {
    this.#records.delete(domain);
    this.#counts.delete(domain);
  }

  /** Emails have begun. `campaignId`: those of a campaign. */
  count({ domain, mails, byProvider = [] }: WarmedMails, atMs: Millis, campaignId?: string): void {
    if (!this.#records.has(domain)) return;
    const count = this.#countFrom(domain, utcDayOf(atMs));
    count.mails += mails;
    for (const [provider, theirs] of byProvider) more(count.byProvider, provider, theirs);
    if (campaignId !== undefined) more(count.byCampaign, campaignId, mails);
  }

  /** A guard has stopped a campaign of the domain: the next day has no larger number. */
  repeat(domain: string, atMs: Millis): void {
    const record = this.#records.get(domain);
    if (record !== undefined) this.#records.set(domain, repeated(record, utcDayOf(atMs)));
  }

  /** After a restore nobody knows how many emails have left on this day. */
  restored(atMs: Millis): void {
    for (const domain of this.#records.keys())
      this.#countFrom(domain, utcDayOf(atMs)).isUnknown = true;
  }

  rebase(to: Rebase): void {
    const today = utcDayOf(to.toMs);
    for (const [domain, record] of this.#records) {
      const { startMs, sinceDay, createdMs, updatedMs } = record;
      // An instant that somebody chose in the future stays.
      const isStamp = startMs <= to.toMs + to.aheadMs;
      this.#records.set(domain, {
        ...record,
        startMs: isStamp ? to.stamp(startMs) : startMs,
        sinceDay: isStamp ? utcDayOf(to.stamp(sinceDay * dayMs)) : sinceDay,
        createdMs: to.stamp(createdMs),
        updatedMs: to.stamp(updatedMs),
      });
    }
    for (const count of this.#counts.values()) count.day = Math.min(count.day, today);
  }

  snapshot(): WarmUpsSnapshot {
    return Array.from(this.#records.values(), (record) => {
      const { domain } = record;
      const { day, mails, isUnknown, byProvider, byCampaign } =
        this.#counts.get(domain) ?? new Count(0);
      return {
        ...{ record, day, mails },
        ...(isUnknown ? { isUnknown } : {}),
        ...{ byProvider: [...byProvider], byCampaign: [...byCampaign] },
      };
    });
  }

  /** Checkpoints of earlier builds have none. */
  static restore(from: WarmUpsSnapshot = []): WarmUps {
    const warmUps = new WarmUps();
    for (const { record, day, mails, isUnknown, byProvider, byCampaign } of from) {
      warmUps.#records.set(record.domain, record);
      if (day === 0) continue;
      const count = warmUps.#countFrom(record.domain, day);
      count.mails = mails;
      count.isUnknown = isUnknown === true;
      for (const [provider, theirs] of byProvider) count.byProvider.set(provider, theirs);
      for (const [campaign, theirs] of byCampaign) count.byCampaign.set(campaign, theirs);
    }
    return warmUps;
  }

  /** Instants go backwards only if the clock was wrong: then all counts as the newest day. */
  #countFrom(domain: string, day: number): Count {
    let count = this.#counts.get(domain);
    if (count === undefined || count.day < day) {
      count = new Count(day);
      this.#counts.set(domain, count);
    }
    return count;
  }
}

function more<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
