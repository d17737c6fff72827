// Decides when providers and gateways are asked what became of messages, and what they answer.

import type { Decisions } from '../../../engine/actor/protocol.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { askGatewayDue, gatewayTold } from './gateway-results.ts';
import type { CallbacksMemory } from './memory.ts';
import { type PollPlan, pollDue, polled } from './poll.ts';
import type { CallbacksProtocol } from './protocol.ts';
import type { SecretReader } from './secrets.ts';

type PollMessages = Pick<
  CallbacksProtocol,
  'callback.poll' | 'callback.polled' | 'callback.ask_gateway'
>;

export function pollDecisions(
  secrets: SecretReader,
  plan: PollPlan,
): Decisions<PollMessages, CallbacksMemory> {
  return {
    'callback.poll': (state, { channel }, context) =>
      withApp(state, context, (app) => pollDue(app, channel, secrets, plan, context)),

    'callback.polled': (state, message, context) =>
      withApp(state, context, (app) => {
        const { relayId } = message;
        if (relayId === undefined) return polled(app, message, secrets, plan, context);
        return gatewayTold(app, relayId, message, context);
      }),

    'callback.ask_gateway': (state, { relayId }, context) =>
      withApp(state, context, (app) => askGatewayDue(app, relayId, secrets, plan, context)),
  };
}
