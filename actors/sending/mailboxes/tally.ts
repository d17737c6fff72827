// What one decision counts of mails: sums, and the reasons with their newest words. One entry.

import type { Context } from '../../../engine/actor/message.ts';
import { dayMs, type Millis, type Ordinal } from '../../../engine/base/brand.ts';
import { zoneOf } from '../../../engine/time/civil-time.ts';
import type { MailboxGroup } from '../../channels/email/mailbox-groups.ts';
import type { Stream } from '../../channels/port/open-relay.ts';
import type { Outcome } from '../../channels/port/outcome.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import type { MailFact, MailReason, MailWay, Sender } from './figures.ts';
import type { MailboxesEntry } from './protocol.ts';
import type { MailboxesReads } from './reads.ts';

type Why = Pick<MailReason, 'reason' | 'detail'>;

/** Replies that ask for another try: RFC 5321 4.2, and limits that are said with a 5xx. */
const asksForLater = /^(?:42[0-8]|4[3-7]\d|55[0-4])(?![\d.])/;

/** Found before anybody was called. */
const unsent: ReadonlySet<string> = new Set([
  'expired',
  'internal',
  'invalid_content',
  'no_device',
  'not_configured',
]);

export class MailTally {
  readonly #ways = new Map<string, { way: MailWay; counts: Partial<Record<MailFact, number>> }>();
  readonly #reasons = new Map<string, MailReason>();
  readonly #hosted = new Map<number, MailboxGroup>();
  readonly #senders = new Map<Stream, Sender>();

  count(way: MailWay, fact: MailFact, why?: Why): void {
    const key = `${way.group}|${way.domain}|${way.relay}`;
    let known = this.#ways.get(key);
    if (known === undefined) {
      known = { way, counts: {} };
      this.#ways.set(key, known);
    }
    known.counts[fact] = (known.counts[fact] ?? 0) + 1;
    if (why !== undefined && isReasoned(fact)) this.#because(way.group, fact, why);
  }

  /** What a call's outcome says of its mail; nothing where nobody was called. */
  outcome(way: MailWay, outcome: Outcome): void {
    switch (outcome.outcome) {
      case 'accepted':
        this.count(way, 'sent');
        if (!('reports' in outcome)) this.count(way, 'delivered');
        return;
      case 'dead':
        this.count(way, 'sent');
        this.count(way, 'bouncedHard', outcome);
        return;
      case 'permanent':
      case 'opted_out':
        if (unsent.has(outcome.reason)) return;
        this.count(way, 'sent');
        this.count(way, 'bouncedSoft', outcome);
        return;
      case 'rate':
      case 'retry':
        if (asksForLater.test(outcome.detail ?? '')) this.count(way, 'deferred', outcome);
        return;
      case 'config':
      case 'ambiguous':
        return;
    }
  }

  /** The same of a report; `hosted`: as in reports. */
  reported(
    { group, domain, relay, hosted }: MailWay & { readonly hosted?: number },
    stream: Stream,
    outcome: Outcome,
  ): void {
    this.outcome({ group, domain, relay }, outcome);
    this.sentBy(stream, { domain, relay });
    if (hosted !== undefined) this.hosts(hosted, group);
  }

  /** Whose mails of a stream are the newest. */
  sentBy(stream: Stream, { domain, relay }: Sender): void {
    this.#senders.set(stream, { domain, relay });
  }

  hosts(hash: number, group: MailboxGroup): void {
    this.#hosted.set(hash, group);
  }

  /** One entry, or none. */
  entries(
    { record, mailboxes }: Pick<AccountsReads, 'record'> & MailboxesReads,
    { owner, nowMs: atMs }: Pick<Context, 'owner' | 'nowMs'>,
  ): readonly MailboxesEntry[] {
    if (this.#ways.size === 0) return [];
    const hosted = [...this.#hosted].filter(
      ([hash, group]) => mailboxes.groupOfHosted(hash) !== group,
    );
    const senders = [...this.#senders].filter(([stream, { domain, relay }]) => {
      const before = mailboxes.senderOf(stream);
      return before?.domain !== domain || before.relay !== relay;
    });
    return [
      {
        kind: 'mail.counted',
        owner: owner as Ordinal,
        atMs,
        day: mailDay(record.timezone, atMs),
        ways: [...this.#ways.values()].map(({ way, counts }) => [
          way.group,
          way.domain,
          way.relay,
          counts,
        ]),
        ...(this.#reasons.size === 0 ? {} : { reasons: [...this.#reasons.values()] }),
        ...(hosted.length === 0 ? {} : { hosted }),
        ...(senders.length === 0 ? {} : { senders }),
      },
    ];
  }

  #because(group: MailboxGroup, fact: MailReason['fact'], { reason, detail }: Why): void {
    const key = `${group}|${fact}|${reason}`;
    const count = (this.#reasons.get(key)?.count ?? 0) + 1;
    const words = detail === undefined ? {} : { detail };
    this.#reasons.set(key, { group, fact, reason, ...words, count });
  }
}

/** Days since the epoch in a time zone. */
export function mailDay(timezone: string, atMs: Millis): number {
  return Math.floor((atMs + zoneOf(timezone)(atMs)) / dayMs);
}

function isReasoned(fact: MailFact): fact is MailReason['fact'] {
  return fact === 'deferred' || fact === 'bouncedHard' || fact === 'bouncedSoft';
}
