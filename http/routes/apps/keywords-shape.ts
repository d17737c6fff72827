// The wire shape of an app's own words for STOP and START. A word that the table already knows as
// something else is refused: it would never be asked.

import { z } from 'zod';
import { keywordCharsMax, keywordIn } from '../../../actors/channels/words/keywords.ts';
import { keywordForm } from '../../../actors/channels/words/plain-words.ts';
import { limits } from '../../../actors/limits.ts';
import type { OwnKeywords } from '../../../actors/tenants/accounts/records.ts';
import { isOneLine } from '../../call/schemas/schemas.ts';

const word = z
  .string()
  .trim()
  .min(1)
  .max(keywordCharsMax)
  .refine(isOneLine, 'must not contain control characters')
  .refine((text) => keywordForm(text) !== '', 'must contain a letter or digit');

const words = (keyword: 'stop' | 'start') =>
  z
    .array(
      word.superRefine((text, context) => {
        const known = keywordIn(text);
        if (known !== undefined && known !== keyword)
          context.addIssue({
            code: 'custom',
            message: `"${text}" already means ${known.toUpperCase()} in every app`,
          });
      }),
    )
    .max(limits.ownKeywordsMax);

export const keywordsPatch = z
  .object({ stop: words('stop').optional(), start: words('start').optional() })
  .superRefine(({ stop = [], start = [] }, context) => {
    const stops = new Set(stop.map(keywordForm));
    for (const [i, text] of start.entries())
      if (stops.has(keywordForm(text)))
        context.addIssue({ code: 'custom', path: ['start', i], message: 'is also in stop' });
  })
  .nullable()
  .optional()
  .describe(
    'Additional keywords for STOP and START. Engage already knows the usual keywords of 40 languages. A reply counts only if its whole text is a keyword; case, accents, emoji and punctuation do not matter. Replaces both lists; `null` removes them.',
  );

export const keywordsSchema = z.object({
  stop: z.array(z.string()),
  start: z.array(z.string()),
});

export function keywordsView(own: OwnKeywords | null | undefined) {
  return { stop: own?.stop ?? [], start: own?.start ?? [] };
}
