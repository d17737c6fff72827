// The list of decisions about transactional sends.

import { accepted, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { keyUsedFault } from '../../faults.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { sendOfRef } from '../outbox/send-key.ts';
import { accept } from './accept.ts';
import { acceptBatch } from './accept-batch.ts';
import { listDeadLetters, redriveDeadLetters } from './dead-letters.ts';
import { withFiles } from './files-used.ts';
import { listSends } from './list-sends.ts';
import type { TransactionalMemory } from './memory.ts';
import type { TransactionalProtocol } from './protocol.ts';
import { readSend } from './read-send.ts';
import { unpackRecipients } from './recipient-columns.ts';
import { testSend } from './test-send.ts';

export const transactionalDecisions: Decisions<TransactionalProtocol, TransactionalMemory> = {
  'transactional.accept': (state, message, context) =>
    withApp(state, context, (app) =>
      withFiles(accept(state, app, message, context), message.request.mail, context),
    ),

  'transactional.earlier': (state, { claim }, context) =>
    withApp(state, context, () => {
      const earlier = state.idempotency.find(claim, context.nowMs, context.ages);
      if (earlier === 'conflict') return refused(keyUsedFault);
      return accepted(earlier === undefined ? null : { id: sendOfRef(earlier) });
    }),

  'message.test': (state, message, context) =>
    withApp(state, context, (app) => testSend(state, app, message, context)),

  'transactional.accept_batch': (state, message, context) =>
    withApp(state, context, (app) => {
      const recipients = unpackRecipients(message.recipients);
      const decision = acceptBatch(state, app, { ...message, recipients }, context);
      return withFiles(decision, message.request.mail, context);
    }),

  'transactional.read': readSend,

  'send.list': (state, message, context) =>
    withApp(state, context, (app) => listSends(app, message, context)),

  'dead_letter.list': (state, message, context) =>
    withApp(state, context, (app) => listDeadLetters(app, message, context)),

  'dead_letter.redrive': (state, message, context) =>
    withApp(state, context, (app) => redriveDeadLetters(app, message, context)),
};
