// What reads of a campaign or journey tell its author to look at: misspelled fields, and advice.

import { z } from 'zod';
import type { FieldWarning } from '../../actors/programs/field-warnings.ts';

export const warningsSchema = {
  warnings: z
    .array(
      z.object({
        field: z.string(),
        warning: z.string(),
        advisory: z.literal(true).optional().describe('It can be sent as it is.'),
      }),
    )
    .optional()
    .describe(
      'Misspelled fields that change what is sent. Until they are corrected, nothing is sent without `confirmWarnings: true`, except what is `advisory`: a misspelled goal, fallback or `ifLate`, and a fallback that a frequency cap never lets through. Absent if there are none.',
    ),
};

type Told = Pick<FieldWarning, 'field' | 'warning'>;

export function warningsView({
  doubts = [],
  advice = [],
}: {
  readonly doubts?: readonly FieldWarning[];
  readonly advice?: readonly Told[];
}) {
  const warnings = [
    ...doubts.map(({ field, warning, isAdvice }) =>
      isAdvice === true ? { field, warning, advisory: true as const } : { field, warning },
    ),
    ...advice.map(({ field, warning }) => ({ field, warning, advisory: true as const })),
  ];
  return warnings.length === 0 ? {} : { warnings };
}
