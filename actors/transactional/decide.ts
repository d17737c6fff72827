// Decisions of the transactional lane. Each is a file of its own; this is the list.

import { accepted, type DocumentWrite, type KeyPart } from '../../engine/actor/message.ts';
import type { Decisions } from '../../engine/actor/protocol.ts';
import { dayMs, hourMs } from '../../engine/base/brand.ts';
import { formatId, parseId } from '../../engine/base/id.ts';
import { providerReceipts } from '../../storage/tables/provider-receipt.ts';
import { deadLetters, sends } from '../../storage/tables/send.ts';
import { sendChunks } from '../../storage/tables/send-chunk.ts';
import { withApp } from '../accounts/decide.ts';
import { limits } from '../limits.ts';
import type { PartitionState } from '../state.ts';
import { sendsSweepTimer } from '../timers.ts';
import { accept } from './accept.ts';
import { acceptBatch } from './accept-batch.ts';
import { sweptActivities } from './activity-push.ts';
import { listDeadLetters, redriveDeadLetters } from './dead-letters.ts';
import { erasedOutcomes } from './erased.ts';
import type { SendView, TransactionalEntry, TransactionalProtocol } from './protocol.ts';
import { report } from './report.ts';
import { chunkSends, idsOfChunk, sendRow } from './send-chunk.ts';
import { partsOfKey, sendKey, sendKeyFrom } from './send-key.ts';
import { statusOfSend } from './status.ts';

const sweepRows = 1_000;
const sweepChunks = Math.floor(sweepRows / chunkSends);

export const transactionalDecisions: Decisions<TransactionalProtocol, PartitionState> = {
  'transactional.accept': (state, message, context) =>
    withApp(state, context, (app) => accept(state, app, message, context)),

  'transactional.accept_batch': (state, message, context) =>
    withApp(state, context, (app) => acceptBatch(state, app, message, context)),

  'transactional.read': (state, { id }, context) => {
    // An id that this app never queued, another tenant's included, reads as pending (specification).
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
    withApp(state, context, (app) => {
      const days = app.settings.eventsRetentionDays ?? limits.eventsRetentionDays;
      const cutMs = context.nowMs - days * dayMs;
      // What is open stays, however old: the next turn goes on behind it.
      const from =
        (after === undefined ? undefined : sendKey(context.owner, after)) ??
        sendKeyFrom(context.owner, 0);
      const documents: DocumentWrite[] = [];
      // One record that cannot be read must not end retention for all: it goes by its key, which says how old it is.
      let damaged = 0;
      const goes = (table: DocumentWrite['table']) => (key: readonly KeyPart[]) => {
        damaged++;
        documents.push({ table, key, value: undefined });
      };
      const old = context.documents.range(sends, {
        from,
        to: sendKeyFrom(context.owner, cutMs),
        limit: sweepRows,
        damaged: goes(sends),
      });
      for (const { key, value } of old) {
        if (app.outbox.jobs.has(value.id)) continue;
        documents.push({ table: sends, key, value: undefined });
      }
      const chunks = context.documents.range(sendChunks, {
        from,
        to: sendKeyFrom(context.owner, cutMs),
        limit: sweepChunks,
        damaged: goes(sendChunks),
      });
      for (const { key, value } of chunks) {
        const ids = idsOfChunk(partsOfKey(key), value);
        if (ids.some((id) => app.outbox.jobs.has(id))) continue;
        documents.push({ table: sendChunks, key, value: undefined });
      }
      const told = context.documents.range(providerReceipts, {
        from,
        to: sendKeyFrom(context.owner, cutMs),
        limit: sweepRows,
        damaged: goes(providerReceipts),
      });
      for (const { key } of told)
        documents.push({ table: providerReceipts, key, value: undefined });
      const letters = context.documents.range(deadLetters, {
        limit: sweepRows,
        damaged: ([id]) => {
          if ((parseId('dl', id as string)?.atMs ?? 0) < cutMs) goes(deadLetters)([id as string]);
        },
      });
      // A letter goes with its send, also one that a redrive has opened again since.
      const oldLetters = letters.filter(({ value: { sendId } }) => {
        return (parseId('ntf', sendId)?.atMs ?? 0) < cutMs && !app.outbox.jobs.has(sendId);
      });
      for (const { key } of oldLetters)
        documents.push({ table: deadLetters, key, value: undefined });
      const activities = sweptActivities(context.documents, context.owner, cutMs, sweepRows);
      documents.push(...activities.documents);
      // A full page means that there is more: go on in a second, else look again in an hour.
      const isMore =
        damaged > 0 ||
        old.length === sweepRows ||
        chunks.length === sweepChunks ||
        told.length === sweepRows ||
        activities.count === sweepRows ||
        (letters.length === sweepRows && oldLetters.length > 0);
      const nextMs = context.nowMs + (isMore ? 1_000 : hourMs);
      const ends = [
        old.length === sweepRows ? old.at(-1)?.key : undefined,
        chunks.length === sweepChunks ? chunks.at(-1)?.key : undefined,
        told.length === sweepRows ? told.at(-1)?.key : undefined,
      ];
      const reached = ends
        .flatMap((key) => (key === undefined ? [] : formatId('ntf', partsOfKey(key))))
        .sort()[0];
      const swept: TransactionalEntry = {
        kind: 'sends.swept',
        owner: context.owner,
        count: documents.length,
      };
      return accepted(null, {
        entries: [swept, sendsSweepTimer(context.owner, nextMs, reached)],
        documents,
      });
    }),

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
