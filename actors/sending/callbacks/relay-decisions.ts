// Decides what services and gateways tell through relays.

import type { Decisions } from '../../../engine/actor/protocol.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { relayOf } from '../../tenants/relays/reads.ts';
import { AppliedCallback } from './applied-callback.ts';
import type { CallbacksMemory } from './memory.ts';
import { useToken } from './proof-tokens.ts';
import type { CallbacksProtocol } from './protocol.ts';
import { applyRelayed } from './relayed-events.ts';
import type { ReportResult } from './reported-sends.ts';

type RelayMessages = Pick<
  CallbacksProtocol,
  'callback.relay' | 'callback.gateway' | 'callback.proof'
>;

export const relayDecisions: Decisions<RelayMessages, CallbacksMemory> = {
  'callback.relay': (state, told, context) =>
    withApp(state, context, (app) => {
      const applied = new AppliedCallback(app, context);
      const { sends } = applied;
      const count = (result: ReportResult) => applied.count(result);
      const clicks = applyRelayed({ state, app, sends }, told, count, context);
      return applied.decision(undefined, clicks);
    }),

  'callback.gateway': (state, { relayId, items }, context) =>
    withApp(state, context, (app) => {
      const applied = new AppliedCallback(app, context);
      const relay = relayOf(app, relayId);
      for (const item of items) {
        if (relay === undefined) applied.count('ignored');
        else applied.item(relay.channel, item);
      }
      return applied.decision();
    }),

  'callback.proof': useToken,
};
