// The wire shape of a send and a dead letter.

import { z } from 'zod';
import { sentenceOf } from '../../../actors/insight/timeline/sentences.ts';
import type {
  ListedSend,
  SendView,
  TransactionalProtocol,
} from '../../../actors/sending/transactional/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { channelSchema, instant, instantSchema } from '../../call/schemas/schemas.ts';

type DeadLetter = TransactionalProtocol['dead_letter.list']['reply']['items'][number];

export const sendSchema = z
  .object({
    id: z.string(),
    status: z
      .enum(['delivered', 'bounced', 'failed', 'suppressed', 'pending'])
      .describe(
        'From the latest receipt of each device: delivered if any device got it, else bounced, else failed, else suppressed, else pending.',
      ),
    outcomes: z
      .array(
        z.object({
          deviceId: z
            .string()
            .nullable()
            .describe('`null` if there was no device to send to, and once the person is erased.'),
          channel: z.string().nullable(),
          status: z
            .enum(['accepted', 'delivered', 'bounced', 'failed', 'suppressed'])
            .describe(
              '`accepted`: by a relay that reports the result later; `delivered` or `bounced` follows. Without such a relay `delivered` means that the provider accepted it.',
            ),
          reason: z.string().optional(),
          detail: z.string().optional().describe("The provider's own error message."),
          providerMessageId: z.string().optional(),
          relay: z
            .string()
            .optional()
            .describe('The id of the relay that took the message or tells of it.'),
          relayName: z.string().optional().describe('What the relay was called then.'),
          attempts: z.int(),
          copies: z
            .int()
            .optional()
            .describe(
              'How many copies (`cc`, `bcc`) the latest call of an email had, without those that opted out or that the mail server refused. Absent for none.',
            ),
          at: instantSchema,
        }),
      )
      .describe('Receipts, oldest first.'),
    failures: z
      .object({ open: z.int(), recovered: z.int() })
      .describe('Dead letters of this send: still open, and delivered by a redrive.'),
    test: z.literal(true).optional().describe('Set only for test sends.'),
  })
  .meta({
    id: 'Send',
    examples: [
      {
        id: exampleIds.send,
        status: 'delivered',
        outcomes: [
          {
            deviceId: exampleIds.device,
            channel: 'email',
            status: 'delivered',
            providerMessageId: '<ntf.1@acme.example>',
            attempts: 1,
            at: exampleInstant(1),
          },
        ],
        failures: { open: 0, recovered: 0 },
      },
    ],
  });

/** The message and recipient of a send, which lists show beside its status. */
export const listedFields = {
  acceptedAt: instantSchema,
  subscriberId: z.string().nullable().describe('`null` once the person is erased.'),
  externalUserId: z.string().nullable(),
  channels: z
    .array(channelSchema)
    .describe('The channels of its devices; empty if there was no device.'),
  title: z
    .string()
    .nullable()
    .describe('As it was sent; for a message without a title, the first words of its text.'),
  templateId: z.string().nullable().describe('The template that the send named.'),
};

export const laneOfLetter = z.enum(['transactional', 'campaign', 'journey']);

export const deadLetterSchema = z
  .object({
    id: z.string(),
    sendId: z.string(),
    subscriberId: z.string().nullable().describe('`null` once the person is erased.'),
    deviceId: z.string().nullable().describe('`null` once the person is erased.'),
    channel: z.string(),
    lane: laneOfLetter,
    campaignId: z.string().nullable().describe('The campaign that the send belongs to.'),
    reason: z.string(),
    text: z.string().describe('The reason, in a sentence.'),
    detail: z.string().optional().describe("The provider's last message."),
    attempts: z.int(),
    at: instantSchema,
    redrivenAt: instantSchema.nullable().describe('`true` while a redrive is in progress.'),
    recoveredAt: instantSchema.nullable().describe('When a redrive delivered it.'),
    test: z
      .literal(true)
      .optional()
      .describe('Set only for test sends, which no statistics count.'),
  })
  .meta({
    id: 'DeadLetter',
    examples: [
      {
        id: exampleIds.deadLetter,
        sendId: exampleIds.send,
        subscriberId: exampleIds.subscriber,
        deviceId: exampleIds.device,
        channel: 'fcm',
        lane: 'transactional',
        campaignId: null,
        reason: 'expired',
        text: "The message failed on Android push (FCM) after 8 calls. The message's time to live had expired.",
        detail: 'http_503: UNAVAILABLE',
        attempts: 8,
        at: exampleInstant(3600),
        redrivenAt: null,
        recoveredAt: null,
      },
    ],
  });

export function sendView({ id, status, outcomes, failures, test }: SendView) {
  return {
    id,
    status,
    outcomes: outcomes.map(({ deviceId, channel, atMs, ...rest }) => ({
      deviceId: deviceId === '' ? null : deviceId,
      channel: channel === '' ? null : channel,
      status: rest.status,
      reason: rest.reason,
      detail: rest.detail,
      providerMessageId: rest.providerMessageId,
      relay: rest.relayName === undefined ? undefined : rest.relay,
      relayName: rest.relayName,
      attempts: rest.attempts,
      ...present({ copies: rest.copies }),
      at: instant(atMs),
    })),
    failures: { open: failures.open, recovered: failures.recovered },
    test,
  };
}

export function listedView(send: ListedSend) {
  return {
    ...sendView(send),
    acceptedAt: instant(send.acceptedMs),
    subscriberId: send.subscriberId ?? null,
    externalUserId: send.externalUserId ?? null,
    channels: send.channels,
    title: send.title ?? null,
    templateId: send.templateId ?? null,
  };
}

function campaignIdOf({ origin }: DeadLetter): string | null {
  return (origin as { readonly campaignId?: string } | undefined)?.campaignId ?? null;
}

export function deadLetterView(letter: DeadLetter) {
  const { id, sendId, deviceId, channel, lane, reason, attempts } = letter;
  return {
    id,
    sendId,
    subscriberId: letter.subscriberId ?? null,
    deviceId: letter.subscriberId === undefined ? null : deviceId,
    channel,
    lane,
    campaignId: campaignIdOf(letter),
    reason,
    text: sentenceOf({
      kind: 'receipt',
      code: 'failed',
      atMs: letter.atMs,
      channel,
      reason,
      attempt: attempts,
    }),
    detail: letter.detail,
    attempts,
    at: instant(letter.atMs),
    redrivenAt: letter.redrivenMs === undefined ? null : instant(letter.redrivenMs),
    recoveredAt: letter.recoveredMs === undefined ? null : instant(letter.recoveredMs),
    test: letter.test,
  };
}
