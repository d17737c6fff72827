// What became of each person of an occurrence, as one byte, and the counters over all of them: kept
// as receipts come, never counted again. A person counts once, by the best that any of their
// devices got: delivered, else bounced, else failed; and whoever was sent nothing counts as
// suppressed, under the first reason there was. So a number here never goes above the audience, and
// the reasons add up to the suppressed. Sends to devices are counted beside it, by channel.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { PagedBytes, type PagedBytesSnapshot } from '../../../engine/base/paged-bytes.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import type { ChannelFunnel, Funnel } from './protocol.ts';

type Counts<Shape> = { -readonly [Name in keyof Shape]: number };

/** What can be said of a person; each is said once. */
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

/** Marks that are counted by themselves; of the others only the best is. */
const plainMarks = ['sent', 'opened', 'clicked', 'converted'] as const;
const engaged = marks.opened | marks.clicked;
const outcomes = marks.delivered | marks.bounced | marks.failed;
/** As many as a byte of a person tells apart. */
const reasonsMax = 255;
const deferralsMax = 8;

export interface TallySnapshot {
  readonly flags: PagedBytesSnapshot;
  readonly why: PagedBytesSnapshot;
  readonly deferred: PagedBytesSnapshot;
  readonly further: PagedBytesSnapshot;
  readonly people: Funnel;
  readonly variants: readonly (readonly [string, Funnel])[];
  readonly channels: readonly ChannelFunnel[];
  readonly suppressedBy: readonly (readonly [string, number])[];
  readonly deferredBy: readonly (readonly [string, number])[];
}

/** Which variant somebody gets; `undefined` where there are none. */
export type VariantOf = (person: PersonOrdinal) => string | undefined;

/** See the head of this file. */
export class Tally {
  #flags = new PagedBytes();
  /**
   * The first reason for which each was sent nothing on some channel: its place in `suppressedBy`,
   * from 1.
   */
  #why = new PagedBytes();
  /** For which reasons each was put off: bits by place in `deferredBy`. */
  #deferred = new PagedBytes();
  /** Devices of each that were reached, beside the first. */
  #further = new PagedBytes();
  readonly people: Counts<Funnel> = noFunnel();
  readonly variants = new Map<string, Counts<Funnel>>();
  /** In the catalogue's order. */
  readonly channels: Counts<ChannelFunnel>[] = channelIds.map(noChannelFunnel);
  /** People; reasons keep their places, also those that nobody has any more. */
  readonly suppressedBy = new Map<string, number>();
  readonly deferredBy = new Map<string, number>();

  has(person: PersonOrdinal, mark: Mark): boolean {
    return (this.#flags.get(person) & marks[mark]) !== 0;
  }

  /** Whether a provider was ever heard about somebody. */
  hasOutcome(person: PersonOrdinal): boolean {
    return (this.#flags.get(person) & outcomes) !== 0;
  }

  /** Whether somebody opened or clicked. */
  isEngaged(person: PersonOrdinal): boolean {
    return (this.#flags.get(person) & engaged) !== 0;
  }

  /** Says something of a person; false when it was said before. */
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

  /** A delivery came to nothing; others of the same person still count. */
  takeBack(person: PersonOrdinal, variant: string | undefined): void {
    if (this.#further.get(person) > 0) this.#addFurther(person, -1);
    else this.unmark(person, 'delivered', variant);
    this.mark(person, 'bounced', variant);
  }

  /** Takes something back: whom nothing was sent in the end was not sent to. */
  unmark(person: PersonOrdinal, mark: Mark, variant: string | undefined): void {
    const before = this.#flags.get(person);
    this.#move(person, before, before & ~marks[mark], variant);
  }

  /** Somebody was sent nothing on a channel; it counts while they are sent nothing on any. */
  suppress(person: PersonOrdinal, reason: string, variant: string | undefined): void {
    if (this.#why.get(person) === 0)
      this.#why.set(person, placeOf(this.suppressedBy, reason, reasonsMax) + 1);
    this.mark(person, 'suppressed', variant);
  }

  /** Somebody was put off; once for each reason, however often and on however many channels. */
  defer(person: PersonOrdinal, reason: string): void {
    const place = placeOf(this.deferredBy, reason, deferralsMax);
    const before = this.#deferred.get(person);
    if ((before & (1 << place)) !== 0) return;
    this.#deferred.set(person, before | (1 << place));
    const [name, count] = [...this.deferredBy][place] as [string, number];
    this.deferredBy.set(name, count + 1);
  }

  /** All that was said of one person is said of another; the two count once from now on. */
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

  /** All that was said of a person counts for another variant. */
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

  /** Nobody has as many devices as a byte can count. */
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

/**
 * The place of a reason among those that were named, where it is put if it is new; of too many the
 * last stands for the rest.
 */
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

/** Every counter of a funnel at 0. */
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

/** Adds the counters of one to another. */
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

/** What counts of somebody. */
function statusOf(flags: number): 'delivered' | 'bounced' | 'failed' | 'suppressed' | undefined {
  if ((flags & marks.delivered) !== 0) return 'delivered';
  if ((flags & marks.bounced) !== 0) return 'bounced';
  if ((flags & marks.failed) !== 0) return 'failed';
  if ((flags & marks.sent) !== 0) return undefined; // under way
  return (flags & marks.suppressed) === 0 ? undefined : 'suppressed';
}

function suppressedIn(flags: number): number {
  return statusOf(flags) === 'suppressed' ? 1 : 0;
}
