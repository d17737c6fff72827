// A difference between the treated and the control group as a sentence.

import { words } from './words.ts';

const pointFormat = new Intl.NumberFormat('en', {
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** A share as percentage points: 0.031 is "+3.1". */
export function points(share: number): string {
  return pointFormat.format(share * 100);
}

export function liftSentence({
  difference,
  low,
  high,
}: {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
}): string {
  if (low <= 0 && high >= 0) return words.lift.none(points(low), points(high));
  const text = points(Math.abs(difference)).replace('+', '');
  return difference > 0 ? words.lift.more(text) : words.lift.less(text);
}
