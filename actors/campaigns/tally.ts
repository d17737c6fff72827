// What became of each person of an occurrence, as one byte, and the counters over all of them: kept as receipts come, never
// counted again. A person counts once, by the best that any of their devices got: delivered, else bounced, else failed, else
// suppressed; so a number here never goes above the audience. Sends to devices are counted beside it, by channel.

import type { PersonOrdinal } from '../../engine/base/brand.ts';
import { PagedBytes, type PagedBytesSnapshot } from '../../engine/base/paged-bytes.ts';
import { channelIds } from '../channels/catalog.ts';
import type { ChannelFunnel, Funnel } from './protocol.ts';

type Counts<Shape> = { -readonly [Name in keyof Shape]: number };

/** What can be said of a person; each is said once. */
export const marks = {
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

export interface TallySnapshot {
  readonly flags: PagedBytesSnapshot;
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
  readonly people: Counts<Funnel> = noFunnel();
  readonly variants = new Map<string, Counts<Funnel>>();
  /** In the catalogue's order. */
  readonly channels: Counts<ChannelFunnel>[] = channelIds.map(noChannelFunnel);
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
    if (after === before) return false;
    this.#move(person, before, after, variant);
    return true;
  }

  /** Takes something back: whom nothing was sent in the end was not sent to. */
  unmark(person: PersonOrdinal, mark: Mark, variant: string | undefined): void {
    const before = this.#flags.get(person);
    this.#move(person, before, before & ~marks[mark], variant);
  }

  /** All that was said of one person is said of another; the two count once from now on. */
  merge(from: PersonOrdinal, into: PersonOrdinal, variantOf: VariantOf): void {
    const theirs = this.#flags.get(from);
    if (theirs === 0) return;
    const own = this.#flags.get(into);
    this.#move(from, theirs, 0, variantOf(from));
    this.#move(into, own, own | theirs, variantOf(into));
  }

  countSuppressed(reason: string): void {
    this.suppressedBy.set(reason, (this.suppressedBy.get(reason) ?? 0) + 1);
  }

  countDeferred(reason: string, people: number): void {
    this.deferredBy.set(reason, (this.deferredBy.get(reason) ?? 0) + people);
  }

  /** Nobody is told from anybody any more: only the counters stay. */
  forgetPeople(): void {
    this.#flags = new PagedBytes();
  }

  snapshot(): TallySnapshot {
    return {
      flags: this.#flags.snapshot(),
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
    Object.assign(tally.people, from.people);
    for (const [id, counts] of from.variants) tally.variants.set(id, { ...counts });
    from.channels.forEach((counts, index) => {
      tally.channels[index] = { ...counts };
    });
    for (const [reason, count] of from.suppressedBy) tally.suppressedBy.set(reason, count);
    for (const [reason, count] of from.deferredBy) tally.deferredBy.set(reason, count);
    return tally;
  }

  #move(person: PersonOrdinal, before: number, after: number, variant: string | undefined): void {
    this.#flags.set(person, after);
    shift(this.people, before, after);
    if (variant === undefined) return;
    let counts = this.variants.get(variant);
    if (counts === undefined) {
      counts = noFunnel();
      this.variants.set(variant, counts);
    }
    shift(counts, before, after);
  }
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
  return (flags & marks.suppressed) === 0 ? undefined : 'suppressed';
}
