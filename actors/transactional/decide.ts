// Decisions of the transactional lane. Each is a file of its own; this is the list.

import { accepted, type DocumentWrite, refused } from '../../engine/actor/message.ts';
import type { Decisions } from '../../engine/actor/protocol.ts';
import { dayMs, hourMs } from '../../engine/base/brand.ts';
import { fieldFault } from '../../engine/base/fault.ts';
import { type DeadLetterRow, deadLetters, sends } from '../../storage/tables/send.ts';
import { withApp } from '../accounts/decide.ts';
import type { ChannelId } from '../channels/catalog.ts';
import { limits } from '../limits.ts';
import type { PartitionState } from '../state.ts';
import { sendsSweepTimer } from '../timers.ts';
import { accept } from './accept.ts';
import type { SendView, TransactionalEntry, TransactionalProtocol } from './protocol.ts';
import { report } from './report.ts';
import { sendKey, sendKeyFrom } from './send-key.ts';
import { statusOfSend } from './status.ts';

type Redriven = Extract<TransactionalEntry, { kind: 'send.redriven' }>;
type RedrivenTarget = Redriven['targets'][number];

const sweepRows = 1_000;
const redriveMax = 1_000;

export const transactionalDecisions: Decisions<TransactionalProtocol, PartitionState> = {
  'transactional.accept': (state, message, context) =>
    withApp(state, context, (app) => accept(state, app, message, context)),

  'transactional.read': (state, { id }, context) => {
    // An id that this app never queued, another tenant's included, reads as pending (specification).
    const unknown: SendView = {
      id,
      status: 'pending',
      outcomes: [],
      failures: { open: 0, recovered: 0 },
    };
    const key = sendKey(context.owner, id);
    const row =
      key === undefined || !state.apps.has(context.owner)
        ? undefined
        : context.documents.get(sends, key);
    if (row === undefined) return accepted(unknown);
    return accepted({
      id,
      status: statusOfSend(row.outcomes),
      outcomes: row.outcomes,
      failures: { open: row.deadLettersOpen, recovered: row.deadLettersRecovered },
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

  'transactional.sweep': (state, _message, context) =>
    withApp(state, context, (app) => {
      const days = app.settings.eventsRetentionDays ?? limits.eventsRetentionDays;
      const cutMs = context.nowMs - days * dayMs;
      const old = context.documents.range(sends, {
        from: sendKeyFrom(context.owner, 0),
        to: sendKeyFrom(context.owner, cutMs),
        limit: sweepRows,
      });
      const documents: DocumentWrite[] = [];
      for (const { key, value } of old) {
        if (app.outbox.jobs.has(value.id)) continue;
        documents.push({ table: sends, key, value: undefined });
      }
      const letters = context.documents.range(deadLetters, { limit: sweepRows });
      for (const { key, value } of letters) {
        if (value.atMs < cutMs) documents.push({ table: deadLetters, key, value: undefined });
      }
      // A full page means that there is more: go on in a second, else look again in an hour.
      const nextMs = context.nowMs + (old.length === sweepRows ? 1_000 : hourMs);
      const swept: TransactionalEntry = {
        kind: 'sends.swept',
        owner: context.owner,
        count: documents.length,
      };
      return accepted(null, {
        entries: [swept, sendsSweepTimer(context.owner, nextMs)],
        documents,
      });
    }),

  'dispatch.report': (state, { channel, reports }, context) =>
    withApp(state, context, (app) => report(app, channel, reports, context)),

  'dispatch.resume': (_state, { channel }, context) => {
    const entry: TransactionalEntry = { kind: 'channel.resumed', owner: context.owner, channel };
    return accepted(null, { entries: [entry] });
  },

  'dead_letter.list': (state, { lane, reason, limit, cursor }, context) =>
    withApp(state, context, () => {
      if (cursor !== undefined && !/^dl_\w{26}$/.test(cursor)) {
        return refused(fieldFault('cursor', 'not a cursor of this list'));
      }
      const items: DeadLetterRow[] = [];
      let nextCursor: string | null = null;
      const rows = context.documents.range(deadLetters, {
        ...(cursor === undefined ? {} : { from: [cursor] }),
        limit: 10_000,
      });
      for (const { value } of rows) {
        if (lane !== undefined && value.lane !== lane) continue;
        if (reason !== undefined && value.reason !== reason) continue;
        if (items.length === limit) {
          nextCursor = value.id;
          break;
        }
        items.push(value);
      }
      return accepted({ items, nextCursor });
    }),

  'dead_letter.redrive': (state, { ids, reason, all }, context) =>
    withApp(state, context, (app) => {
      const documents: DocumentWrite[] = [];
      // A send has one job, so all its letters go into one entry.
      const bySend = new Map<string, Redriven & { readonly targets: RedrivenTarget[] }>();
      const taken = new Set<string>();
      const letters =
        ids === undefined
          ? context.documents.range(deadLetters, { limit: 10_000 }).map(({ value }) => value)
          : ids.flatMap((id) => context.documents.get(deadLetters, [id]) ?? []);
      for (const letter of letters) {
        if (taken.size === redriveMax) break;
        if (letter.recoveredMs !== undefined || letter.redrivenMs !== undefined) continue;
        if (ids === undefined && all !== true && letter.reason !== reason) continue;
        if (taken.has(letter.id) || app.outbox.jobs.has(letter.sendId)) continue;
        const key = sendKey(context.owner, letter.sendId);
        const row = key === undefined ? undefined : context.documents.get(sends, key);
        if (row === undefined) continue;
        taken.add(letter.id);
        documents.push({
          table: deadLetters,
          key: [letter.id],
          value: { ...letter, redrivenMs: context.nowMs },
        });
        const { deviceId, sendId } = letter;
        const entry = bySend.get(sendId) ?? {
          kind: 'send.redriven' as const,
          owner: context.owner,
          sendId,
          person: row.person,
          atMs: context.nowMs,
          targets: [],
        };
        entry.targets.push({
          deviceId,
          channel: letter.channel as ChannelId,
          deadLetter: letter.id,
        });
        bySend.set(sendId, entry);
      }
      return accepted({ redriven: taken.size }, { entries: [...bySend.values()], documents });
    }),
};
