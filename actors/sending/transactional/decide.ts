// Decisions of the transactional lane. Each is a file of its own; this is the list.

import { accepted } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { PartitionState } from '../../state.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { abandonHeld } from './abandon.ts';
import { accept } from './accept.ts';
import { acceptBatch } from './accept-batch.ts';
import { listDeadLetters, redriveDeadLetters } from './dead-letters.ts';
import { erasedOutcomes } from './erased.ts';
import type { SendView, TransactionalEntry, TransactionalProtocol } from './protocol.ts';
import { report } from './report.ts';
import { sendRow } from './send-chunk.ts';
import { statusOfSend } from './status.ts';
import { sweep } from './sweep.ts';

export const transactionalDecisions: Decisions<TransactionalProtocol, PartitionState> = {
  'transactional.accept': (state, message, context) =>
    withApp(state, context, (app) => accept(state, app, message, context)),

  'transactional.accept_batch': (state, message, context) =>
    withApp(state, context, (app) => acceptBatch(state, app, message, context)),

  'transactional.read': (state, { id }, context) => {
    // An id that this app never queued, another tenant's included, reads as pending
    // (specification).
    const unknown: SendView = {
      id,
      status: 'pending',
      outcomes: [],
      failures: { open: 0, recovered: 0 },
    };
    const app = state.apps.get(context.owner);
    const row = app === undefined ? undefined : sendRow(context.documents, context.owner, id);
    if (row === undefined) return accepted(unknown);
    const isErased = app?.people.erased.has(row.person) === true;
    return accepted({
      id,
      status: statusOfSend(row.outcomes),
      outcomes: isErased ? erasedOutcomes(row.outcomes) : row.outcomes,
      failures: { open: row.deadLettersOpen, recovered: row.deadLettersRecovered },
      ...(row.test === true ? { test: true } : {}),
    });
  },

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

  'dispatch.resume': (_state, { channel }, context) => {
    const entry: TransactionalEntry = { kind: 'channel.resumed', owner: context.owner, channel };
    return accepted(null, { entries: [entry] });
  },

  'dead_letter.list': (state, message, context) =>
    withApp(state, context, (app) => listDeadLetters(app, message, context)),

  'dead_letter.redrive': (state, message, context) =>
    withApp(state, context, (app) => redriveDeadLetters(app, message, context)),
};
