// The wire shape of a Live Activity and its updates. Texts and state are not rendered: the app
// decodes them (ActivityKit). Source: specification, "Live Activities"; contract, section 9.

import { z } from 'zod';
import { limits } from '../../../actors/limits.ts';
import type { LiveActivityView } from '../../../actors/sending/live-activities/protocol.ts';
import { idempotencyKeySchema } from '../../call/idempotency.ts';
import { exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { instant, instantSchema, isOneLine } from '../../call/schemas/schemas.ts';

const { liveActivityTokenDigitsMin: digitsMin, liveActivityTokenDigitsMax: digitsMax } = limits;

export const pushTokenSchema = z
  .string()
  .regex(/^([0-9a-f]{2})+$/i, 'expected hexadecimal digits, two for each byte of the token')
  .min(digitsMin, `expected ${digitsMin} to ${digitsMax} hexadecimal digits`)
  .max(digitsMax, `expected ${digitsMin} to ${digitsMax} hexadecimal digits`)
  .overwrite((digits) => digits.toLowerCase())
  .describe("The activity's push token from ActivityKit, in hexadecimal.");

export const examplePushToken = '80b1f3c2d4e5a697'.repeat(10);

export const activityTypeSchema = z
  .string()
  .min(1)
  .max(limits.liveActivityTypeCharsMax)
  .refine(isOneLine, 'must not contain control characters')
  .describe('The name of its `ActivityAttributes`, such as `DeliveryAttributes`.');

export const attributesSchema = z
  .record(z.string(), z.unknown())
  .refine(
    (attributes) =>
      Buffer.byteLength(JSON.stringify(attributes)) <= limits.liveActivityAttributesBytesMax,
    `expected at most ${limits.liveActivityAttributesBytesMax} bytes of JSON`,
  )
  .describe('The attributes the activity was started with. Stored for reading back; never sent.');

export const stateSchema = z
  .enum(['active', 'ended', 'closed'])
  .describe('`ended`: the end was accepted. `closed`: the push token is dead.');

const contentState = z
  .record(z.string(), z.unknown())
  .describe(
    `The state to show, matching the app's \`ContentState\`; sent unchanged. At most ${limits.liveActivityStateBytesMax} bytes of JSON, minus the rest of the payload, because Apple limits the total. The 400 says how many bytes are over.`,
  );

const alertText = z
  .string()
  .min(1, 'must not be empty')
  .refine((text) => text.trim() !== '', 'must not be blank');

export const updateBody = z
  .object({
    contentState,
    alert: z
      .object({ title: alertText, body: alertText })
      .nullish()
      .describe(
        'Lights up the screen and plays a sound. Give both texts; ActivityKit ignores one alone.',
      ),
    idempotencyKey: idempotencyKeySchema,
  })
  .meta({
    examples: [
      { contentState: { status: 'on_the_way', etaMinutes: 12 } },
      {
        contentState: { status: 'at_the_door', etaMinutes: 0 },
        alert: { title: 'Your order is here', body: 'The courier is at the door.' },
        idempotencyKey: 'order-1042-at-the-door',
      },
    ],
  });

export const endBody = z
  .object({ contentState, idempotencyKey: idempotencyKeySchema })
  .meta({ examples: [{ contentState: { status: 'delivered', etaMinutes: 0 } }] });

export const liveActivitySchema = z
  .object({
    id: z.string(),
    activityType: z.string(),
    subscriberId: z.string(),
    externalUserId: z.string().nullable(),
    state: stateSchema,
    attributes: z.record(z.string(), z.unknown()).nullable(),
    deviceId: z.string().nullable(),
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({
    id: 'LiveActivity',
    examples: [
      {
        id: exampleIds.liveActivity,
        activityType: 'DeliveryAttributes',
        subscriberId: exampleIds.subscriber,
        externalUserId: 'customer-42',
        state: 'active',
        attributes: { order: '1042' },
        deviceId: null,
        createdAt: exampleInstant(),
        updatedAt: exampleInstant(60),
      },
    ],
  });

export function liveActivityView(row: LiveActivityView): z.output<typeof liveActivitySchema> {
  const { id, activityType, subscriberId, externalUserId, state, attributes, deviceId } = row;
  return {
    id,
    activityType,
    subscriberId,
    externalUserId: externalUserId ?? null,
    state,
    attributes: (attributes as Record<string, unknown> | undefined) ?? null,
    deviceId: deviceId ?? null,
    createdAt: instant(row.createdMs),
    updatedAt: instant(row.updatedMs),
  };
}
