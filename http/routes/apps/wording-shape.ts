// The wire shape of an app's own words for those that Engage adds to messages and pages. Languages
// are keyed as localizations are; `default` is for every language without a word of its own.

import { z } from 'zod';
import type { OwnWording } from '../../../actors/channels/port/attempt.ts';
import { languageKey } from '../../../actors/channels/words/language-tag.ts';
import { limits } from '../../../actors/limits.ts';
import { isOneLine } from '../../call/schemas/schemas.ts';
import { pageWordNames } from '../../track/page-words.ts';

/** LINE shows at most twenty letters on a button. */
const openMax = 20;
const wordMax = 500;

const word = (max: number) =>
  z.string().trim().min(1).max(max).refine(isOneLine, 'must not contain control characters');

const words = z.object({
  open: word(openMax).optional().describe("The label of a deep link's button."),
  unsubscribe: word(wordMax)
    .optional()
    .describe('The unsubscribe link in an email, and the button on its page.'),
  ...Object.fromEntries(pageWordNames.map((name) => [name, word(wordMax).optional()])),
});

export const wordingPatch = z
  .record(z.string(), words)
  .superRefine((languages, context) => {
    const seen = new Map<string, string>();
    const issue = (tag: string, message: string) =>
      context.addIssue({ code: 'custom', path: [tag], message });
    for (const tag of Object.keys(languages)) {
      const key = languageKey(tag);
      if (key === undefined) issue(tag, 'expected a language tag, such as pt-BR, or default');
      else if (seen.has(key))
        issue(tag, `this language appears twice; ${seen.get(key)} is the same`);
      else seen.set(key, tag);
    }
    if (seen.size > limits.wordingLanguagesMax)
      context.addIssue({
        code: 'custom',
        message: `at most ${limits.wordingLanguagesMax} languages`,
      });
  })
  .nullable()
  .optional()
  .describe(
    "Replaces the texts that Engage adds to messages, by language tag or `default`: button labels, unsubscribe links and the unsubscribe page. The built-in texts exist in 40 languages. A person's `language` tag chooses: region, then base language, then `default`. On the page, `{app}` and `{address}` stand for the app's name and the email address. Replaces all; `null` removes them.",
  );

export const wordingSchema = z.record(z.string(), z.record(z.string(), z.string())).nullable();

/** With its languages in the form that people's are compared in. */
export function ownWording(patch: NonNullable<z.output<typeof wordingPatch>>): OwnWording {
  return Object.fromEntries(
    Object.entries(patch).map(([tag, own]) => [
      languageKey(tag) ?? tag,
      Object.fromEntries(Object.entries(own).filter(([, text]) => text !== undefined)),
    ]),
  ) as OwnWording;
}
