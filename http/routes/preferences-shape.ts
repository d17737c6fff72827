// The wire shape of what a person wants, by key and by client token.

import { z } from 'zod';
import { languageKey } from '../../actors/channels/words/language-tag.ts';
import type { PreferenceChange, Preferences } from '../../actors/people/audience/protocol.ts';
import { topicChoices } from '../../actors/people/topics/choices.ts';
import { present } from '../call/answer/present.ts';
import { channelSchema, channelsSchema, zoneSchema } from '../call/schemas/schemas.ts';

/** As logins take it. */
export const languageSchema = z
  .string()
  .max(35)
  .refine((tag) => languageKey(tag) !== undefined, 'expected a language, such as en or pt-BR');

const choice = z.enum(topicChoices);

export const preferenceMembers = {
  channels: channelsSchema
    .nullish()
    .describe('Marketing messages use only these channels; `null` means no preference.'),
  topics: z
    .record(z.string(), choice.nullable())
    .optional()
    .describe(
      'Choices by the key of the topic: `in` or `out`; `null` removes one, so that the default of the topic holds. `pending` is accepted only where it is what holds already.',
    ),
  language: languageSchema.nullish().describe('Stored as the tag `language`.'),
  timezone: zoneSchema.nullish(),
};

export const examplePreferences = {
  channels: ['email' as const, 'webpush' as const],
  topics: { tips: 'in' as const, digest: 'out' as const },
};

export const preferencesSchema = z
  .object({
    channels: z
      .array(channelSchema)
      .nullable()
      .describe("The person's `preferredChannels`; `null` for no preference."),
    topics: z
      .record(z.string(), choice)
      .describe(
        'What holds for the person in every topic of the app, by choice or by default. `pending`: wanted, but not confirmed; nothing is sent.',
      ),
    language: z.string().nullable(),
    timezone: z.string().nullable(),
    suppressed: z
      .array(channelSchema)
      .describe(
        'Channels on which every enabled address of the person has opted out of marketing.',
      ),
  })
  .meta({
    id: 'Preferences',
    examples: [
      { ...examplePreferences, language: 'en', timezone: 'Asia/Bangkok', suppressed: ['sms'] },
    ],
  });

const preferencePatch = z.object(preferenceMembers);

export function preferenceChange(body: z.output<typeof preferencePatch>): PreferenceChange {
  const { channels, topics, language, timezone } = body;
  return present({ channels, topics, language, timezone });
}

export function preferencesView(preferences: Preferences): z.output<typeof preferencesSchema> {
  const { channels, topics, suppressed, ...rest } = preferences;
  return {
    ...rest,
    channels: channels && [...channels],
    topics: { ...topics },
    suppressed: [...suppressed],
  };
}
