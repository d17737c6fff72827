// Decides about an app's integration with a customer-data platform, and about the calls it sends.

import { accepted, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { fault, notFound } from '../../faults.ts';
import { owingNew } from '../../people/audience/consent.ts';
import { allowsPaid } from '../../people/paid-channels.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { acceptCalls } from './accept-calls.ts';
import type { CdpMemory } from './memory.ts';
import type { CdpEntry, CdpProtocol, IntegrationView, WriteKeys } from './protocol.ts';
import { isWriteKey, replaceKey } from './write-key.ts';

export interface CdpRules {
  readonly plan: {
    /** True in live mode. */
    readonly credentialsRequired: boolean;
  };
}

export function cdpDecisions({
  plan: { credentialsRequired: isLive },
}: CdpRules): Decisions<CdpProtocol, CdpMemory> {
  return {
    ...connection,
    'cdp.take': (state, { secretHash, calls }, context) =>
      withApp(state, context, (app) => {
        if (!isWriteKey(app.writeKeys, secretHash, context))
          return refused(fault('unauthorized', 'unknown write key'));
        const isPaid = allowsPaid(app.settings, isLive);
        const decision = acceptCalls(state, app, calls, context, isPaid);
        const isAsked = app.writeKeys?.consent === 'doubleOptIn';
        return isAsked ? owingNew(decision, context) : decision;
      }),
  };
}

const connection: Omit<Decisions<CdpProtocol, CdpMemory>, 'cdp.take'> = {
  'cdp.put': (state, { secretHash, settings }, context) =>
    withApp(state, context, (app) => {
      const keys = { ...replaceKey(app.writeKeys, secretHash, context.nowMs), ...settings };
      const entry: CdpEntry = { kind: 'cdp.key_changed', owner: context.owner, keys };
      const created = app.writeKeys === null;
      return accepted({ integration: viewOf(keys), created }, { entries: [entry] });
    }),

  'cdp.configure': (state, { settings }, context) =>
    withApp(state, context, (app) => {
      if (app.writeKeys === null) return refused(notFound('integration'));
      const keys = { ...app.writeKeys, ...settings };
      const entry: CdpEntry = { kind: 'cdp.key_changed', owner: context.owner, keys };
      return accepted(viewOf(keys), { entries: [entry] });
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
};

function viewOf({
  createdMs,
  updatedMs,
  devicesFromTraits = true,
  consent = 'confirmed',
}: WriteKeys): IntegrationView {
  return { type: 'cdp', enabled: true, createdMs, updatedMs, devicesFromTraits, consent };
}
