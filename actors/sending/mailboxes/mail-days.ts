// Figures of mails by day: sums of what entries counted. Bounded however many senders, relays and
// reasons there are: what has no room is counted under no name.

import type { Rebase } from '../../../engine/actor/machine.ts';
import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import type { MailboxGroup } from '../../channels/email/mailbox-groups.ts';
import type { Stream } from '../../channels/port/open-relay.ts';
import { type MailFact, type MailReason, type MailWay, mailFacts, type Sender } from './figures.ts';
import { type MailboxesEntry, mailDaysMax } from './protocol.ts';

/** Of a day: names of senders, names of relays, and reasons. */
const namesMax = 40;
const reasonsMax = 60;
const hostedMax = 4_096;
const detailCharsMax = 200;

/** In place of a name that had no room. */
export const restName = '*';

export type CountedReason = MailReason & { readonly lastMs: Millis };

interface Cell {
  readonly way: MailWay;
  /** In the order of `mailFacts`. */
  readonly counts: number[];
}

class MailDay {
  readonly cells = new Map<string, Cell>();
  readonly reasons = new Map<string, CountedReason>();
  readonly #domains = new Set<string>();
  readonly #relays = new Set<string>();

  add({ group, domain: from, relay: by }: MailWay, counts: readonly (number | undefined)[]): void {
    const domain = nameIn(this.#domains, from);
    const relay = nameIn(this.#relays, by);
    const key = `${group}|${domain}|${relay}`;
    let cell = this.cells.get(key);
    if (cell === undefined) {
      cell = { way: { group, domain, relay }, counts: mailFacts.map(() => 0) };
      this.cells.set(key, cell);
    }
    const sums = cell.counts;
    for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] as number) + (counts[i] ?? 0);
  }

  addReason(more: CountedReason): void {
    const key = `${more.group}|${more.fact}|${more.reason}`;
    const known = this.reasons.get(key);
    if (known === undefined && this.reasons.size >= reasonsMax) return;
    const count = more.count + (known?.count ?? 0);
    const newest = known === undefined || more.lastMs >= known.lastMs ? more : known;
    const { detail } = newest.detail === undefined && known !== undefined ? known : newest;
    const told = detail === undefined ? {} : { detail: detail.slice(0, detailCharsMax) };
    const { group, fact, reason, lastMs } = newest;
    this.reasons.set(key, { group, fact, reason, ...told, count, lastMs });
  }
}

/** The name, if it is known or there is room for it. */
function nameIn(names: Set<string>, name: string): string {
  if (names.has(name)) return name;
  if (names.size >= namesMax) return restName;
  names.add(name);
  return name;
}

export type MailDaysSnapshot = {
  readonly days: readonly {
    readonly day: number;
    readonly cells: readonly Cell[];
    readonly reasons: readonly CountedReason[];
  }[];
  readonly hosted: readonly (readonly [hash: number, group: MailboxGroup])[];
  readonly senders: readonly (readonly [Stream, Sender])[];
};

/** An app's. */
export class MailDays {
  #days = new Map<number, MailDay>();
  readonly #hosted = new Map<number, MailboxGroup>();
  readonly #senders = new Map<Stream, Sender>();

  fold({ atMs, day: number, ways, reasons = [], hosted = [], senders = [] }: MailboxesEntry): void {
    const day = this.#dayOf(number);
    for (const [group, domain, relay, counts] of ways)
      day.add(
        { group, domain, relay },
        mailFacts.map((fact) => counts[fact]),
      );
    for (const reason of reasons) day.addReason({ ...reason, lastMs: atMs });
    for (const [hash, group] of hosted) this.#host(hash, group);
    for (const [stream, sender] of senders) this.#senders.set(stream, sender);
  }

  /** Whose the newest mail of a stream is; `undefined` before the first. */
  senderOf(stream: Stream): Sender | undefined {
    return this.#senders.get(stream);
  }

  /** By the hash of a domain; `undefined` if its exchangers are not known. */
  groupOfHosted(hash: number): MailboxGroup | undefined {
    return this.#hosted.get(hash);
  }

  cellsOf(day: number): Iterable<{ readonly way: MailWay; readonly counts: readonly number[] }> {
    return this.#days.get(day)?.cells.values() ?? [];
  }

  reasonsOf(day: number): Iterable<CountedReason> {
    return this.#days.get(day)?.reasons.values() ?? [];
  }

  /** Days that a wrong clock had named become those of the right one. */
  rebase(to: Rebase): void {
    const before = this.#days;
    this.#days = new Map();
    for (const [number, from] of before) {
      const day = this.#dayOf(Math.floor(to.stamp(number * dayMs) / dayMs));
      for (const { way, counts } of from.cells.values()) day.add(way, counts);
      for (const reason of from.reasons.values())
        day.addReason({ ...reason, lastMs: to.stamp(reason.lastMs) });
    }
  }

  snapshot(): MailDaysSnapshot {
    const days = [...this.#days].map(([day, { cells, reasons }]) => ({
      day,
      cells: [...cells.values()].map(({ way, counts }) => ({ way, counts: [...counts] })),
      reasons: [...reasons.values()],
    }));
    return { days, hosted: [...this.#hosted], senders: [...this.#senders] };
  }

  static restore({ days, hosted, senders }: MailDaysSnapshot): MailDays {
    const kept = new MailDays();
    for (const [stream, sender] of senders) kept.#senders.set(stream, sender);
    for (const { day: number, cells, reasons } of days) {
      const day = kept.#dayOf(number);
      for (const { way, counts } of cells) day.add(way, counts);
      for (const reason of reasons) day.addReason(reason);
    }
    for (const [hash, group] of hosted) kept.#hosted.set(hash, group);
    return kept;
  }

  /** Makes room by dropping the oldest. */
  #dayOf(number: number): MailDay {
    const known = this.#days.get(number);
    if (known !== undefined) return known;
    const day = new MailDay();
    this.#days.set(number, day);
    // Time zones differ by up to a day.
    if (this.#days.size > mailDaysMax + 1) this.#days.delete(Math.min(...this.#days.keys()));
    return day;
  }

  /** The domain that was learned first makes room. */
  #host(hash: number, group: MailboxGroup): void {
    this.#hosted.delete(hash);
    this.#hosted.set(hash, group);
    if (this.#hosted.size <= hostedMax) return;
    for (const oldest of this.#hosted.keys()) {
      this.#hosted.delete(oldest);
      return;
    }
  }
}

export function emptyCounts(length: number): Record<MailFact, number[]> {
  const zeros = () => new Array<number>(length).fill(0);
  return Object.fromEntries(mailFacts.map((fact) => [fact, zeros()])) as Record<MailFact, number[]>;
}
