// The list of decisions about open sends.

import { accepted } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { serverRelay } from '../../channels/port/open-relay.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { abandonHeld } from './abandon.ts';
import { statesOfChannels } from './channel-states.ts';
import type { OutboxEntry, OutboxProtocol } from './protocol.ts';
import type { SendsMemory, SendsView } from './reads.ts';
import { healthOfRelays } from './relay-health.ts';
import type { RelayRules } from './relay-rules.ts';
import { report } from './report.ts';
import { endsWithCredential } from './slowdown.ts';
import { sweep } from './sweep.ts';

export interface OutboxRules {
  readonly plan: RelayRules;
}

export const outboxDecisions = ({ plan }: OutboxRules): Decisions<OutboxProtocol, SendsMemory> => ({
  'channel.list': (state, _message, context) =>
    withApp(state, context, ({ outbox }) => accepted(statesOfChannels(outbox, context.nowMs))),

  'relay.health': (state, _message, { owner, nowMs }) => {
    const app = state.apps.get(owner);
    const org = state.orgs.get(owner);
    const apps = app === undefined ? appsOf(state, org?.apps) : [app];
    const ids = new Set([serverRelay, ...apps.flatMap(namedBy), ...(org?.relays.keys() ?? [])]);
    return accepted(healthOfRelays(apps, ids, plan.relayCallsToday, nowMs));
  },

  'transactional.wake': (_state, { sendId }, context) => {
    const entry: OutboxEntry = {
      kind: 'send.woken',
      owner: context.owner,
      sendId,
      atMs: context.nowMs,
    };
    return accepted(null, { entries: [entry] });
  },

  'transactional.sweep': (state, { after }, context) =>
    withApp(state, context, (app) => sweep(app, after, context)),

  'restored.abandon': (state, _message, context) =>
    withApp(state, context, (app) => abandonHeld(app, context)),

  'dispatch.report': (state, { channel, reports }, context) =>
    withApp(state, context, (app) => report(app, plan, channel, reports, context)),

  'dispatch.resume': (state, { channel, now }, context) => {
    const { owner } = context;
    const health = state.apps.get(owner)?.outbox.health(channel);
    if (now === true && (health === undefined || !endsWithCredential(health)))
      return accepted(null);
    const probes = now === true ? { now } : {};
    const entry: OutboxEntry = { kind: 'channel.resumed', owner, channel, ...probes };
    return accepted(null, { entries: [entry] });
  },
});

function appsOf({ apps }: SendsMemory, ordinals: Iterable<Ordinal> = []): readonly SendsView[] {
  return [...ordinals].flatMap((ordinal) => apps.get(ordinal) ?? []);
}

function namedBy({ relays, sharedRelays }: SendsView): readonly string[] {
  return [...relays.keys(), ...sharedRelays.map(({ id }) => id)];
}
