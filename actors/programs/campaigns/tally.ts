// The state of each person in an occurrence, one byte each, and running counters over all. A person
// counts once, by the best result of any device: delivered, else bounced, else failed; people sent
// nothing count as suppressed, under their first reason. So no count exceeds the audience, and the
// reasons sum to the suppressed. Devices are counted apart, by channel. Where a relay reports, a
// person without a result whose mail it has accepted counts as `accepted`.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { PagedBytes, type PagedBytesSnapshot } from '../../../engine/base/paged-bytes.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import {
  addAccepted,
  bestOutcome,
  type ChannelFunnel,
  countedMarks,
  type Funnel,
  type Leaving,
  leavings,
  type Mark,
  marks,
  noChannelFunnel,
  noFunnel,
  type StoredFunnel,
  shift,
  storedFunnel,
  type Tallied,
} from './funnel.ts';

const engaged = marks.opened | marks.clicked;
const outcomes = marks.delivered | marks.bounced | marks.failed;
/** Codes of reasons are bytes. */
const reasonsMax = 255;
const deferralsMax = 8;

/** The counters, without what is known of each person. */
export interface TallyCounts {
  readonly people: StoredFunnel;
  readonly variants: readonly (readonly [string, StoredFunnel])[];
  readonly channels: readonly ChannelFunnel[];
  readonly suppressedBy: readonly (readonly [string, number])[];
  readonly deferredBy: readonly (readonly [string, number])[];
}

export interface TallySnapshot extends TallyCounts {
  readonly flags: PagedBytesSnapshot;
  readonly why: PagedBytesSnapshot;
  readonly deferred: PagedBytesSnapshot;
  readonly further: PagedBytesSnapshot;
  /** Bits of `leavings`; absent while nobody left. */
  readonly left?: PagedBytesSnapshot;
  /** Devices whose relay has yet to report; absent for none. */
  readonly awaited?: PagedBytesSnapshot;
  /** People who count for more than they are marked with; absent for none, and in older data. */
  readonly implied?: number;
}

export const personOutcomes = ['pending', 'delivered', 'bounced', 'failed', 'suppressed'] as const;

export interface PersonOutcome {
  readonly outcome: (typeof personOutcomes)[number];
  /** Of a suppression. */
  readonly reason?: string;
  readonly opened: boolean;
  readonly clicked: boolean;
  readonly converted: boolean;
  readonly unsubscribed: boolean;
  readonly complained: boolean;
}

/** `undefined` without variants. */
export type VariantOf = (person: PersonOrdinal) => string | undefined;

export class Tally {
  #flags = new PagedBytes();
  /** First reason of a suppression on any channel: its index in `suppressedBy`, plus 1. */
  #why = new PagedBytes();
  /** Reasons of holds: bits by index in `deferredBy`. */
  #deferred = new PagedBytes();
  /** Devices reached, beyond the first. */
  #further = new PagedBytes();
  /** Bits of `leavings`. */
  #left = new PagedBytes();
  /** Devices whose mail a relay accepted that has not reported yet. */
  #awaited = new PagedBytes();
  /** False for most: then no mark looks at `#awaited`. */
  #mayAwait = false;
  /** People whose counted marks are more than their own. */
  #implied = 0;
  readonly people: Tallied<Funnel> = noFunnel();
  readonly variants = new Map<string, Tallied<Funnel>>();
  /** By catalog index. */
  readonly channels: Tallied<ChannelFunnel>[] = channelIds.map(noChannelFunnel);
  /** Reasons keep their index even at 0. */
  readonly suppressedBy = new Map<string, number>();
  readonly deferredBy = new Map<string, number>();

