// The list of decisions about sends.

import { accepted } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { abandonHeld } from './abandon.ts';
import { accept } from './accept.ts';
import { acceptBatch } from './accept-batch.ts';
import { statesOfChannels } from './channel-states.ts';
import { listDeadLetters, redriveDeadLetters } from './dead-letters.ts';
import { listSends } from './list-sends.ts';
import type { TransactionalEntry, TransactionalProtocol } from './protocol.ts';
import { readSend } from './read-send.ts';
import { report } from './report.ts';
import { endsWithCredential } from './slowdown.ts';
import { sweep } from './sweep.ts';
import { testSend } from './test-send.ts';
import type { SendsMemory } from './view.ts';

export const transactionalDecisions: Decisions<TransactionalProtocol, SendsMemory> = {
  'transactional.accept': (state, message, context) =>
    withApp(state, context, (app) => accept(state, app, message, context)),

  'message.test': (state, message, context) =>
    withApp(state, context, (app) => testSend(state, app, message, context)),

  'transactional.accept_batch': (state, message, context) =>
    withApp(state, context, (app) => acceptBatch(state, app, message, context)),

  'transactional.read': readSend,

  'channel.list': (state, _message, context) =>
    withApp(state, context, ({ outbox }) => accepted(statesOfChannels(outbox, context.nowMs))),

  'send.list': (state, message, context) =>
    withApp(state, context, (app) => listSends(app, message, context)),

  'transactional.wake': (_state, { sendId }, context) => {
    const entry: TransactionalEntry = {
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
    const entry: TransactionalEntry = { kind: 'channel.resumed', owner, channel, ...probes };
    return accepted(null, { entries: [entry] });
  },

  'dead_letter.list': (state, message, context) =>
    withApp(state, context, (app) => listDeadLetters(app, message, context)),

  'dead_letter.redrive': (state, message, context) =>
    withApp(state, context, (app) => redriveDeadLetters(app, message, context)),
};
