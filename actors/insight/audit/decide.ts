// The audit log of an org. `notes.ts` says which changes are noted, in the turn of the change.
// Notes belong to the org, so that they outlive its apps and one range read is the log. Source:
// contract, section 2; specification, "Message template".

import { accepted, type DocumentWrite, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { formatId, newId, parseId } from '../../../engine/base/id.ts';
import { type AuditNoteRow, auditNotes } from '../../../storage/tables/audit-note.ts';
import { limits } from '../../limits.ts';
import { withOrg } from '../../tenants/accounts/with-app.ts';
import type { AuditMemory } from './memory.ts';
import { namesFor } from './named-notes.ts';
import type { AuditEntry, AuditInside, AuditProtocol, NamedNote } from './protocol.ts';

/** Old notes deleted per new one: more than one, so that an oversized log shrinks. */
const removedWithOne = 2;
/** Rows that one page reads at most: some 10 ms of a turn. */
const rowsLookedAt = 2_000;

export const auditDecisions: Decisions<AuditInside & AuditProtocol, AuditMemory> = {
  'audit.note': (state, { note }, context) =>
    withOrg(state, context, (org) => {
      const { owner, nowMs, ages, rng, documents: stored } = context;
      // Ids of what an org owns have no ordinal.
      const row: AuditNoteRow = { id: newId('aud', 0, note.atMs, rng), ...note };
      const documents: DocumentWrite[] = [{ table: auditNotes, key: [row.id], value: row }];
      const oldestMs = ages.cutMs(nowMs, limits.auditKeptMs);
      const isFull = org.auditNotes >= limits.auditNotesMax;
      for (const { key, value } of stored.range(auditNotes, { limit: removedWithOne }))
        if (isFull || value.atMs < oldestMs)
          documents.push({ table: auditNotes, key, value: undefined });
      const removed = documents.length - 1;
      const base: AuditEntry = { kind: 'audit.noted', owner, note: row };
      const entry: AuditEntry = removed === 0 ? base : { ...base, removed };
      return accepted(null, { entries: [entry], documents });
    }),

  'audit.list': (state, asked, context) =>
    withOrg(state, context, (org) => {
      const { appId, actor, action, target, fromMs = 0, toMs, limit, cursor } = asked;
      if (cursor !== undefined && parseId('aud', cursor) === undefined)
        return refused(fieldFault('cursor', 'invalid cursor for this list'));
      const rows = context.documents.range(auditNotes, {
        ...endOf(cursor, toMs),
        reverse: true,
        limit: rowsLookedAt,
      });
      const keptMs = context.ages.cutMs(context.nowMs, limits.auditKeptMs);
      const oldestMs = Math.max(keptMs, fromMs);
      const nameNote = namesFor(state, org, context.owner);
      const items: NamedNote[] = [];
      let looked: string | undefined;
      for (const { value } of rows) {
        if (value.atMs < oldestMs) return accepted({ items, nextCursor: null });
        // The next page starts after the last row read, even if nothing more matches.
        if (items.length === limit) return accepted({ items, nextCursor: looked ?? null });
        looked = value.id;
        if (appId !== undefined && value.appId !== appId) continue;
        if (actor !== undefined && value.actor !== actor) continue;
        if (action !== undefined && value.action !== action) continue;
        if (target !== undefined && value.target !== target) continue;
        items.push(nameNote(value));
      }
      return accepted({ items, nextCursor: rows.length < rowsLookedAt ? null : (looked ?? null) });
    }),
};

/** Where a page begins: ids sort by time. */
function endOf(cursor: string | undefined, toMs: Millis | undefined): { to?: readonly [string] } {
  const first =
    toMs === undefined
      ? undefined
      : formatId('aud', { ordinal: 0, atMs: Math.max(0, toMs), high16: 0, low32: 0 });
  if (first === undefined || (cursor !== undefined && cursor < first))
    return cursor === undefined ? {} : { to: [cursor] };
  return { to: [first] };
}
