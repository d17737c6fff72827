// On which days emails will leave that a warm-up keeps back: the room of each day from now on, as
// if nobody else sent from the domain.

import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import type { MailboxGroup } from '../../channels/email/mailbox-groups.ts';
import { groupOfAddress, type MailboxesReads } from '../mailboxes/reads.ts';
import type { WarmUpPlaced } from './mails.ts';
import { type WarmingProviders, warmingNow } from './reads.ts';
import { numberOn, utcDayOf, type WarmUpDay, type WarmUpRecord } from './warm-up.ts';

interface Day {
  readonly number: WarmUpDay | undefined;
  /** Placed by this forecast. */
  placed: number;
  left: number;
  readonly used: Map<MailboxGroup, number>;
}

/** A held curve with small numbers would need years. */
const daysMax = 730;

export class WarmUpForecast {
  /** It knows whose mailboxes a hosted domain has. */
  readonly #app: MailboxesReads;
  readonly #record: WarmUpRecord;
  readonly #today: number;
  readonly #days: Day[] = [];
  /** Earlier days are full for everybody. */
  #first = 0;
  /** Earlier days are full for mails to one provider. */
  readonly #firstOf = new Map<MailboxGroup, number>();

  private constructor(app: MailboxesReads, record: WarmUpRecord, today: number) {
    this.#app = app;
    this.#record = record;
    this.#today = today;
  }

  /** `undefined` if nothing limits what the app sends now. */
  static of(
    app: WarmingProviders,
    nowMs: Millis,
    placed?: WarmUpPlaced,
  ): WarmUpForecast | undefined {
    const record = warmingNow(app);
    const today = utcDayOf(nowMs);
    if (record === undefined || numberOn(record, today) === undefined) return undefined;
    const forecast = new WarmUpForecast(app, record, today);
    const count = app.warmUps.countOn(record.domain, today);
    const first = forecast.#day(0);
    first.left = count.isUnknown ? 0 : Math.max(0, first.left - count.mails);
    for (const [provider, mails] of count.byProvider) first.used.set(provider, mails);
    if (placed?.domain === record.domain) forecast.#continue(placed);
    return forecast;
  }

  /** Whether the addresses of mails matter. */
  get asksProviders(): boolean {
    return this.#record.days.some(({ perProvider }) => perProvider !== undefined);
  }

  get domain(): string {
    return this.#record.domain;
  }

  /** Places the mails of one person; the start of their day, or `undefined` for today. */
  place(mails: number, addresses: readonly string[] = []): Millis | undefined {
    const providers = addresses.map((address) => groupOfAddress(this.#app, address));
    const firsts = providers.map((one) => this.#firstOf.get(one) ?? 0);
    for (let at = Math.max(this.#first, ...firsts); at < daysMax; at++) {
      const day = this.#day(at);
      if (!fits(day, mails, providers)) continue;
      day.placed += mails;
      day.left -= mails;
      for (const provider of providers) day.used.set(provider, (day.used.get(provider) ?? 0) + 1);
      const [only] = providers;
      if (mails === 1 && only !== undefined) this.#firstOf.set(only, at);
      while (this.#day(this.#first).left <= 0 && this.#first < at) this.#first++;
      return at === 0 ? undefined : (this.#today + at) * dayMs;
    }
    return (this.#today + daysMax) * dayMs;
  }

  /** The start of the day on which the last of so many mails leaves; `undefined`: today. */
  lastDayOf(mails: number): Millis | undefined {
    let left = mails;
    for (let at = 0; at < daysMax; at++) {
      left -= this.#day(at).left;
      if (left <= 0) return at === 0 ? undefined : (this.#today + at) * dayMs;
    }
    return (this.#today + daysMax) * dayMs;
  }

  snapshot(): WarmUpPlaced {
    return {
      domain: this.#record.domain,
      mails: this.#days.map(({ placed }) => placed),
      byProvider: this.#days.map(({ used }) => [...used]),
    };
  }

  #continue({ mails, byProvider }: WarmUpPlaced): void {
    for (const [at, placed] of mails.entries()) {
      const day = this.#day(at);
      day.placed = placed;
      day.left -= placed;
      for (const [provider, used] of byProvider[at] ?? []) day.used.set(provider, used);
    }
  }

  #day(at: number): Day {
    while (this.#days.length <= at) {
      const number = numberOn(this.#record, this.#today + this.#days.length);
      const left = number?.max ?? Number.POSITIVE_INFINITY;
      this.#days.push({ number, placed: 0, left, used: new Map() });
    }
    return this.#days[at] as Day;
  }
}

function fits({ number, left, used }: Day, mails: number, providers: readonly MailboxGroup[]) {
  if (left <= 0 || (mails > left && mails <= (number?.max ?? 0))) return false;
  const { perProvider } = number ?? {};
  if (perProvider === undefined) return true;
  return providers.every((provider) => {
    const max = perProvider[provider];
    return max === undefined || (used.get(provider) ?? 0) < max;
  });
}
