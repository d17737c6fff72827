// Lists the channels of an app, with whether their providers take its messages now.

import { z } from 'zod';
import { type ChannelStateView, channelStates } from '../../../actors/sending/outbox/circuit.ts';
import type { OutboxProtocol } from '../../../actors/sending/outbox/protocol.ts';
import { key, route } from '../../call/route.ts';
import { exampleInstant } from '../../call/schemas/example-ids.ts';
import { channelSchema, instant, instantSchema } from '../../call/schemas/schemas.ts';

const examples = [
  {
    channel: 'sms' as const,
    state: 'refused' as const,
    until: exampleInstant(),
    reason: 'unauthorized',
    detail: 'Authenticate',
    since: null,
    domains: [],
  },
  {
    channel: 'email' as const,
    state: 'slowed' as const,
    until: null,
    reason: 'throttled',
    detail: '421 4.7.28 Unusual rate of mail',
    since: null,
    domains: [
      {
        domain: 'example.com',
        since: exampleInstant(),
        until: exampleInstant(),
        reason: 'throttled',
        detail: '421 4.7.28 Unusual rate of mail',
      },
    ],
  },
];

const slowedSchema = {
  since: instantSchema
    .nullable()
    .describe('Since when the provider has asked for fewer messages; `null` if it does not.'),
  until: instantSchema
    .nullable()
    .describe(
      'When one send is tried next; no send begins before. `null` if there is no wait, or while that send is in progress.',
    ),
  reason: z
    .string()
    .nullable()
    .describe(
      'Why the provider did not accept the last message that failed, as in the story of a send; `null` for `ok`.',
    ),
  detail: z.string().nullable().describe('The provider’s own message, if it gave one.'),
};

const channelStateSchema = z
  .object({
    channel: channelSchema,
    state: z
      .enum(channelStates)
      .describe(
        '`refused`: the provider rejects the account, mostly for its credential. `unreachable`: several calls in a row failed to reach it. `paused`: the provider asked for fewer messages. In all three, sends wait while one at a time is retried, until the provider accepts one: for `paused` after the delay that the provider named, at most an hour; otherwise after 30 seconds, then 1, 2, 5, 10 and 15 minutes. Channels of one account pause together. `slowed`: the same for some `domains` alone. `degraded`: a part of the provider does not accept messages, such as the push service of one browser.',
      ),
    ...slowedSchema,
    domains: z
      .array(z.object({ domain: z.string(), ...slowedSchema }))
      .describe(
        'Domains that asked for fewer messages: of email recipients, or of push services. Messages to other domains are sent. At most 64; with more, the whole channel is `paused`.',
      ),
  })
  .meta({
    id: 'ChannelState',
    examples,
  });

export const listChannels = route({
  method: 'GET',
  path: '/v1/apps/:appId/channels',
  summary: 'List channels',
  description:
    'All channels, and whether their providers currently accept messages from this app, according to its latest sends. A channel that never sent is `ok`; test a credential with `POST /v1/apps/:appId/credentials/:channel/check`. The state survives a restart and ends when a send succeeds; a new credential brings the next attempt forward.',
  tag: 'Credentials',
  access: key('read'),
  reads: ['app', 'credential', 'email-domain'],
  responses: {
    200: {
      description: 'Every channel once.',
      schema: z
        .object({ items: z.array(channelStateSchema) })
        .meta({ examples: [{ items: examples }] }),
    },
  },
  async handle(call) {
    const states = await call.to<OutboxProtocol>(call.app()).ask('channel.list', {});
    return { status: 200, body: { items: states.map(view) } };
  },
});

function view({ channel, state, domains, ...slowed }: ChannelStateView) {
  return {
    channel,
    state,
    ...slowedView(slowed),
    domains: domains.map(({ domain, ...one }) => ({ domain, ...slowedView(one) })),
  };
}

function slowedView({
  sinceMs,
  untilMs,
  because,
}: Pick<ChannelStateView, 'sinceMs' | 'untilMs' | 'because'>) {
  return {
    since: sinceMs === null ? null : instant(sinceMs),
    until: untilMs === null ? null : instant(untilMs),
    reason: because?.reason ?? null,
    detail: because?.detail ?? null,
  };
}
