// Lists the channels of an app, with whether their providers take its messages now.

import { z } from 'zod';
import {
  type ChannelStateView,
  channelStates,
} from '../../../actors/sending/transactional/circuit.ts';
import type { TransactionalProtocol } from '../../../actors/sending/transactional/protocol.ts';
import { exampleInstant } from '../../example-ids.ts';
import { key, route } from '../../route.ts';
import { channelSchema, instant, instantSchema } from '../../schemas.ts';

const examples = [
  {
    channel: 'sms' as const,
    state: 'refused' as const,
    until: exampleInstant(),
    reason: 'unauthorized',
    detail: 'Authenticate',
  },
  { channel: 'email' as const, state: 'ok' as const, until: null, reason: null, detail: null },
];

const channelStateSchema = z
  .object({
    channel: channelSchema,
    state: z
      .enum(channelStates)
      .describe(
        '`refused`: the provider rejects the account, mostly for its credential. `unreachable`: several calls in a row did not get through. In both, sends wait and one at a time tries again. `paused`: the provider asked for a pause, and sends go out after it. `degraded`: a part of the provider does not take messages, such as the push service of one browser.',
      ),
    until: instantSchema.nullable().describe('No send begins before; `null` without a wait.'),
    reason: z
      .string()
      .nullable()
      .describe(
        'Why the provider did not take the last message that it refused or did not answer, as in the story of a send; `null` for `ok` and `paused`.',
      ),
    detail: z.string().nullable().describe('The same in the provider’s words, if it gave any.'),
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

function view({ channel, state, untilMs, because }: ChannelStateView) {
  return {
    channel,
    state,
    until: untilMs === null ? null : instant(untilMs),
    reason: because?.reason ?? null,
    detail: because?.detail ?? null,
  };
}
