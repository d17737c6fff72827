// What the audit log is told, and what it writes down. Told from inside only: no edge can make a note.

import type { Entry } from '../../engine/actor/message.ts';
import type { AuditNoteRow } from '../../storage/tables/audit-note.ts';
import type { Caller } from '../accounts/protocol.ts';

/** What may be noted. */
export type AuditAction = 'template.renamed' | 'template.deleted';

/** A note before it has an id. */
export interface AuditNote extends Omit<AuditNoteRow, 'id'> {
  readonly action: AuditAction;
}

export interface AuditInside {
  'audit.note': { body: Caller & { note: AuditNote }; reply: null };
}

export type AuditEntry = Entry & { readonly kind: 'audit.noted'; readonly note: AuditNoteRow };
