// The schema of an integer from `min` to `max`, both included. `z.int().min().max()` also checks
// the bounds of a safe integer and reports both issues; here the given bounds come first and end
// the check.

import { z } from 'zod';

export function integerRange(min: number, max: number): z.ZodNumber {
  return z.number().min(min, { abort: true }).max(max, { abort: true }).int();
}
