// The people of an occurrence on one channel: waiting, held until an instant, or sent. Each set is
// a bitset, so a million people take 125 KB. A person waits in at most one set; those already sent
// are kept so that a merge does not send twice.

import type { Rebase } from '../../../engine/actor/machine.ts';
import { Bitset } from '../../../engine/base/bitset.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Phase } from '../../sending/dispatch/entries.ts';

/** The lane of people that the campaign reaches on no channel. */
export const noChannel = -1;

/** People held until the same instant for the same reason. */
interface Parked {
  readonly untilMs: Millis;
  readonly reason: string;
  readonly people: Bitset;
  count: number;
}

export interface LaneSnapshot {
  readonly phase: Phase;
  readonly channel: number;
  readonly waiting: Uint8Array;
  readonly sent: Uint8Array;
  readonly parked: readonly {
    readonly untilMs: Millis;
    readonly reason: string;
    readonly people: Uint8Array;
  }[];
}

export class CampaignLane {
  readonly phase: Phase;
  /** Index in the catalog, or `noChannel`. */
  readonly channel: number;
  readonly #waiting: Bitset;
  readonly #sent: Bitset;
  /** Nobody below it waits. */
  #cursor = 0;
  /** How many wait for their turn. */
  left: number;
  #parked: Parked[] = [];

  /** The lane takes over `people`. */
  constructor(phase: Phase, channel: number, people: Bitset, sent = new Bitset(0)) {
    this.phase = phase;
    this.channel = channel;
    this.#waiting = people;
    this.#sent = sent;
    this.left = people.count();
  }

  get parkedCount(): number {
    return this.#parked.reduce((sum, { count }) => sum + count, 0);
  }

  get nextReleaseMs(): Millis | undefined {
    let next: Millis | undefined;
    for (const { untilMs } of this.#parked)
      if (next === undefined || untilMs < next) next = untilMs;
    return next;
  }

  parked(): readonly Readonly<Omit<Parked, 'people'>>[] {
    return this.#parked;
  }

  /** The next waiting person, at or after `from`, of `among` if given; -1 at the end. */
  next(from: PersonOrdinal, among?: Bitset): PersonOrdinal {
    const first = Math.max(from, this.#cursor);
    return among === undefined
      ? this.#waiting.nextFrom(first)
      : this.#waiting.nextShared(first, among);
  }

  take(person: PersonOrdinal): void {
    if (!this.#waiting.test(person)) return;
    // Someone who leaves out of turn does not move the cursor.
    if (this.#waiting.nextFrom(this.#cursor) === person) this.#cursor = person + 1;
    this.#waiting.clear(person);
    this.left--;
  }

  send(person: PersonOrdinal): void {
    this.take(person);
    this.#sent.set(person);
  }

  park(person: PersonOrdinal, untilMs: Millis, reason: string): void {
    this.take(person);
    let group = this.#parked.find((one) => one.untilMs === untilMs && one.reason === reason);
    if (group === undefined) {
      group = { untilMs, reason, people: new Bitset(0), count: 0 };
      this.#parked.push(group);
    }
    if (group.people.test(person)) return;
    group.people.set(person);
    group.count++;
  }

  rebase(to: Rebase): void {
    this.#parked = this.#parked.map((one) => ({ ...one, untilMs: to.due(one.untilMs) }));
  }

  /** Moves people held until `nowMs` or earlier back to waiting. */
  release(nowMs: Millis): void {
    for (let i = this.#parked.length - 1; i >= 0; i--) {
      const { untilMs, people, count } = this.#parked[i] as Parked;
      if (untilMs > nowMs) continue;
      this.#waiting.or(people);
      this.left += count;
      this.#cursor = 0;
      this.#parked.splice(i, 1);
    }
  }

  /** Whether a person waits or is held here. */
  has(person: PersonOrdinal): boolean {
    return this.#waiting.test(person) || this.#parked.some(({ people }) => people.test(person));
  }

  /** Whether a person waits, or why and until when they are held; `undefined` if neither. */
  statusOf(person: PersonOrdinal): 'waiting' | Pick<Parked, 'untilMs' | 'reason'> | undefined {
    if (this.#waiting.test(person)) return 'waiting';
    return this.#parked.find(({ people }) => people.test(person));
  }

  drop(person: PersonOrdinal): void {
    this.take(person);
    for (let i = this.#parked.length - 1; i >= 0; i--) {
      const group = this.#parked[i] as Parked;
      if (!group.people.test(person)) continue;
      group.people.clear(person);
      group.count--;
      if (group.count === 0) this.#parked.splice(i, 1);
    }
  }

  /** Gives `from`'s place to `into`, who waits no longer if either was already sent to. */
  merge(from: PersonOrdinal, into: PersonOrdinal): void {
    if (this.#sent.test(from)) {
      this.#sent.clear(from);
      this.#sent.set(into);
    }
    if (this.#sent.test(into)) this.drop(into);
    if (this.#sent.test(into) || this.has(into)) {
      this.drop(from);
      return;
    }
    if (this.#waiting.test(from)) {
      this.take(from);
      this.#add(into);
    }
    for (const { people } of this.#parked) {
      if (!people.test(from)) continue;
      people.clear(from);
      people.set(into);
    }
  }

  snapshot(): LaneSnapshot {
    return {
      phase: this.phase,
      channel: this.channel,
      waiting: this.#waiting.snapshot(),
      sent: this.#sent.snapshot(),
      parked: this.#parked.map(({ untilMs, reason, people }) => ({
        untilMs,
        reason,
        people: people.snapshot(),
      })),
    };
  }

  static restore({ phase, channel, waiting, sent, parked }: LaneSnapshot): CampaignLane {
    const lane = new CampaignLane(phase, channel, Bitset.restore(waiting), Bitset.restore(sent));
    for (const { untilMs, reason, people } of parked) {
      const set = Bitset.restore(people);
      lane.#parked.push({ untilMs, reason, people: set, count: set.count() });
    }
    return lane;
  }

  #add(person: PersonOrdinal): void {
    if (this.#waiting.test(person)) return;
    this.#waiting.set(person);
    this.left++;
    this.#cursor = 0;
  }
}
