// The audit log of an org: written in the turn of the change it is about, so that there is no
// change without its note and no note without its change (`notes.ts` says which), and read newest
// first. What a reader would get wrong: the owner is the org, also of what happened in an app, so
// that the log still has it when the app is gone; and one read of the table is the log. Source:
// contract, section 2; specification, "Message template".

import { accepted, type DocumentWrite, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { newId, parseId } from '../../../engine/base/id.ts';
import { type AuditNoteRow, auditNotes } from '../../../storage/tables/audit-note.ts';
import { limits } from '../../limits.ts';
import { withOrg } from '../../tenants/accounts/with-app.ts';
import type { AuditEntry, AuditInside, AuditProtocol } from './protocol.ts';
import type { AuditMemory } from './view.ts';

/**
 * Old notes that a new one takes along, so that a log that has ended up too long becomes shorter
 * with each.
 */
const removedWithOne = 2;
/** Notes that one read of a filtered list looks at, some 10 ms of a turn. */
const rowsLookedAt = 2_000;

export const auditDecisions: Decisions<AuditInside & AuditProtocol, AuditMemory> = {
  'audit.note': (state, { note }, context) =>
    withOrg(state, context, (org) => {
      const { owner, nowMs, rng, documents: stored } = context;
      // Ids of what belongs to an org have no ordinal.
      const row: AuditNoteRow = { id: newId('aud', 0, note.atMs, rng), ...note };
      const documents: DocumentWrite[] = [{ table: auditNotes, key: [row.id], value: row }];
      const isFull = org.auditNotes >= limits.auditNotesMax;
      for (const { key, value } of stored.range(auditNotes, { limit: removedWithOne }))
        if (isFull || value.atMs < nowMs - limits.auditKeptMs)
          documents.push({ table: auditNotes, key, value: undefined });
      const removed = documents.length - 1;
      const base: AuditEntry = { kind: 'audit.noted', owner, note: row };
      const entry: AuditEntry = removed === 0 ? base : { ...base, removed };
      return accepted(null, { entries: [entry], documents });
    }),

  'audit.list': (state, { appId, actor, action, limit, cursor }, context) =>
    withOrg(state, context, () => {
      if (cursor !== undefined && parseId('aud', cursor) === undefined)
        return refused(fieldFault('cursor', 'invalid cursor for this list'));
      const rows = context.documents.range(auditNotes, {
        ...(cursor === undefined ? {} : { to: [cursor] }),
        reverse: true,
        limit: rowsLookedAt,
      });
      const oldestMs = context.nowMs - limits.auditKeptMs;
      const items: AuditNoteRow[] = [];
      let looked: string | undefined;
      for (const { value } of rows) {
        if (value.atMs < oldestMs) return accepted({ items, nextCursor: null });
        // Whoever comes after the last that is shown begins the next page, though nothing more may
        // match.
        if (items.length === limit) return accepted({ items, nextCursor: looked ?? null });
        looked = value.id;
        if (appId !== undefined && value.appId !== appId) continue;
        if (actor !== undefined && value.actor !== actor) continue;
        if (action !== undefined && value.action !== action) continue;
        items.push(value);
      }
      return accepted({ items, nextCursor: rows.length < rowsLookedAt ? null : (looked ?? null) });
    }),
};
