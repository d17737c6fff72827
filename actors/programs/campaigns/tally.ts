// The state of each person in an occurrence, one byte each, and running counters over all. A person
// counts once, by the best result of any device: delivered, else bounced, else failed; people sent
// nothing count as suppressed, under their first reason. So no count exceeds the audience, and the
// reasons sum to the suppressed. Devices are counted apart, by channel.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { PagedBytes, type PagedBytesSnapshot } from '../../../engine/base/paged-bytes.ts';
import { channelIds } from '../../channels/channel-ids.ts';

/** Counts of people, each once per occurrence. */
export interface Funnel {
  readonly sent: number;
  readonly delivered: number;
  readonly opened: number;
  readonly clicked: number;
  readonly bounced: number;
  readonly suppressed: number;
  readonly failed: number;
  readonly converted: number;
}

/** Counts of devices. */
export type ChannelFunnel = Omit<Funnel, 'opened' | 'clicked' | 'converted'>;

type Counts<Shape> = { -readonly [Name in keyof Shape]: number };

/** Bits of a person's byte. */
const marks = {
  sent: 1,
  delivered: 2,
  bounced: 4,
  failed: 8,
  suppressed: 16,
  opened: 32,
  clicked: 64,
  converted: 128,
} as const satisfies Record<keyof Funnel, number>;
export type Mark = keyof typeof marks;

/** Counted independently; of the other marks only the best counts. */
const plainMarks = ['sent', 'opened', 'clicked', 'converted'] as const;
const engaged = marks.opened | marks.clicked;
const outcomes = marks.delivered | marks.bounced | marks.failed;
/** Codes of reasons are bytes. */
const reasonsMax = 255;
const deferralsMax = 8;

/** The counters, without what is known of each person. */
export interface TallyCounts {
  readonly people: Funnel;
  readonly variants: readonly (readonly [string, Funnel])[];
  readonly channels: readonly ChannelFunnel[];
  readonly suppressedBy: readonly (readonly [string, number])[];
  readonly deferredBy: readonly (readonly [string, number])[];
}

export interface TallySnapshot extends TallyCounts {
  readonly flags: PagedBytesSnapshot;
  readonly why: PagedBytesSnapshot;
  readonly deferred: PagedBytesSnapshot;
  readonly further: PagedBytesSnapshot;
}

export const personOutcomes = ['pending', 'delivered', 'bounced', 'failed', 'suppressed'] as const;

export interface PersonOutcome {
  readonly outcome: (typeof personOutcomes)[number];
  /** Of a suppression. */
  readonly reason?: string;
  readonly opened: boolean;
  readonly clicked: boolean;
  readonly converted: boolean;
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
  readonly people: Counts<Funnel> = noFunnel();
  readonly variants = new Map<string, Counts<Funnel>>();
  /** By catalogue index. */
  readonly channels: Counts<ChannelFunnel>[] = channelIds.map(noChannelFunnel);
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
    const flags = this.#flags.get(person);
    const outcome = statusOf(flags) ?? 'pending';
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
    };
  }

  /** Whether a provider answered for a person. */
  hasOutcome(person: PersonOrdinal): boolean {
    return (this.#flags.get(person) & outcomes) !== 0;
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
    if (this.#flags.get(person) === 0) return;
    for (const bytes of [this.#flags, this.#why, this.#further]) bytes.set(person, 0);
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
    const flags = this.#flags.get(person);
    if (flags === 0 || from === undefined || into === undefined || from === into) return;
    shift(this.#countsOf(from), flags, 0);
    shift(this.#countsOf(into), 0, flags);
  }

  snapshot(): TallySnapshot {
    return {
      flags: this.#flags.snapshot(),
      why: this.#why.snapshot(),
      deferred: this.#deferred.snapshot(),
      further: this.#further.snapshot(),
      ...this.counts(),
    };
  }

  counts(): TallyCounts {
    return {
      people: { ...this.people },
      variants: [...this.variants].map(([id, counts]) => [id, { ...counts }] as const),
      channels: this.channels.map((counts) => ({ ...counts })),
      suppressedBy: [...this.suppressedBy],
      deferredBy: [...this.deferredBy],
    };
  }

  static restore(from: TallySnapshot): Tally {
    const tally = new Tally();
    tally.#flags = PagedBytes.restore(from.flags);
    tally.#why = PagedBytes.restore(from.why);
    tally.#deferred = PagedBytes.restore(from.deferred);
    tally.#further = PagedBytes.restore(from.further);
    Object.assign(tally.people, from.people);
    for (const [id, counts] of from.variants) tally.variants.set(id, { ...counts });
    from.channels.forEach((counts, index) => {
      tally.channels[index] = { ...counts };
    });
    for (const [reason, count] of from.suppressedBy) tally.suppressedBy.set(reason, count);
    for (const [reason, count] of from.deferredBy) tally.deferredBy.set(reason, count);
    return tally;
  }

  /** Nobody has enough devices to overflow a byte. */
  #addFurther(person: PersonOrdinal, more: number): void {
    if (more !== 0) this.#further.set(person, this.#further.get(person) + more);
  }

  #move(person: PersonOrdinal, before: number, after: number, variant: string | undefined): void {
    this.#flags.set(person, after);
    shift(this.people, before, after);
    const more = suppressedIn(after) - suppressedIn(before);
    const reason =
      more === 0 ? undefined : [...this.suppressedBy.keys()][this.#why.get(person) - 1];
    if (reason !== undefined)
      this.suppressedBy.set(reason, (this.suppressedBy.get(reason) ?? 0) + more);
    if (variant !== undefined) shift(this.#countsOf(variant), before, after);
  }

  #countsOf(variant: string): Counts<Funnel> {
    let counts = this.variants.get(variant);
    if (counts === undefined) {
      counts = noFunnel();
      this.variants.set(variant, counts);
    }
    return counts;
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

export function noFunnel(): Counts<Funnel> {
  return {
    sent: 0,
    delivered: 0,
    opened: 0,
    clicked: 0,
    bounced: 0,
    suppressed: 0,
    failed: 0,
    converted: 0,
  };
}

export function noChannelFunnel(): Counts<ChannelFunnel> {
  return { sent: 0, delivered: 0, bounced: 0, suppressed: 0, failed: 0 };
}

export function addCounts<Name extends string>(
  into: Record<Name, number>,
  more: Readonly<Record<Name, number>>,
): void {
  for (const name of Object.keys(more) as Name[]) into[name] += more[name];
}

function shift(counts: Counts<Funnel>, before: number, after: number): void {
  for (const mark of plainMarks) {
    const bit = marks[mark];
    if (((before ^ after) & bit) !== 0) counts[mark] += (after & bit) !== 0 ? 1 : -1;
  }
  const was = statusOf(before);
  const is = statusOf(after);
  if (was === is) return;
  if (was !== undefined) counts[was]--;
  if (is !== undefined) counts[is]++;
}

/** The one status that counts for a person. */
function statusOf(flags: number): 'delivered' | 'bounced' | 'failed' | 'suppressed' | undefined {
  if ((flags & marks.delivered) !== 0) return 'delivered';
  if ((flags & marks.bounced) !== 0) return 'bounced';
  if ((flags & marks.failed) !== 0) return 'failed';
  if ((flags & marks.sent) !== 0) return undefined; // in flight
  return (flags & marks.suppressed) === 0 ? undefined : 'suppressed';
}

function suppressedIn(flags: number): number {
  return statusOf(flags) === 'suppressed' ? 1 : 0;
}
