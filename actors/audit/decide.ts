// The audit log of an org. A change tells it what was done, by `auditTell`, and the note is written in the turn of that
// change: there is no change without its note, and no note without its change. What a reader would get wrong: the owner is
// the org, also of what happened in an app, so that the log still has it when the app is gone.
// Source: contract, section 2; specification, "Message template".

import { accepted, type DocumentWrite, type Tell } from '../../engine/actor/message.ts';
import type { Decisions } from '../../engine/actor/protocol.ts';
import { newId } from '../../engine/base/id.ts';
import { type AuditNoteRow, auditNotes } from '../../storage/tables/audit-note.ts';
import { withOrg } from '../accounts/decide.ts';
import type { AppRecord } from '../accounts/records.ts';
import { limits } from '../limits.ts';
import type { PartitionState } from '../state.ts';
import type { AuditEntry, AuditInside, AuditNote } from './protocol.ts';

/** Old notes that a new one takes along, so that a log that has ended up too long becomes shorter with each. */
const removedWithOne = 2;

export const auditDecisions: Decisions<AuditInside, PartitionState> = {
  'audit.note': (state, { note }, context) =>
    withOrg(state, context, () => {
      const { owner, nowMs, rng, documents: stored } = context;
      // Ids of what belongs to an org have no ordinal.
      const row: AuditNoteRow = { id: newId('aud', 0, note.atMs, rng), ...note };
      const entry: AuditEntry = { kind: 'audit.noted', owner, note: row };
      const documents: DocumentWrite[] = [{ table: auditNotes, key: [row.id], value: row }];
      for (const { key, value } of stored.range(auditNotes, { limit: removedWithOne }))
        if (value.atMs < nowMs - limits.auditKeptMs)
          documents.push({ table: auditNotes, key, value: undefined });
      return accepted(null, { entries: [entry], documents });
    }),
};

/** Has the org of an app note what is done to something of that app. */
export function auditTell({ org, id }: AppRecord, note: Omit<AuditNote, 'appId'>): Tell {
  const message = { kind: 'audit.note', by: -1, note: { ...note, appId: id } };
  return { to: org, message };
}
