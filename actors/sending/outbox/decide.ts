// The list of decisions about open sends.

import { accepted } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { abandonHeld } from './abandon.ts';
import { statesOfChannels } from './channel-states.ts';
import type { OutboxEntry, OutboxProtocol } from './protocol.ts';
import type { SendsMemory } from './reads.ts';
import { report } from './report.ts';
import { endsWithCredential } from './slowdown.ts';
import { sweep } from './sweep.ts';

export const outboxDecisions: Decisions<OutboxProtocol, SendsMemory> = {
  'channel.list': (state, _message, context) =>
    withApp(state, context, ({ outbox }) => accepted(statesOfChannels(outbox, context.nowMs))),

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
    withApp(state, context, (app) => report(app, channel, reports, context)),

  'dispatch.resume': (state, { channel, now }, context) => {
    const { owner } = context;
    const health = state.apps.get(owner)?.outbox.health(channel);
    if (now === true && (health === undefined || !endsWithCredential(health)))
      return accepted(null);
    const probes = now === true ? { now } : {};
    const entry: OutboxEntry = { kind: 'channel.resumed', owner, channel, ...probes };
    return accepted(null, { entries: [entry] });
  },
};
