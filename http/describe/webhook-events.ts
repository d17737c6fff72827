// What receivers of webhooks get, for the API description: one shape for all kinds, `meta` by kind,
// and an example each. The code that sends makes the examples, so they are what is sent.

import { z } from 'zod';
import { channelIds } from '../../actors/channels/channel-ids.ts';
import {
  noIds,
  type WebhookEvent,
  type WebhookKind,
  webhookKinds,
} from '../../actors/integrations/webhooks/event.ts';
import { webhookPayload } from '../../actors/integrations/webhooks/payload.ts';
import { guardReasons } from '../../actors/programs/campaigns/guard.ts';
import { exampleIds } from '../call/schemas/example-ids.ts';
import { instantSchema } from '../call/schemas/schemas.ts';
import {
  campaignStatsSchema,
  exampleComparison,
  exampleRates,
} from '../routes/campaigns/campaign-stats-shape.ts';

const count = z.int().min(0);
const text = z.string();

/** Of messages; each kind has some of it. */
const messageMeta = z.looseObject({
  reason: text.optional().describe('A stable code, such as `unregistered`.'),
  detail: text.optional().describe("The provider's message, without addresses and tokens."),
  attempts: count.optional().describe('Calls to the provider.'),
  providerMessageId: text.optional(),
  relay: text.optional().describe('The id of the relay that took the message or tells of it.'),
  relayName: text.optional().describe('What the relay was called then.'),
  journeyId: text.optional(),
  test: z.literal(true).optional().describe('`true` for a test send (`POST …/messages/:id/test`).'),
  until: instantSchema.optional().describe('For a deferred message: when it will be sent.'),
  url: text.optional().describe('For a click: the link.'),
});

const metaSchemas: Partial<Record<WebhookKind, z.ZodType>> = {
  'campaign.completed': campaignStatsSchema.extend({
    occurrence: z
      .int()
      .min(1)
      .nullable()
      .optional()
      .describe('All figures of `meta` are those of this occurrence; `null`: of the campaign.'),
  }),
  'campaign.failed': z.object({ name: text, reason: text }),
  'campaign.chunk_processed': z.object({
    processed: count.describe('People, counted once on each channel that reaches them.'),
    total: count,
    last: z.boolean().optional().describe('True at the end of an occurrence.'),
    occurrence: count.optional().describe('With `last`: the number of the occurrence that ended.'),
  }),
  'delivery.degraded': z.object({
    channel: z.enum(channelIds),
    attempts: count.describe('Calls to the provider since `since`.'),
    failed: count,
    since: instantSchema,
    reasons: z.record(z.string(), count).describe('Failed calls by reason.'),
    paused: z
      .object({ name: text, reason: z.enum(guardReasons), text: text.describe('What to fix.') })
      .optional()
      .describe('The campaign, `campaignId`, that paused automatically because of it.'),
  }),
  'integration.disabled': z.object({
    integration: text.describe('Its type.'),
    reason: z.literal('no_success'),
    lost: count.describe('Deliveries that ended without a success since `failingSince`.'),
    failingSince: instantSchema,
  }),
  'subscriber.unsubscribed': z.looseObject({
    source: text.describe('Where the opt-out came from: `unsubscribe`, `callback`, `bounce` …'),
    identityClass: text
      .nullable()
      .describe('`email`, `phone` (SMS, voice, WhatsApp, RCS and KakaoTalk), or the channel.'),
    relay: text.optional().describe('The relay by whose own link the person left, by its id.'),
    relayName: text.optional().describe('What the relay was called then.'),
  }),
};

/** The body of a delivery of this kind. */
export function webhookPayloadSchema(kind: WebhookKind): z.ZodType {
  const id = (of: string) => text.nullable().describe(of);
  return z.object({
    id: text.describe('The delivery id; the same at every attempt, so deduplicate by it.'),
    type: z.literal(kind),
    subscriberId: id('The person.'),
    externalUserId: id('Your own id of the person.'),
    campaignId: id('The campaign that sent the message.'),
    journeyId: id('The journey that sent it.'),
    messageId: id('The saved message.'),
    sendId: id('The send, as `POST …/notifications` returned it.'),
    deviceId: id('The device.'),
    channel: z.enum(channelIds).nullable(),
    at: instantSchema.describe('When it happened, not when it was sent to you.'),
    seq: z
      .int()
      .describe(
        'Never decreases within an app: the later of two events has the same or a higher number.',
      ),
    meta: metaSchemas[kind] ?? messageMeta,
  });
}

/** When a kind is sent, in a sentence. */
export const webhookKindWords: Readonly<Record<WebhookKind, string>> = {
  'campaign.completed':
    'A campaign, or an occurrence of a recurring one, has finished sending, its fallback too. `meta` is its statistics.',
  'campaign.failed': 'A campaign ended without finishing; `meta.reason` says why.',
  'delivery.degraded':
    'Of at least 50 calls to the provider of a channel in five minutes, 20% or more failed; or a campaign paused automatically (`campaignId`, `meta.paused`).',
  'campaign.chunk_processed':
    'The progress of a campaign that is sending, at most once a second; `last` at the end of an occurrence.',
  'message.delivered':
    "The provider accepted the message for this device; through a mail relay that reports, the recipient's server took it (`meta.reported`).",
  'message.bounced': 'The device or the address cannot receive it; `meta.reason` says why.',
  'message.suppressed': 'It was not sent: an opt-out, a frequency cap, or no device.',
  'message.deferred': 'It waits until `meta.until`, for example for the end of quiet hours.',
  'message.failed':
    'Retries are exhausted; `meta.reason` and `meta.attempts` say why, and after how many calls.',
  'message.opened': 'The person opened it.',
  'message.clicked': 'The person opened a link in it.',
  'message.dismissed': 'The person dismissed it.',
  'subscriber.unsubscribed':
    'A person opted out: a STOP, an unsubscribe link, a complaint, with the message if one is known: the one that a link, a button or a reply names, else the newest campaign or journey message to that address in the 14 days before. Never for your own API calls.',
  'webhook.test': 'You asked for a test: `POST …/integrations/:type/test`.',
  'integration.disabled':
    'Engage turned off another integration of the app: no delivery to it succeeded on five days, and at least 20 failed permanently. Its new events are stored as `stopped` deliveries.',
  'message.complained':
    'The person reported the message as spam. The opt-out that follows is a `subscriber.unsubscribed` of its own.',
};