  has(person: PersonOrdinal, mark: Mark): boolean {
    return (this.#flags.get(person) & marks[mark]) !== 0;
  }

  /** The next person that anything is known of, at or after `from`; -1 at the end. */
  next(from: PersonOrdinal): PersonOrdinal {
    return this.#flags.nextFrom(from);
  }

  /** What became of a person; `pending` while their send has no result. */
  outcomeOf(person: PersonOrdinal): PersonOutcome {
    const flags = countedMarks(this.#flags.get(person));
    const left = this.#left.get(person);
    const outcome = bestOutcome(flags) ?? 'pending';
    const reason =
      outcome === 'suppressed'
        ? [...this.suppressedBy.keys()][this.#why.get(person) - 1]
        : undefined;
    return {
      outcome,
      ...(reason === undefined ? {} : { reason }),
      opened: (flags & marks.opened) !== 0,
      clicked: (flags & marks.clicked) !== 0,
      converted: (flags & marks.converted) !== 0,
      unsubscribed: (left & leavings.unsubscribed) !== 0,
      complained: (left & leavings.complained) !== 0,
    };
  }

  /** Whether a relay has yet to report on some device of a person. */
  awaits(person: PersonOrdinal): boolean {
    return this.#mayAwait && this.#awaited.get(person) > 0;
  }

  /** Whether a provider answered for a person. */
  hasOutcome(person: PersonOrdinal): boolean {
    return (this.#flags.get(person) & outcomes) !== 0 || this.awaits(person);
  }

  isEngaged(person: PersonOrdinal): boolean {
    return (this.#flags.get(person) & engaged) !== 0;
  }

  /** Returns false if the mark was set before. */
  mark(person: PersonOrdinal, mark: Mark, variant: string | undefined): boolean {
    const before = this.#flags.get(person);
    const after = before | marks[mark];
    if (after === before) {
      if (mark === 'delivered') this.#addFurther(person, 1);
      return false;
    }
    this.#move(person, before, after, variant);
    return true;
  }

  /** Counts a person once for each way of leaving. */
  leave(person: PersonOrdinal, way: Leaving, variant: string | undefined): void {
    const before = this.#left.get(person);
    this.#moveLeft(person, before, before | leavings[way], variant);
  }

  /** A relay that reports has accepted the mail for one device. */
  accept(person: PersonOrdinal, variant: string | undefined): void {
    this.#await(person, this.#awaited.get(person) + 1, variant);
  }

  /** What a relay reports on one of the devices that it was to report on. */
  reported(
    person: PersonOrdinal,
    result: 'delivered' | 'bounced',
    variant: string | undefined,
  ): void {
    this.#await(person, this.#awaited.get(person) - 1, variant);
    this.mark(person, result, variant);
  }

  /** Undoes one delivery; other devices of the person still count. */
  takeBack(person: PersonOrdinal, variant: string | undefined): void {
    if (this.#further.get(person) > 0) this.#addFurther(person, -1);
    else this.unmark(person, 'delivered', variant);
    this.mark(person, 'bounced', variant);
  }

  unmark(person: PersonOrdinal, mark: Mark, variant: string | undefined): void {
    const before = this.#flags.get(person);
    this.#move(person, before, before & ~marks[mark], variant);
  }

  /** Starts a person anew; what was counted stays. */
  renew(person: PersonOrdinal): void {
    const before = this.#flags.get(person);
    if (before === 0) return;
    if (this.awaits(person)) this.#await(person, 0, undefined);
    if (countedMarks(before) !== before) this.#implied--;
    for (const bytes of [this.#flags, this.#why, this.#further, this.#left]) bytes.set(person, 0);
  }

  /** Counts as long as the person is sent nothing on any channel. */
  suppress(person: PersonOrdinal, reason: string, variant: string | undefined): void {
    if (this.#why.get(person) === 0)
      this.#why.set(person, placeOf(this.suppressedBy, reason, reasonsMax) + 1);
    this.mark(person, 'suppressed', variant);
  }

  /** Counts a person once per reason. */
  defer(person: PersonOrdinal, reason: string): void {
    const place = placeOf(this.deferredBy, reason, deferralsMax);
    const before = this.#deferred.get(person);
    if ((before & (1 << place)) !== 0) return;
    this.#deferred.set(person, before | (1 << place));
    const [name, count] = [...this.deferredBy][place] as [string, number];
    this.deferredBy.set(name, count + 1);
  }

  /** Adds one person's marks to another's; the two count once from now on. */
  merge(from: PersonOrdinal, into: PersonOrdinal, variantOf: VariantOf): void {
    this.#mergeDeferred(from, into);
    this.#mergeLeft(from, into, variantOf);
    this.#mergeAwaited(from, into, variantOf);
    const theirs = this.#flags.get(from);
    if (theirs === 0) return;
    const own = this.#flags.get(into);
    this.#addFurther(
      into,
      this.#further.get(from) + ((theirs & own & marks.delivered) === 0 ? 0 : 1),
    );
    this.#further.set(from, 0);
    this.#move(from, theirs, 0, variantOf(from));
    if (this.#why.get(into) === 0) this.#why.set(into, this.#why.get(from));
    this.#why.set(from, 0);
    this.#move(into, own, own | theirs, variantOf(into));
  }

  /** Moves a person's counts to another variant. */
  regroup(person: PersonOrdinal, from: string | undefined, into: string | undefined): void {
    const flags = countedMarks(this.#flags.get(person));
    if (flags === 0 || from === undefined || into === undefined || from === into) return;
    shift(this.#countsOf(from), flags, 0);
    shift(this.#countsOf(into), 0, flags);
    if (this.#isAccepted(person, flags)) {
      addAccepted(this.#countsOf(from), -1);
      addAccepted(this.#countsOf(into), 1);
    }
    const left = this.#left.get(person);
    shiftLeft(this.#countsOf(from), left, 0);
    shiftLeft(this.#countsOf(into), 0, left);
  }

  snapshot(): TallySnapshot {
    return {
      flags: this.#flags.snapshot(),
      why: this.#why.snapshot(),
      deferred: this.#deferred.snapshot(),
      further: this.#further.snapshot(),
      ...(this.#left.nextFrom(0) < 0 ? {} : { left: this.#left.snapshot() }),
      ...(this.#awaited.nextFrom(0) < 0 ? {} : { awaited: this.#awaited.snapshot() }),
      ...(this.#implied === 0 ? {} : { implied: this.#implied }),
      ...this.counts(),
    };
  }

  counts(): TallyCounts {
    return {
      people: storedFunnel(this.people),
      variants: [...this.variants].map(([id, counts]) => [id, storedFunnel(counts)] as const),
      channels: this.channels.map((counts) => ({ ...counts })),
      suppressedBy: [...this.suppressedBy],
      deferredBy: [...this.deferredBy],
    };
  }

  /** `variantOf`: people of checkpoints of earlier builds, whose clicks did not count as opens. */
  static restore(from: TallySnapshot, variantOf: VariantOf): Tally {
    const tally = new Tally();
    tally.#flags = PagedBytes.restore(from.flags);
    tally.#why = PagedBytes.restore(from.why);
    tally.#deferred = PagedBytes.restore(from.deferred);
    tally.#further = PagedBytes.restore(from.further);
    if (from.left !== undefined) tally.#left = PagedBytes.restore(from.left);
    if (from.awaited !== undefined) {
      tally.#awaited = PagedBytes.restore(from.awaited);
      tally.#mayAwait = true;
    }
    Object.assign(tally.people, from.people);
    for (const [id, counts] of from.variants) tally.variants.set(id, { ...noFunnel(), ...counts });
    from.channels.forEach((counts, index) => {
      tally.channels[index] = { ...counts };
    });
    for (const [reason, count] of from.suppressedBy) tally.suppressedBy.set(reason, count);
    for (const [reason, count] of from.deferredBy) tally.deferredBy.set(reason, count);
    if (from.implied === undefined) tally.#imply(variantOf);
    else tally.#implied = from.implied;
    return tally;
  }

  /** Counts what marks imply, which nothing counted so far. */
  #imply(variantOf: VariantOf): void {
    this.#flags.forEach((person, flags) => {
      const all = countedMarks(flags);
      if (all === flags) return;
      this.#implied++;
      this.#count(person, flags, all, variantOf(person));
    });
  }

  /** Nobody has enough devices to overflow a byte. */
  #addFurther(person: PersonOrdinal, more: number): void {
    if (more !== 0) this.#further.set(person, this.#further.get(person) + more);
  }

  #move(person: PersonOrdinal, before: number, after: number, variant: string | undefined): void {
    const wasAccepted = this.#isAccepted(person, before);
    this.#flags.set(person, after);
    this.#countAccepted(wasAccepted, this.#isAccepted(person, after), variant);
    const was = countedMarks(before);
    const is = countedMarks(after);
    if (was !== before) this.#implied--;
    if (is !== after) this.#implied++;
    this.#count(person, was, is, variant);
  }

  #await(person: PersonOrdinal, devices: number, variant: string | undefined): void {
    this.#mayAwait = true;
    const flags = this.#flags.get(person);
    const was = this.#isAccepted(person, flags);
    this.#awaited.set(person, devices);
    this.#countAccepted(was, this.#isAccepted(person, flags), variant);
  }

  #isAccepted(person: PersonOrdinal, flags: number): boolean {
    return this.awaits(person) && bestOutcome(countedMarks(flags) | marks.sent) === undefined;
  }

  #countAccepted(was: boolean, is: boolean, variant: string | undefined): void {
    if (was === is) return;
    addAccepted(this.people, is ? 1 : -1);
    if (variant !== undefined) addAccepted(this.#countsOf(variant), is ? 1 : -1);
  }

  /** Moves a person from some counted marks to others. */
  #count(person: PersonOrdinal, was: number, is: number, variant: string | undefined): void {
    shift(this.people, was, is);
    const more = suppressedIn(is) - suppressedIn(was);
    const reason =
      more === 0 ? undefined : [...this.suppressedBy.keys()][this.#why.get(person) - 1];
    if (reason !== undefined)
      this.suppressedBy.set(reason, (this.suppressedBy.get(reason) ?? 0) + more);
    if (variant !== undefined) shift(this.#countsOf(variant), was, is);
  }

  #moveLeft(
    person: PersonOrdinal,
    before: number,
    after: number,
    variant: string | undefined,
  ): void {
    if (before === after) return;
    this.#left.set(person, after);
    shiftLeft(this.people, before, after);
    if (variant !== undefined) shiftLeft(this.#countsOf(variant), before, after);
  }

  #countsOf(variant: string): Tallied<Funnel> {
    let counts = this.variants.get(variant);
    if (counts === undefined) {
      counts = noFunnel();
      this.variants.set(variant, counts);
    }
    return counts;
  }

  #mergeLeft(from: PersonOrdinal, into: PersonOrdinal, variantOf: VariantOf): void {
    const theirs = this.#left.get(from);
    if (theirs === 0) return;
    const own = this.#left.get(into);
    this.#moveLeft(from, theirs, 0, variantOf(from));
    this.#moveLeft(into, own, own | theirs, variantOf(into));
  }

  #mergeAwaited(from: PersonOrdinal, into: PersonOrdinal, variantOf: VariantOf): void {
    if (!this.awaits(from)) return;
    const more = this.#awaited.get(from);
    this.#await(from, 0, variantOf(from));
    this.#await(into, this.#awaited.get(into) + more, variantOf(into));
  }

  #mergeDeferred(from: PersonOrdinal, into: PersonOrdinal): void {
    const theirs = this.#deferred.get(from);
    const own = this.#deferred.get(into);
    if (theirs === 0) return;
    this.#deferred.set(from, 0);
    this.#deferred.set(into, own | theirs);
    [...this.deferredBy].forEach(([reason, count], place) => {
      if ((theirs & own & (1 << place)) !== 0) this.deferredBy.set(reason, count - 1);
    });
  }
}

/** The index of a reason, added if new; when full, the last index stands for all others. */
function placeOf(reasons: Map<string, number>, reason: string, max: number): number {
  let place = 0;
  for (const known of reasons.keys()) {
    if (known === reason) return place;
    place++;
  }
  if (place === max) return max - 1;
  reasons.set(reason, 0);
  return place;
}

function suppressedIn(flags: number): number {
  return bestOutcome(flags) === 'suppressed' ? 1 : 0;
}

function shiftLeft(counts: Tallied<Funnel>, before: number, after: number): void {
  for (const way of ['unsubscribed', 'complained'] as const) {
    const bit = leavings[way];
    if (((before ^ after) & bit) !== 0) counts[way] += (after & bit) !== 0 ? 1 : -1;
  }
}
