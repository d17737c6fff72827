// What the log must say of mails: that a sender domain that warms up begins no more of a campaign's
// on a day than its number, and that what services told is counted once for each mail.

import type { MailboxesEntry } from '../../actors/sending/mailboxes/protocol.ts';
import type { WarmedMails } from '../../actors/sending/warm-up/mails.ts';
import type { WarmUpEntry } from '../../actors/sending/warm-up/protocol.ts';
import { numberOn, utcDayOf, type WarmUpRecord } from '../../actors/sending/warm-up/warm-up.ts';
import type { Entry } from '../../engine/actor/message.ts';
import type { Millis } from '../../engine/base/brand.ts';
import type { Findings } from './invariants.ts';

type Warmed = Entry & { readonly atMs: Millis; readonly warmed?: WarmedMails };

export class MailAudit {
  readonly #findings: Findings;
  readonly #warmUps = new Map<string, WarmUpRecord>();
  /** By app, domain and UTC day: mails that have begun. */
  readonly #begun = new Map<string, number>();
  /** By app: soft bounces as the figures have them. */
  readonly softBounces = new Map<number, number>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  take(entry: Entry): void {
    switch (entry.kind) {
      case 'warm_up.saved': {
        const { owner, warmUp } = entry as Extract<WarmUpEntry, { kind: 'warm_up.saved' }>;
        this.#warmUps.set(`${owner}|${warmUp.domain}`, warmUp);
        break;
      }
      case 'campaign.decided':
        this.#began(entry as Warmed);
        break;
      case 'mail.counted': {
        const { owner, ways } = entry as MailboxesEntry;
        for (const [, , , { bouncedSoft = 0 }] of ways)
          this.softBounces.set(owner, (this.softBounces.get(owner) ?? 0) + bouncedSoft);
        break;
      }
    }
  }

  #began({ owner, atMs, warmed }: Warmed): void {
    if (warmed === undefined) return;
    const { domain, mails } = warmed;
    const day = utcDayOf(atMs);
    const record = this.#warmUps.get(`${owner}|${domain}`);
    const number = record && numberOn(record, day);
    const key = `${owner}|${domain}|${day}`;
    const begun = (this.#begun.get(key) ?? 0) + mails;
    this.#begun.set(key, begun);
    // More addresses of one person than the number are let through alone.
    this.#findings.expect(
      number === undefined || begun <= Math.max(number.max, mails),
      'warm_up_holds',
      () => `app ${owner} began ${begun} mails of ${domain} on day ${day}, of ${number?.max}`,
    );
  }
}
