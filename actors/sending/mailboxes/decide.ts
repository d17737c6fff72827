// Answers the question about mailbox providers from memory.

import { accepted } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { type MailboxGroup, mailboxGroups } from '../../channels/email/mailbox-groups.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { type MailFact, mailFacts } from './figures.ts';
import { type CountedReason, emptyCounts, type MailDays, restName } from './mail-days.ts';
import type { MailboxesMemory } from './memory.ts';
import type { MailboxesProtocol, MailboxProviders } from './protocol.ts';
import { mailDay } from './tally.ts';

/** Senders and relays in an answer, and reasons of a provider. */
const namesMax = 20;
const reasonsMax = 5;

type Asked = Pick<MailboxesProtocol['mailboxes.read']['body'], 'domain' | 'relay'>;

type Counts = Record<MailFact, number[]>;

export const mailboxesDecisions: Decisions<MailboxesProtocol, MailboxesMemory> = {
  'mailboxes.read': (state, { days, domain, relay }, context) =>
    withApp(state, context, ({ mailboxes, record }) => {
      const today = mailDay(record.timezone, context.nowMs);
      const asked = {
        ...(domain === undefined ? {} : { domain }),
        ...(relay === undefined ? {} : { relay }),
      };
      return accepted(mailboxProviders(mailboxes, { days, today }, asked));
    }),
};

function mailboxProviders(
  mailboxes: MailDays,
  { days, today }: { readonly days: number; readonly today: number },
  { domain, relay }: Asked,
): MailboxProviders {
  const numbers = Array.from({ length: days }, (_, i) => today - days + 1 + i);
  const providers = new Sums<MailboxGroup>(days);
  const domains = new Sums<string>(days);
  const relays = new Sums<string>(days);
  const reasons = new Map<MailboxGroup, Map<string, CountedReason>>();
  numbers.forEach((number, i) => {
    for (const { way, counts } of mailboxes.cellsOf(number)) {
      if (domain !== undefined && way.domain !== domain) continue;
      if (relay !== undefined && way.relay !== relay) continue;
      providers.add(way.group, i, counts);
      domains.add(way.domain, i, counts);
      relays.add(way.relay, i, counts);
    }
    for (const reason of mailboxes.reasonsOf(number)) addReason(reasons, reason);
  });
  return {
    days: numbers,
    providers: mailboxGroups.flatMap((group) => {
      const counts = providers.of(group);
      return counts === undefined ? [] : [{ group, counts, reasons: topReasons(reasons, group) }];
    }),
    domains: domains.top().map(([name, counts]) => ({ domain: name, counts })),
    relays: relays.top().map(([name, counts]) => ({ relay: name, counts })),
  };
}

/** Daily counts by name. */
class Sums<Name extends string> {
  readonly #length: number;
  readonly #byName = new Map<Name, Counts>();

  constructor(length: number) {
    this.#length = length;
  }

  of(name: Name): Counts | undefined {
    return this.#byName.get(name);
  }

  add(name: Name, day: number, counts: readonly number[]): void {
    let sums = this.#byName.get(name);
    if (sums === undefined) {
      sums = emptyCounts(this.#length);
      this.#byName.set(name, sums);
    }
    mailFacts.forEach((fact, i) => {
      const of = sums[fact];
      of[day] = (of[day] ?? 0) + (counts[i] ?? 0);
    });
  }

  /** The names with the most mails, then all others together under `null`. */
  top(): readonly (readonly [name: Name | null, counts: Counts])[] {
    const all = [...this.#byName]
      .map(([name, counts]) => ({ name, counts, sent: total(counts.sent) }))
      .sort((one, other) => other.sent - one.sent || (one.name < other.name ? -1 : 1));
    const named = all.filter(({ name }) => name !== restName).slice(0, namesMax);
    const rest = all.filter((one) => !named.includes(one));
    const shown = named.map(({ name, counts }) => [name, counts] as const);
    if (rest.length === 0) return shown;
    const sums = emptyCounts(this.#length);
    for (const { counts } of rest)
      for (const fact of mailFacts)
        counts[fact].forEach((count, day) => {
          sums[fact][day] = (sums[fact][day] ?? 0) + count;
        });
    return [...shown, [null, sums]];
  }
}

function addReason(
  reasons: Map<MailboxGroup, Map<string, CountedReason>>,
  more: CountedReason,
): void {
  const key = `${more.fact}|${more.reason}`;
  const of = reasons.get(more.group) ?? new Map<string, CountedReason>();
  reasons.set(more.group, of);
  const known = of.get(key);
  // Days come in order, so later words are newer.
  of.set(key, { ...more, count: more.count + (known?.count ?? 0) });
}

function topReasons(
  reasons: ReadonlyMap<MailboxGroup, ReadonlyMap<string, CountedReason>>,
  of: MailboxGroup,
): MailboxProviders['providers'][number]['reasons'] {
  return [...(reasons.get(of)?.values() ?? [])]
    .sort((one, other) => other.count - one.count || other.lastMs - one.lastMs)
    .slice(0, reasonsMax)
    .map(({ group: _, lastMs: lastAtMs, ...reason }) => ({ ...reason, lastAtMs }));
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
