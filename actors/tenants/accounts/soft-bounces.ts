// When an address rests: after soft bounces in a row, with no delivery in between, over some days.

import type { SoftBounceRule } from './records.ts';

export const softBounceDefaults: SoftBounceRule = { inARow: 5, overDays: 7, restDays: 14 };

/** `null`: no address rests. */
export function softBouncesOf({
  softBounces,
}: {
  readonly softBounces?: SoftBounceRule | null;
}): SoftBounceRule | null {
  return softBounces === undefined ? softBounceDefaults : softBounces;
}
