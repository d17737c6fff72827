// The funnel of a campaign: counts of people and of devices, and what a person's marks count as. A
// click counts as an open, an open as a delivery, a delivery as a send: pictures are often blocked,
// and an open outlives a late bounce. Events stay what happened; only people are counted so.

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
  /** They opted out by this message, or reported it as spam. */
  readonly unsubscribed: number;
  readonly complained: number;
  /** Accepted by a relay that has not reported yet what became of it; absent for nobody. */
  readonly accepted?: number;
}

/** Why a person left. */
export const leavings = { unsubscribed: 1, complained: 2 } as const;
export type Leaving = keyof typeof leavings;

/** As stored: counts of people who left are absent while they are 0, as in older data. */
export type StoredFunnel = Omit<Funnel, Leaving> & Partial<Pick<Funnel, Leaving>>;

/** Counts of devices. */
export type ChannelFunnel = Omit<Funnel, 'opened' | 'clicked' | 'converted' | Leaving>;

export type Tallied<Shape> = { -readonly [Name in keyof Shape]: number };

/** Bits of a person's byte. */
export const marks = {
  sent: 1,
  delivered: 2,
  bounced: 4,
  failed: 8,
  suppressed: 16,
  opened: 32,
  clicked: 64,
  converted: 128,
} as const satisfies Record<Exclude<keyof Funnel, Leaving | 'accepted'>, number>;
export type Mark = keyof typeof marks;

/** Counted independently; of the other marks only the best counts. */
const plainMarks = ['sent', 'opened', 'clicked', 'converted'] as const;

const counted = Uint8Array.from({ length: 256 }, (_, flags) => {
  let all = flags;
  if ((all & marks.clicked) !== 0) all |= marks.opened;
  if ((all & marks.opened) !== 0) all |= marks.delivered;
  if ((all & marks.delivered) !== 0) all |= marks.sent;
  return all;
});

/** The marks that count for a person with these. */
export function countedMarks(flags: number): number {
  return counted[flags] as number;
}

export function noFunnel(): Tallied<Funnel> {
  const reached = { sent: 0, delivered: 0, opened: 0, clicked: 0, bounced: 0, suppressed: 0 };
  return { ...reached, failed: 0, converted: 0, unsubscribed: 0, complained: 0 };
}

export function noChannelFunnel(): Tallied<ChannelFunnel> {
  return { sent: 0, delivered: 0, bounced: 0, suppressed: 0, failed: 0 };
}

export function addCounts<Name extends string>(
  into: Partial<Record<Name, number>>,
  more: Readonly<Partial<Record<Name, number>>>,
): void {
  for (const name of Object.keys(more) as Name[])
    into[name] = (into[name] ?? 0) + (more[name] ?? 0);
}

/** Without counts that older builds do not know, while they are 0. */
export function storedFunnel({ unsubscribed, complained, ...rest }: Funnel): StoredFunnel {
  return {
    ...rest,
    ...(unsubscribed === 0 ? {} : { unsubscribed }),
    ...(complained === 0 ? {} : { complained }),
  };
}

/** Counts that an older build closed, whose people are gone: as a funnel that never widens. */
export function closedFunnel(stored: StoredFunnel): Funnel {
  const opened = Math.max(stored.opened, stored.clicked);
  const delivered = Math.max(stored.delivered, opened);
  const sent = Math.max(stored.sent, delivered);
  return { ...noFunnel(), ...stored, opened, delivered, sent };
}

/** Adds to those who wait for a relay's report. */
export function addAccepted(counts: { accepted?: number }, more: number): void {
  const now = (counts.accepted ?? 0) + more;
  if (now === 0) delete counts.accepted;
  else counts.accepted = now;
}

/** Moves one person from some counted marks to others. */
export function shift(counts: Tallied<Funnel>, before: number, after: number): void {
  for (const mark of plainMarks) {
    const bit = marks[mark];
    if (((before ^ after) & bit) !== 0) counts[mark] += (after & bit) !== 0 ? 1 : -1;
  }
  const was = bestOutcome(before);
  const is = bestOutcome(after);
  if (was === is) return;
  if (was !== undefined) counts[was]--;
  if (is !== undefined) counts[is]++;
}

/** The one status that counts for a person. */
export function bestOutcome(
  flags: number,
): 'delivered' | 'bounced' | 'failed' | 'suppressed' | undefined {
  if ((flags & marks.delivered) !== 0) return 'delivered';
  if ((flags & marks.bounced) !== 0) return 'bounced';
  if ((flags & marks.failed) !== 0) return 'failed';
  if ((flags & marks.sent) !== 0) return undefined; // in flight
  return (flags & marks.suppressed) === 0 ? undefined : 'suppressed';
}
