// The wire shape of a person and a device in requests. The person's actor checks endpoints and
// tags, because it words problems better than a schema.

import { z } from 'zod';
import { catalog } from '../../../actors/channels/catalog.ts';
import { channelIds } from '../../../actors/channels/channel-ids.ts';
import { limits } from '../../../actors/limits.ts';
import type { DeviceInput, SubscriberInput } from '../../../actors/people/audience/protocol.ts';
import { tagsInNfc, tagTwice } from '../../../actors/people/audience/tags.ts';
import { repeatedInNfc } from '../../../engine/base/nfc.ts';
import { type Present, present } from '../../call/answer/present.ts';
import {
  channelSchema,
  channelsSchema,
  externalUserIdSchema,
  zoneSchema,
} from '../../call/schemas/schemas.ts';

export const disabledReasonPattern = /^[a-z0-9_]{1,64}$/;

type TagPatch = NonNullable<SubscriberInput['tags']>;

const endpointShape = z
  .custom<unknown>((value) => value !== undefined && value !== null, {
    error: ({ input }) =>
      input === undefined
        ? 'is missing; expected a string, or an object for webpush'
        : 'expected a string, or an object for webpush, not null',
  })
  .meta({
    description: `${channelIds.map((id) => `${id}: ${catalog[id].endpointIs}`).join('; ')}.`,
    anyOf: [
      { type: 'string' },
      {
        type: 'object',
        title: 'Web push subscription',
        properties: {
          endpoint: { type: 'string', format: 'uri' },
          keys: {
            type: 'object',
            properties: { p256dh: { type: 'string' }, auth: { type: 'string' } },
            required: ['p256dh', 'auth'],
          },
        },
        required: ['endpoint', 'keys'],
      },
    ],
  });

export const deviceBody = z
  .object({
    channel: channelSchema,
    endpoint: endpointShape,
    environment: z
      .enum(['production', 'sandbox'])
      .optional()
      .describe("For apns: which of Apple's two servers the token is for."),
    enabled: z.boolean().optional().describe('Default true.'),
    disabledReason: z
      .string()
      .regex(disabledReasonPattern, {
        error: 'expected 1 to 64 lower-case letters, digits and underscores',
      })
      .optional()
      .describe('Why the device is registered as disabled. Default `disabled_by_caller`.'),
  })
  .meta({ examples: [{ channel: 'email', endpoint: 'ada@example.com' }] });

export const tagsShape = z
  .record(z.string(), z.custom<TagPatch[string]>())
  .superRefine((tags, context) => {
    const twice = repeatedInNfc(tags);
    if (twice !== undefined) context.addIssue({ code: 'custom', path: [twice], message: tagTwice });
  })
  .overwrite((tags) => tagsInNfc(tags) as typeof tags)
  .meta({
    description: `Merged into the existing tags; \`null\` removes a tag. Keys have 1 to ${limits.tagKeyCharsMax} characters and must not start with \`$\`; a value has at most ${limits.tagValueBytesMax} bytes. Names and values are stored in Unicode's normal form NFC.`,
    additionalProperties: {
      anyOf: [
        { type: 'string' },
        { type: 'number' },
        { type: 'boolean' },
        { type: 'array', items: { type: 'string' } },
        { type: 'null' },
      ],
    },
  });

const choicePatch = z
  .record(z.string(), z.enum(['in', 'out']).nullable())
  .describe(
    'Choices by the key of the topic; `null` removes one, so that the default of the topic holds. The same as the tags `topic.<key>`.',
  );

const personFields = {
  tags: tagsShape.optional(),
  topics: choicePatch.optional(),
  timezone: zoneSchema.nullable().optional(),
  preferredChannels: channelsSchema
    .nullable()
    .optional()
    .describe('Marketing messages use only these channels; `null` means no preference.'),
};

export const subscriberBody = z
  .object({
    externalUserId: externalUserIdSchema.nullish(),
    ...personFields,
    devices: z
      .array(deviceBody)
      .max(limits.devicesMax)
      .optional()
      .describe("Added to the person's existing devices."),
  })
  .meta({
    examples: [
      {
        externalUserId: 'customer-42',
        tags: { first_name: 'Ada', language: 'en', plan: 'pro' },
        timezone: 'Asia/Bangkok',
        devices: [{ channel: 'email', endpoint: 'ada@example.com' }],
      },
    ],
  });

export const subscriberPatch = z
  .object(personFields)
  .meta({ examples: [{ tags: { plan: 'team' }, preferredChannels: ['email'] }] });

export function deviceMessage(device: z.output<typeof deviceBody>): Present<DeviceInput> {
  const { channel, endpoint, environment, enabled, disabledReason } = device;
  return present({ channel, endpoint, environment, enabled, disabledReason });
}

export function subscriberMessage(body: z.output<typeof subscriberBody>): SubscriberInput {
  const { externalUserId, tags, topics, timezone, preferredChannels, devices } = body;
  return present({
    externalUserId: externalUserId ?? undefined,
    tags,
    topics,
    timezone,
    preferredChannels,
    devices: devices?.map(deviceMessage),
  });
}
