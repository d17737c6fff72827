// Lists the channels of an app, with whether their providers take its messages now.

import { z } from 'zod';
import {
  type ChannelStateView,
  channelStates,
} from '../../../actors/sending/transactional/circuit.ts';
import type { TransactionalProtocol } from '../../../actors/sending/transactional/protocol.ts';
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
      'No send begins before; then one finds out. `null` without a wait, or while one does.',
    ),
  reason: z
    .string()
    .nullable()
    .describe(
      'Why the provider did not take the last message that it refused or did not answer, as in the story of a send; `null` for `ok`.',
    ),
  detail: z.string().nullable().describe('The same in the provider’s words, if it gave any.'),
};

const channelStateSchema = z
  .object({
    channel: channelSchema,
    state: z
      .enum(channelStates)
      .describe(
        '`refused`: the provider rejects the account, mostly for its credential. `unreachable`: several calls in a row did not get through. `paused`: the provider asked for fewer messages. In all three, sends wait and one at a time tries again: after `paused` when the delay is over that the provider named, an hour at most, or after 30 seconds, then 1, 2, 5, 10 and 15 minutes, until it accepts one. Channels of one account pause together. `slowed`: the same for some `domains` alone. `degraded`: a part of the provider does not take messages, such as the push service of one browser.',
      ),
    ...slowedSchema,
    domains: z
      .array(z.object({ domain: z.string(), ...slowedSchema }))
      .describe(
        'Domains that asked for fewer messages alone: of recipients of email, or of push services. Messages to others go out. At most 64; with more, the whole channel is `paused`.',
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
    'All channels, with whether their providers take messages of this app now, as its last sends found it. A channel that never sent is `ok`; try a credential with `POST /v1/apps/:appId/credentials/:channel/check`. The state outlives a restart, and ends with a send that gets through; a new credential brings the next try forward.',
  tag: 'Credentials',
  access: key('read'),
  reads: ['app', 'credential', 'email-domain'],
  lane: 'standard',
  responses: {
    200: {
      description: 'Every channel once.',
      schema: z
        .object({ items: z.array(channelStateSchema) })
        .meta({ examples: [{ items: examples }] }),
    },
  },
  refusals: [404],
  async handle(call) {
    const states = await call.to<TransactionalProtocol>(call.app()).ask('channel.list', {});
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