const atMs = 1_790_000_000_000;
const nobody = {
  ...noIds,
  atMs,
};
const somebody = {
  ...nobody,
  subscriberId: exampleIds.subscriber,
  externalUserId: 'customer-42',
  campaignId: exampleIds.campaign,
  messageId: exampleIds.message,
  sendId: exampleIds.send,
  deviceId: exampleIds.device,
  channel: 'fcm',
} as const;
const devices = { sent: 420, delivered: 415, bounced: 3, failed: 2 };
const answers = { opened: 190, clicked: 61, converted: 17, unsubscribed: 4, complained: 1 };
const people = { ...devices, suppressed: 12, ...answers };
const ofCampaign = { ...nobody, campaignId: exampleIds.campaign };

const exampleEvents: readonly WebhookEvent[] = [
  {
    ...ofCampaign,
    kind: 'campaign.completed',
    seq: 9001,
    meta: {
      campaignId: exampleIds.campaign,
      name: 'Spring sale',
      occurrence: 1,
      state: 'completed',
      audience: 455,
      ...exampleComparison,
      ...people,
      rates: exampleRates,
      devices,
      byChannel: { fcm: { ...devices, suppressed: 12 } },
      byVariant: {},
      occurrences: [
        {
          number: 1,
          startedMs: atMs - 90_000,
          endedMs: atMs,
          audience: 455,
          ...exampleComparison,
          nextDay: 0,
          winner: null,
          ...people,
        },
      ],
      fallback: { eligible: 0, sent: 0, suppressed: 0, suppressedBy: {} },
      suppressedBy: { no_device: 12 },
      deferredBy: {},
      progress: null,
    },
  },
  {
    ...ofCampaign,
    kind: 'campaign.failed',
    seq: 9002,
    meta: { name: 'Spring sale', reason: 'filter_invalid' },
  },
  {
    ...nobody,
    kind: 'delivery.degraded',
    channel: 'fcm',
    seq: 9003,
    meta: {
      channel: 'fcm',
      attempts: 120,
      failed: 31,
      sinceMs: atMs - 300_000,
      reasons: { unavailable: 31 },
    },
  },
  {
    ...ofCampaign,
    kind: 'campaign.chunk_processed',
    seq: 9004,
    meta: { processed: 210, total: 455 },
  },
  {
    ...somebody,
    kind: 'message.delivered',
    seq: 9005,
    meta: { attempts: 1, providerMessageId: 'projects/acme/messages/0:1790000000000000' },
  },
  {
    ...somebody,
    kind: 'message.bounced',
    seq: 9006,
    meta: { reason: 'unregistered', attempts: 1 },
  },
  {
    ...somebody,
    kind: 'message.suppressed',
    sendId: null,
    deviceId: null,
    seq: 9007,
    meta: { reason: 'frequency_cap' },
  },
  {
    ...somebody,
    kind: 'message.deferred',
    sendId: null,
    deviceId: null,
    seq: 9008,
    meta: { reason: 'quiet_hours', until: '2026-09-22T06:00:00.000Z' },
  },
  {
    ...somebody,
    kind: 'message.failed',
    seq: 9009,
    meta: { reason: 'unavailable', attempts: 8 },
  },
  { ...somebody, kind: 'message.opened', seq: 9010, meta: {} },
  {
    ...somebody,
    kind: 'message.clicked',
    channel: 'email',
    seq: 9011,
    meta: { url: 'https://shop.example.com/spring' },
  },
  { ...somebody, kind: 'message.dismissed', seq: 9012, meta: {} },
  {
    ...somebody,
    kind: 'subscriber.unsubscribed',
    channel: 'email',
    seq: 9013,
    meta: { source: 'unsubscribe', identityClass: 'email' },
  },
  { ...nobody, kind: 'webhook.test', seq: 9014, meta: {} },
  {
    ...nobody,
    kind: 'integration.disabled',
    seq: 9015,
    meta: {
      integration: 'webhook-crm',
      reason: 'no_success',
      lost: 212,
      failingSince: '2026-09-17T09:30:00.000Z',
    },
  },
  { ...somebody, kind: 'message.complained', channel: 'email', seq: 9016, meta: {} },
];

/** Bodies as they are sent, one for each kind. */
export const webhookExamples: readonly { readonly kind: WebhookKind; readonly payload: object }[] =
  webhookKinds.map((kind) => {
    const event = exampleEvents.find((one) => one.kind === kind);
    if (event === undefined) throw new Error(`${kind} has no example`);
    return {
      kind,
      payload: JSON.parse(webhookPayload(event, exampleIds.webhookDelivery).toString()),
    };
  });
