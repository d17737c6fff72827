// An integer from `min` to `max`, both included. Unlike with `z.int().min().max()`, a value outside
// has one issue: the bound it breaks, not also that of safe integers.

import { z } from 'zod';

export function integerRange(min: number, max: number): z.ZodNumber {
  return z.number().min(min, { abort: true }).max(max, { abort: true }).int();
}
