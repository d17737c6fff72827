// People and devices in responses, and the path parameter that names a person.

import { z } from 'zod';
import { channelIds } from '../../../actors/channels/channel-ids.ts';
import { deviceEtag, personEtag } from '../../../actors/people/audience/person-etag.ts';
import type { ShownDevice, SubscriberView } from '../../../actors/people/audience/protocol.ts';
import { deviceView, personView } from '../../../actors/people/audience/public-view.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { namedBy } from '../../call/answer/errors.ts';
import { exampleEtag, exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import {
  channelSchema,
  etagSchema,
  exampleOf,
  instant,
  instantSchema,
} from '../../call/schemas/schemas.ts';
import { suppressionSource } from './suppression-view.ts';

export const personParam = 'Subscriber id, or `external:` followed by your own user id.';

/** Asks about the person in `subscriberId`; a refusal names that parameter. */
export async function ofPersonNamed<Reply>(asking: Promise<Reply>, named: string): Promise<Reply> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    throw new FaultError(namedBy('subscriberId', 'subscriber', error.fault, named));
  }
}

export const deviceSchema = z
  .object({
    id: z.string(),
    channel: channelSchema,
    endpoint: z
      .union([
        z.string(),
        z.object({
          endpoint: z.string(),
          keys: z.object({ p256dh: z.string(), auth: z.string() }),
        }),
      ])
      .describe('Normalized.'),
    enabled: z.boolean(),
    disabledReason: z.string().optional(),
    suppressed: z
      .object({
        scope: z
          .enum(['all', 'marketing'])
          .describe('`marketing`: transactional messages are still sent.'),
        reason: z
          .string()
          .nullable()
          .describe('As given, else where the opt-out came from, such as `unsubscribe`.'),
        source: suppressionSource.nullable(),
        at: instantSchema.nullable().describe('Since when.'),
      })
      .nullable()
      .describe('The opt-out of this address; `null` if there is none, and for push.'),
    reachable: z
      .boolean()
      .describe(
        'Whether a transactional message could be sent there now: enabled, and not opted out of everything. Says nothing about credentials, caps or quiet hours.',
      ),
    restingUntil: instantSchema
      .optional()
      .describe(
        'Set while an email address rests after soft bounces (`softBounces` of the settings): it gets no marketing until then.',
      ),
    environment: z.enum(['production', 'sandbox']).optional(),
    etag: etagSchema,
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({
    id: 'Device',
    examples: [
      {
        id: exampleIds.device,
        channel: 'email',
        endpoint: 'ada@example.com',
        enabled: true,
        suppressed: null,
        reachable: true,
        etag: exampleEtag,
        createdAt: exampleInstant(),
        updatedAt: exampleInstant(),
      },
    ],
  });

export const subscriberSchema = z
  .object({
    id: z.string(),
    externalUserId: z.string().nullable(),
    displayName: z
      .string()
      .nullable()
      .describe('From the tags that `displayName` of the settings names; `null` without them.'),
    devices: z.array(deviceSchema),
    tags: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
    preferredChannels: z.array(z.enum(channelIds)).nullable(),
    timezone: z.string().nullable(),
    etag: etagSchema,
    createdAt: instantSchema,
    updatedAt: instantSchema,
    lastActiveAt: instantSchema
      .nullable()
      .describe('When the person was last active. Messages sent to them do not count.'),
  })
  .meta({
    id: 'Subscriber',
    examples: [
      {
        id: exampleIds.subscriber,
        externalUserId: 'customer-42',
        displayName: 'Ada',
        devices: [exampleOf(deviceSchema)],
        tags: { first_name: 'Ada', language: 'en', plan: 'pro' },
        preferredChannels: null,
        timezone: 'Asia/Bangkok',
        etag: exampleEtag,
        createdAt: exampleInstant(),
        updatedAt: exampleInstant(),
        lastActiveAt: null,
      },
    ],
  });

/** As in exports, with its version. */
export function shownDeviceView(device: ShownDevice) {
  const { restingUntilMs } = device;
  const rests = restingUntilMs === undefined ? {} : { restingUntil: instant(restingUntilMs) };
  return { ...deviceView(device), ...rests, etag: deviceEtag(device) };
}

export function shownSubscriberView(person: SubscriberView) {
  const devices = person.devices.map(shownDeviceView);
  const { displayName } = person;
  return { ...personView(person), displayName, devices, etag: personEtag(person) };
}
