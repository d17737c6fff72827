// Decides about an app's integration with a customer-data platform, and about the calls it sends.

import { accepted, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { fault, notFound } from '../../faults.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { acceptCalls } from './accept-calls.ts';
import type { CdpEntry, CdpProtocol, IntegrationView, WriteKeys } from './protocol.ts';
import type { CdpMemory } from './view.ts';
import { isWriteKey, replaceKey } from './write-key.ts';

export const cdpDecisions: Decisions<CdpProtocol, CdpMemory> = {
  'cdp.put': (state, { secretHash }, context) =>
    withApp(state, context, (app) => {
      const keys = replaceKey(app.writeKeys, secretHash, context.nowMs);
      const entry: CdpEntry = { kind: 'cdp.key_changed', owner: context.owner, keys };
      const created = app.writeKeys === null;
      return accepted({ integration: viewOf(keys), created }, { entries: [entry] });
    }),

  'cdp.remove': (state, _message, context) =>
    withApp(state, context, (app) => {
      if (app.writeKeys === null) return refused(notFound('integration'));
      const entry: CdpEntry = { kind: 'cdp.removed', owner: context.owner };
      return accepted(null, { entries: [entry] });
    }),

  'integration.list': (state, _message, context) =>
    withApp(state, context, (app) =>
      accepted(app.writeKeys === null ? [] : [viewOf(app.writeKeys)]),
    ),

  'cdp.verify': (state, { secretHash }, context) => {
    const keys = state.apps.get(context.owner)?.writeKeys ?? null;
    return accepted(isWriteKey(keys, secretHash, context));
  },

  'cdp.take': (state, { secretHash, calls }, context) =>
    withApp(state, context, (app) =>
      isWriteKey(app.writeKeys, secretHash, context)
        ? acceptCalls(state, app, calls, context)
        : refused(fault('unauthorized', 'unknown write key')),
    ),
};

function viewOf({ createdMs, updatedMs }: WriteKeys): IntegrationView {
  return { type: 'cdp', enabled: true, createdMs, updatedMs };
}
