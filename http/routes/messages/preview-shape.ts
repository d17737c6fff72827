// What previews of saved and of unsaved messages share: for whom and where, and the answer.

import { z } from 'zod';
import { pixelTag, previewPixelUrl } from '../../../actors/channels/email/open-pixel.ts';
import { languageKey } from '../../../actors/channels/words/language-tag.ts';
import { checkVariables, variablesSchema } from '../../../actors/content/accept/variables.ts';
import type {
  MessagePreview,
  PreviewItem,
  PreviewQuestion,
} from '../../../actors/content/messages/protocol.ts';
import { contentFields } from '../../../actors/content/shape/message-schema.ts';
import { checkTags } from '../../../actors/people/audience/tags.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { present } from '../../call/answer/present.ts';
import type { Call } from '../../call/call.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import {
  channelSchema,
  channelsSchema,
  externalUserIdSchema,
  zoneSchema,
} from '../../call/schemas/schemas.ts';
import { tagsShape } from '../audience/subscriber-shape.ts';
import { recipientOf } from '../notifications/recipient.ts';

const { localizations: _localizations, ...shownFields } = contentFields;

/** For whom, on which channels, and how. */
export const previewFields = {
  subscriberId: z
    .string()
    .nullish()
    .describe('The subscriber to preview for; or use `externalUserId`.'),
  externalUserId: externalUserIdSchema.nullish().describe('The subscriber, by your own user id.'),
  person: z
    .object({
      tags: tagsShape.nullish().describe('Their tags; same rules as for a subscriber.'),
      timezone: zoneSchema.nullish(),
      externalUserId: externalUserIdSchema.nullish(),
    })
    .nullish()
    .describe('A sample person to preview for, instead of a subscriber.'),
  channel: channelSchema.nullish().describe('Only this channel; all channels if omitted.'),
  channels: channelsSchema.nullish().describe('Only these channels; instead of `channel`.'),
  language: z
    .string()
    .refine((tag) => languageKey(tag) !== undefined, 'expected a language tag, such as pt-BR')
    .nullish()
    .describe("Used instead of the person's own language."),
  variables: variablesSchema.optional(),
} as const;

const asked = z.object(previewFields);

/** One channel of a preview. */
export const previewItemSchema = z.object({
  channel: channelSchema,
  language: z
    .string()
    .nullable()
    .describe('The localization that is shown; `null` for the base message.'),
  deviceId: z
    .string()
    .nullable()
    .describe('The device it would be sent to; `null` if the person has none on this channel.'),
  content: z.object(shownFields).optional().describe('What the recipient sees.'),
  payload: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      "What the provider would receive: the request body, the JSON that a service worker reads, or an email's sender, headers, text and HTML. Send ids, missing devices and the unsubscribe link are placeholders.",
    ),
  mailPath: z
    .string()
    .optional()
    .describe(
      'Path of a page with the HTML of an email, for `<iframe sandbox>`; it works for five minutes.',
    ),
  dropped: z
    .array(z.object({ field: z.string(), why: z.string() }))
    .optional()
    .describe('What the channel cannot carry; the rest is sent.')
    .meta({ examples: [[{ field: 'buttons[0]', why: 'SMS opens no shop: links' }]] }),
  error: z
    .object({ field: z.string().optional(), error: z.string() })
    .optional()
    .describe('Why this message cannot reach this person on this channel.'),
});

const issueSchema = z.object({
  level: z
    .enum(['error', 'warning'])
    .describe(
      '`error`: the message cannot be saved so. `warning`: it prints nothing for this person, and a transactional send would be refused.',
    ),
  field: z.string().describe('As in the message, such as `localizations.de.body`.'),
  line: z
    .int()
    .min(1)
    .optional()
    .describe("Within the field's text; omitted if the whole field is meant."),
  column: z.int().min(1).optional(),
  error: z.string(),
});

