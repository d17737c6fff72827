// Misspelled fields in the reads of a campaign or journey.

import { z } from 'zod';
import type { Doubt } from '../../actors/programs/doubts.ts';

export const doubtsSchema = {
  warnings: z
    .array(z.object({ field: z.string(), warning: z.string() }))
    .optional()
    .describe(
      'Misspelled fields that would have narrowed it. Until they are corrected, nothing is sent without `confirmWarnings: true`. Absent if there are none.',
    ),
};

export function doubtsView({ doubts }: { readonly doubts?: readonly Doubt[] }) {
  if (doubts === undefined) return {};
  return { warnings: doubts.map(({ field, warning }) => ({ field, warning })) };
}
