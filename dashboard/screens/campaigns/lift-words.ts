// A difference between the treated and the control group as a sentence.

import { points } from '../../ui/points.ts';
import { words } from './words.ts';

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
