// The list of decisions about open sends.

import { accepted } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { serverRelay } from '../../channels/port/open-relay.ts';
import type { Sealer } from '../../sealer.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { openRelay } from '../../tenants/relays/open-relay.ts';
import type { RelayRecord } from '../../tenants/relays/records.ts';
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
  readonly sealer: Sealer;
}

export const outboxDecisions = ({
  plan,
  sealer,
}: OutboxRules): Decisions<OutboxProtocol, SendsMemory> => ({
  'channel.list': (state, _message, context) =>
    withApp(state, context, ({ outbox }) => accepted(statesOfChannels(outbox, context.nowMs))),

  'relay.health': (state, _message, { owner, nowMs }) => {
    const app = state.apps.get(owner);
    const org = state.orgs.get(owner);
    const apps = app === undefined ? appsOf(state, org?.apps) : [app];
    const relays = [...apps.flatMap(relaysOf), ...(org?.relays.values() ?? [])];
    const named = new Map([[serverRelay, true]]);
    for (const relay of relays)
      if (!named.has(relay.id)) named.set(relay.id, openRelay(relay, sealer, nowMs) !== undefined);
    return accepted(healthOfRelays(apps, named, plan.relayCallsToday, nowMs));
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

  'dispatch.resume': (state, { channel, now, relayMended }, context) => {
    const { owner } = context;
    const outbox = state.apps.get(owner)?.outbox;
    const wakes = relayMended === true && outbox !== undefined && outbox.openOn(channel) > 0;
    const ends = outbox !== undefined && endsWithCredential(outbox.health(channel));
    if (now === true && !wakes && !ends) return accepted(null);
    const mended = now === true ? { now, ...(wakes ? { wakes } : {}) } : {};
    const entry: OutboxEntry = { kind: 'channel.resumed', owner, channel, ...mended };
    return accepted(null, { entries: [entry] });
  },
});

function appsOf({ apps }: SendsMemory, ordinals: Iterable<Ordinal> = []): readonly SendsView[] {
  return [...ordinals].flatMap((ordinal) => apps.get(ordinal) ?? []);
}

function relaysOf({ relays, sharedRelays }: SendsView): readonly RelayRecord[] {
  return [...relays.values(), ...sharedRelays];
}
