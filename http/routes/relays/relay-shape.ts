// The wire shape of a relay. Secrets go in and never come out.

import { z } from 'zod';
import type { ChannelId } from '../../../actors/channels/channel-ids.ts';
import { relayKindNames, streams } from '../../../actors/channels/port/open-relay.ts';
import { relayKinds } from '../../../actors/channels/relays/kinds.ts';
import { type RelayHealth, relayStates } from '../../../actors/sending/outbox/circuit.ts';
import type { RelayInput, RelayView } from '../../../actors/tenants/relays/protocol.ts';
import { relayEtag } from '../../../actors/tenants/relays/records.ts';
import { present } from '../../call/answer/present.ts';
import { exampleEtag, exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { etagSchema, instant, instantSchema, nameSchema } from '../../call/schemas/schemas.ts';

const kinds = Object.entries(relayKinds);
const kindNames = relayKindNames.filter((name) => relayKinds[name] !== undefined);
const relayChannels = [...new Set(kinds.flatMap(([, kind]) => kind.channels))] as [
  ChannelId,
  ...ChannelId[],
];

const configSchema = z.record(z.string(), z.unknown()).meta({
  id: 'RelayConfig',
  description: 'The fields each kind needs. Secrets are stored encrypted and never returned.',
  anyOf: kinds.map(([name, kind]) => {
    const { $schema: _dialect, ...schema } = z.toJSONSchema(kind.configSchema, {
      io: 'input',
      unrepresentable: 'any',
    });
    return { ...schema, title: name };
  }),
});

const members = {
  streams: z
    .array(z.enum(streams))
    .min(1)
    .max(streams.length)
    .optional()
    .describe(
      'What leaves by this relay: `transactional` is every send of the transactional lane, `marketing` every campaign and journey. Default: both.',
    ),
  order: z
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe(
      'The relay with the lowest number comes first; the next one takes over while it takes no messages, or has used up its day. Default: after the others.',
    ),
  perSecond: z
    .number()
    .min(0.01)
    .max(10_000)
    .nullish()
    .describe('Messages per second at most, over all apps that share the relay.'),
  perDay: z.int().min(1).max(100_000_000).nullish().describe('The same for a UTC day.'),
  enabled: z.boolean().optional(),
};

export const relayBody = z
  .object({
    name: nameSchema,
    channel: z.enum(relayChannels).default('email'),
    kind: z.enum(kindNames as [(typeof kindNames)[number], ...(typeof kindNames)[number][]]),
    config: configSchema,
    ...members,
  })
  .meta({
    examples: [
      {
        name: 'Postmark, receipts',
        kind: 'postmark',
        streams: ['transactional'],
        config: { serverToken: '00000000-0000-4000-8000-000000000000' },
      },
    ],
  });

export const relayPatch = z
  .object({
    name: nameSchema.optional(),
    config: configSchema
      .optional()
      .describe(
        'Fields that you leave out stay as they are, secrets included; `null` takes one back.',
      ),
    ...members,
  })
  .meta({ examples: [{ perSecond: 14, order: 1 }] });

const healthSchema = z.object({
  state: z
    .enum(relayStates)
    .describe(
      '`refused`: the service rejects the account. `unreachable`: several calls in a row failed. `paused`: it asked for fewer messages. In the meantime the next relay takes its messages, and one message at a time tests whether it works again.',
    ),
  since: instantSchema.nullable(),
  until: instantSchema.nullable().describe('When one message tries it next.'),
  reason: z.string().nullable(),
  detail: z.string().nullable().describe('The service’s own message, if it gave one.'),
  callsToday: z.int().min(0).describe('Messages of this UTC day, if `perDay` is set; else 0.'),
});

const eventsSchema = z.object({
  url: z.string().describe('Where the service must post its events.'),
  proof: z.string().describe('How its calls prove themselves.'),
  since: instantSchema
    .nullable()
    .describe(
      'When its first proven event came. From then on a message is `delivered` when the service says so, not when it accepts it. `null`: it reports nothing yet.',
    ),
  newest: instantSchema
    .nullable()
    .describe(
      'The newest, to the hour. After three days of silence it counts as reporting nothing.',
    ),
});

export const relaySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    channel: z.enum(relayChannels),
    kind: z.enum(relayKindNames),
    streams: z.array(z.enum(streams)),
    order: z.int(),
    perSecond: z.number().nullable(),
    perDay: z.int().nullable(),
    enabled: z.boolean(),
    config: z.record(z.string(), z.unknown()).describe('Without its secrets.'),
    health: healthSchema,
    events: eventsSchema.nullable().describe('`null` if its kind reports nothing.'),
    etag: etagSchema,
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({ id: 'Relay', examples: [exampleRelay()] });

export function relayInput({ config, ...body }: z.output<typeof relayPatch>): RelayInput {
  const { name, streams, order, perSecond, perDay, enabled } = body;
  return present({ name, streams, order, perSecond, perDay, enabled, config });
}

export function relayView(
  relay: RelayView,
  health: RelayHealth | undefined,
  publicUrl: string,
): z.output<typeof relaySchema> {
  const { id, name, channel, kind, order, enabled, shown, createdMs, updatedMs } = relay;
  const { perSecond = null, perDay = null } = relay;
  const events = relayKinds[kind]?.events;
  return {
    ...{ id, name, channel, kind, order, perSecond, perDay, enabled },
    streams: [...relay.streams],
    config: { ...shown },
    health: healthView(health),
    events:
      events === undefined
        ? null
        : {
            url: `${publicUrl}/v1/webhooks/relay/${id}`,
            proof: events.proof,
            since: orNull(relay.reportsSinceMs),
            newest: orNull(relay.reportedMs),
          },
    etag: relayEtag(relay),
    createdAt: instant(createdMs),
    updatedAt: instant(updatedMs),
  };
}

function healthView(health: RelayHealth | undefined): z.output<typeof healthSchema> {
  const { state = 'ok', sinceMs = null, untilMs = null, callsToday = 0 } = health ?? {};
  return {
    state,
    since: orNull(sinceMs),
    until: orNull(untilMs),
    reason: health?.because?.reason ?? null,
    detail: health?.because?.detail ?? null,
    callsToday,
  };
}

function orNull(ms: number | null | undefined): string | null {
  return ms == null ? null : instant(ms);
}

function exampleRelay() {
  return {
    id: exampleIds.relay,
    name: 'Postmark, receipts',
    channel: 'email' as const,
    kind: 'postmark' as const,
    streams: ['transactional' as const],
    order: 1,
    perSecond: null,
    perDay: null,
    enabled: true,
    config: { messageStream: 'outbound' },
    health: {
      state: 'unreachable' as const,
      since: exampleInstant(),
      until: exampleInstant(30),
      reason: 'timeout',
      detail: null,
      callsToday: 0,
    },
    events: {
      url: `https://engage.example/v1/webhooks/relay/${exampleIds.relay}`,
      proof: 'the password in its address',
      since: exampleInstant(),
      newest: exampleInstant(3_600),
    },
    etag: exampleEtag,
    createdAt: exampleInstant(),
    updatedAt: exampleInstant(),
  };
}
