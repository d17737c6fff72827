// How many emails a sender domain that warms up may still begin on this UTC day. Campaigns and
// journeys wait for room; transactional emails take it without asking. Campaigns share it fairly:
// none gets more than an equal part of the day while others wait.

import type { PumpContext } from '../../../engine/actor/machine.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { MailboxGroup } from '../../channels/email/mailbox-groups.ts';
import { dayEndsMs } from '../gate/org-room.ts';
import { groupOfAddress, type MailboxesReads } from '../mailboxes/reads.ts';
import type { WarmedMails } from './mails.ts';
import { type WarmingProviders, warmingNow } from './reads.ts';
import { numberOn, utcDayOf, type WarmUpDay, type WarmUpRecord } from './warm-up.ts';
import type { DayCount } from './warm-ups.ts';

const ofTurns = new WeakMap<PumpContext, Map<Ordinal, WarmUpRoom | undefined>>();

export class WarmUpRoom {
  readonly domain: string;
  /** When the day ends. */
  readonly untilMs: Millis;
  /** It knows whose mailboxes a hosted domain has. */
  readonly #app: MailboxesReads;
  readonly #number: WarmUpDay;
  #left: number;
  readonly #byProvider: Map<MailboxGroup, number>;
  readonly #byCampaign: Map<string, number>;
  #toldMails = 0;
  readonly #toldByProvider = new Map<MailboxGroup, number>();

  private constructor(
    app: MailboxesReads,
    record: WarmUpRecord,
    number: WarmUpDay,
    count: DayCount,
    nowMs: Millis,
  ) {
    this.#app = app;
    this.domain = record.domain;
    this.untilMs = dayEndsMs(nowMs);
    this.#number = number;
    this.#left = count.isUnknown ? 0 : number.max - count.mails;
    this.#byProvider = new Map(count.byProvider);
    this.#byCampaign = new Map(count.byCampaign);
  }

  /** `undefined` if nothing limits what the app sends now. */
  static of(app: WarmingProviders, nowMs: Millis): WarmUpRoom | undefined {
    const record = warmingNow(app);
    const day = utcDayOf(nowMs);
    const number = record && numberOn(record, day);
    if (record === undefined || number === undefined) return undefined;
    const count = app.warmUps.countOn(record.domain, day);
    return new WarmUpRoom(app, record, number, count, nowMs);
  }

  /** The same for all that this end of a turn lets begin. */
  static ofTurn(
    context: PumpContext,
    owner: Ordinal,
    app: WarmingProviders,
  ): WarmUpRoom | undefined {
    if (app.warmUps.size === 0) return undefined;
    let rooms = ofTurns.get(context);
    if (rooms === undefined) ofTurns.set(context, (rooms = new Map()));
    if (!rooms.has(owner)) rooms.set(owner, WarmUpRoom.of(app, context.nowMs));
    return rooms.get(owner);
  }

  /** Nothing more begins today. */
  get isUsedUp(): boolean {
    return this.#left <= 0;
  }

  get left(): number {
    return Math.max(0, this.#left);
  }

  /** Whether the addresses of mails matter. */
  get asksProviders(): boolean {
    return this.#number.perProvider !== undefined;
  }

  /** Whether so many mails of one person fit. A number that is too small for them is no limit. */
  fits(mails: number): boolean {
    return this.#left > 0 && (mails <= this.#left || mails > this.#number.max);
  }

  /** Whether the mailbox providers of these addresses have room. */
  fitsProviders(addresses: readonly string[]): boolean {
    const { perProvider } = this.#number;
    if (perProvider === undefined) return true;
    return addresses.every((address) => {
      const provider = groupOfAddress(this.#app, address);
      const max = perProvider[provider];
      return max === undefined || (this.#byProvider.get(provider) ?? 0) < max;
    });
  }

  /** How many more mails a campaign may begin while `waiting`, itself among them, want room. */
  shareOf(campaignId: string, waiting: ReadonlySet<string>): number {
    if (this.#left <= 0) return 0;
    let sent = 0;
    for (const id of waiting) sent += this.#byCampaign.get(id) ?? 0;
    const equal = Math.ceil((sent + this.#left) / Math.max(1, waiting.size));
    const own = equal - (this.#byCampaign.get(campaignId) ?? 0);
    return Math.max(0, Math.min(this.#left, own));
  }

  /** `addresses`: only needed if it `asksProviders`. */
  take(mails: number, addresses: readonly string[] = [], campaignId?: string): void {
    this.#left -= mails;
    this.#toldMails += mails;
    if (campaignId !== undefined) more(this.#byCampaign, campaignId, mails);
    if (!this.asksProviders) return;
    for (const address of addresses) {
      const provider = groupOfAddress(this.#app, address);
      more(this.#byProvider, provider, 1);
      more(this.#toldByProvider, provider, 1);
    }
  }

  /** What was taken since this was asked last, for the entry that begins it. */
  tell(): { readonly warmed?: WarmedMails } {
    if (this.#toldMails === 0) return {};
    const warmed: WarmedMails = {
      domain: this.domain,
      mails: this.#toldMails,
      ...(this.#toldByProvider.size === 0 ? {} : { byProvider: [...this.#toldByProvider] }),
    };
    this.#toldMails = 0;
    this.#toldByProvider.clear();
    return { warmed };
  }
}

function more<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
