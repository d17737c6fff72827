// The schema of an integer between two bounds. `z.int().min().max()` has bounds of its own, those
// of a safe integer, and of a number beyond both it names both: "at most 9007199254740991", and
// then another. Here the bounds that are meant come first, and end the check.

import { z } from 'zod';

/**
 * An integer from `min` to `max`, both included. A value outside has one issue, about the bound it
 * breaks.
 */
export function integerRange(min: number, max: number): z.ZodNumber {
  return z.number().min(min, { abort: true }).max(max, { abort: true }).int();
}