export const previewResponse = {
  description: 'One item per channel, and what is wrong with the message.',
  schema: z
    .object({
      items: z.array(previewItemSchema),
      issues: z
        .array(issueSchema)
        .describe(
          'At most 100, and 20 of one text. Includes unknown names only if a person is given.',
        ),
      usesVariables: z
        .array(z.string())
        .describe(
          'Names that the templates use, sorted; at most 200. They may come from `variables` or from tags.',
        ),
    })
    .meta({
      examples: [
        {
          items: [
            {
              channel: 'webpush',
              language: 'de',
              deviceId: exampleIds.device,
              content: { title: 'Neu bei uns', body: 'Hallo Ada, schau vorbei.' },
              payload: {
                title: 'Neu bei uns',
                body: 'Hallo Ada, schau vorbei.',
                data: {},
                messageId: 'ntf_preview',
                deviceId: exampleIds.device,
              },
            },
          ],
          issues: [
            {
              level: 'warning',
              field: 'title',
              line: 1,
              column: 11,
              error: 'undefined variable: city',
            },
          ],
          usesVariables: ['city', 'first_name'],
        },
      ],
    }),
} as const;

/** Throws the first fault of what the schema does not check. */
export function previewView(
  body: z.output<typeof asked>,
): Omit<PreviewQuestion, 'by' | 'id' | 'draft'> {
  const { subscriberId, externalUserId, channel, channels, language } = body;
  const isNamed = subscriberId != null || externalUserId != null;
  const checked = checkVariables(body.variables);
  if ('fault' in checked) throw new FaultError(checked.fault);
  if (channel != null && channels != null)
    throw new FaultError(fieldFault('channels', 'give channel or channels, not both'));
  if (isNamed && body.person != null)
    throw new FaultError(fieldFault('person', 'give a subscriber or a sample person, not both'));
  return {
    variables: checked.variables,
    ...present({
      to: isNamed ? recipientOf(body) : undefined,
      person: madeUp(body.person),
      channels: channel == null ? (channels ?? undefined) : [channel],
      language: languageKey(language),
    }),
  };
}

function madeUp(person: z.output<typeof asked>['person']): PreviewQuestion['person'] {
  if (person == null) return undefined;
  const { tags, timezone, externalUserId } = person;
  const wrong = tags == null ? undefined : checkTags(tags, 'person.tags');
  if (wrong !== undefined) throw new FaultError(wrong);
  const given = Object.entries(tags ?? {}).filter(([, value]) => value !== null);
  return {
    tags: Object.fromEntries(given) as NonNullable<PreviewQuestion['person']>['tags'],
    ...present({
      timezone: timezone ?? undefined,
      externalUserId: externalUserId ?? undefined,
    }),
  };
}

export function previewReply(call: Call<unknown, unknown>, { items, ...rest }: MessagePreview) {
  return { status: 200, body: { items: keptMails(call, call.app(), items), ...rest } };
}

/** Keeps the HTML of emails for a while, and says where. */
export function keptMails(
  call: Call<unknown, unknown>,
  app: Ordinal,
  items: readonly PreviewItem[],
) {
  const { mailPreviews, clock, rng } = call.edge;
  return items.map((item) => {
    const html = item.payload?.['html'];
    if (typeof html !== 'string') return itemView(item);
    return {
      ...itemView(item),
      mailPath: `/preview/${mailPreviews.keep(app, withoutPixel(html), clock.now(), rng)}`,
    };
  });
}

/** The pixel leads nowhere in a preview: a page that asks for it has an error in its console. */
function withoutPixel(html: string): string {
  return html.replaceAll(pixelTag(previewPixelUrl), '');
}

/** With the delivery options beside the content, if any. */
function itemView({ content, ...item }: PreviewItem) {
  if (content === undefined) return item;
  const { options, language: _language, ...shown } = content;
  return { ...item, content: { ...shown, ...options } };
}
