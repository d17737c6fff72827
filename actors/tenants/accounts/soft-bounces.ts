// When an address rests: after soft bounces in a row, with no delivery in between, over some days.

export interface SoftBounceRule {
  /** How many in a row. */
  readonly inARow: number;
  /** From the first to the last of them, at least. */
  readonly overDays: number;
  /** For how long nothing but transactional mail is sent then. */
  readonly restDays: number;
}

export const softBounceDefaults: SoftBounceRule = { inARow: 5, overDays: 7, restDays: 14 };

/** `null`: no address rests. */
export function softBouncesOf({
  softBounces,
}: {
  readonly softBounces?: SoftBounceRule | null;
}): SoftBounceRule | null {
  return softBounces === undefined ? softBounceDefaults : softBounces;
}
