// Previews a saved message without sending it: what one person would see on each channel, and the
// body that the channel's provider would get.

import { z } from 'zod';
import { languageKey } from '../../../actors/content/localize.ts';
import { contentFields } from '../../../actors/content/message-schema.ts';
import type { MessagesProtocol, PreviewItem } from '../../../actors/content/messages/protocol.ts';
import { checkVariables, variablesSchema } from '../../../actors/content/variables.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { exampleIds } from '../../example-ids.ts';
import { present } from '../../present.ts';
import { key, route } from '../../route.ts';
import { channelSchema, externalUserIdSchema } from '../../schemas.ts';
import { recipientOf } from '../notifications/recipient.ts';

const { localizations: _localizations, ...shownFields } = contentFields;

const body = z
  .object({
    subscriberId: z
      .string()
      .nullish()
      .describe('The subscriber to preview for; or use `externalUserId`.'),
    externalUserId: externalUserIdSchema.nullish().describe('The subscriber, by your own user id.'),
    channel: channelSchema.nullish().describe('Only this channel; all channels if omitted.'),
    language: z
      .string()
      .refine((tag) => languageKey(tag) !== undefined, 'expected a language tag, such as pt-BR')
      .nullish()
      .describe("Used instead of the person's own language."),
    variables: variablesSchema.optional(),
  })
  .meta({
    examples: [
      { externalUserId: 'customer-42', channel: 'fcm', language: 'de' },
      { channel: 'email' },
    ],
  });

const itemSchema = z.object({
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

export const previewMessage = route({
  method: 'POST',
  path: '/v1/apps/:appId/messages/:id/preview',
  summary: 'Preview a message',
  description:
    'Rendered by the same code that sends; nothing is sent. Without a subscriber, the message is rendered as for a person without tags. Suppressions, caps and credentials are not checked.',
  tag: 'Messages',
  access: key('read'),
  lane: 'standard',
  params: { id: 'Message id.' },
  body,
  responses: {
    200: {
      description: 'One item per channel.',
      schema: z.object({ items: z.array(itemSchema) }).meta({
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
          },
        ],
      }),
    },
  },
  refusals: [404],
  async handle(call) {
    const app = call.app();
    const { subscriberId, externalUserId, channel, language } = call.body;
    const isNamed = subscriberId != null || externalUserId != null;
    const checked = checkVariables(call.body.variables);
    if ('fault' in checked) throw new FaultError(checked.fault);
    const { items } = await call.to<MessagesProtocol>(app).ask('message.preview', {
      id: call.param('id'),
      variables: checked.variables,
      ...present({
        to: isNamed ? recipientOf(call.body) : undefined,
        channel: channel ?? undefined,
        language: languageKey(language),
      }),
    });
    return { status: 200, body: { items: items.map(itemView) } };
  },
});

/** With the delivery options beside the content, if any. */
function itemView({ content, ...item }: PreviewItem) {
  if (content === undefined) return item;
  const { options, language: _language, ...shown } = content;
  return { ...item, content: { ...shown, ...options } };
}
