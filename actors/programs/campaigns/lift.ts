// How much more often treated people reached the goal than held-out ones: the difference of the two
// shares, with Newcombe's 95% interval. Source: R. G. Newcombe, Statistics in Medicine 17 (1998),
// method 10. It holds for small groups and shares of 0 and 1.

/** How many people, and how many of them reached the goal. */
export interface GroupCounts {
  readonly size: number;
  readonly converted: number;
}

export interface Lift {
  /** Treated less held out, as a share: 0.03 is three percentage points. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** `difference` over the held-out share; `null` if that is 0. */
  readonly relative: number | null;
}

/** `null` if one of the groups is empty. */
export function liftOf(treated: GroupCounts, held: GroupCounts): Lift | null {
  if (treated.size === 0 || held.size === 0) return null;
  const one = wilson(treated);
  const other = wilson(held);
  const difference = one.share - other.share;
  return {
    difference: rounded(difference),
    low: rounded(difference - Math.hypot(one.share - one.low, other.high - other.share)),
    high: rounded(difference + Math.hypot(one.high - one.share, other.share - other.low)),
    relative: other.share === 0 ? null : rounded(difference / other.share),
  };
}

/** A share with its 95% interval. */
export interface Share {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** Wilson's score interval. */
export function shareWithInterval(group: GroupCounts): Share {
  const { share, low, high } = wilson(group);
  return {
    share: rounded(share),
    low: rounded(Math.max(low, 0)),
    high: rounded(Math.min(high, 1)),
  };
}

/** `null` for an empty group. */
export function conversionRate({ size, converted }: GroupCounts): number | null {
  return size === 0 ? null : rounded(converted / size);
}

const z = 1.959963984540054;

/** The score interval of one share. */
function wilson({ size, converted }: GroupCounts) {
  const share = converted / size;
  const middle = (share + (z * z) / (2 * size)) / (1 + (z * z) / size);
  const spread =
    (z * Math.sqrt((share * (1 - share)) / size + (z * z) / (4 * size * size))) /
    (1 + (z * z) / size);
  return { share, low: middle - spread, high: middle + spread };
}

/** Six places: a millionth is beyond what any audience can tell. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0;
}
