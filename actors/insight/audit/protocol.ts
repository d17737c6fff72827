// The messages and the entry of the audit log. Only areas write notes; no edge can.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { AuditNoteRow } from '../../../storage/tables/audit-note.ts';
import type { AuditAction } from '../../audit-actions.ts';
import type { Page } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';

export type { AuditNoteRow };

export interface AuditNote extends Omit<AuditNoteRow, 'id'> {
  readonly action: AuditAction;
}

/** A note with the names of what it is about, as far as its org may know them now. */
export interface NamedNote extends AuditNoteRow {
  /** At the time, where the note has it; else now. */
  readonly targetName?: string;
  /** Absent where memory cannot tell. */
  readonly targetExists?: boolean;
}

export interface AuditProtocol {
  /** Newest first. A page may be short or empty; only `nextCursor: null` ends the list. */
  'audit.list': {
    body: Caller & {
      appId?: string;
      actor?: string;
      action?: AuditAction;
      target?: string;
      /** At or after. */
      fromMs?: Millis;
      /** Before. */
      toMs?: Millis;
      limit: number;
      cursor?: string;
    };
    reply: Page<NamedNote>;
  };
}

export interface AuditInside {
  'audit.note': { body: Caller & { note: AuditNote }; reply: null };
}

export type AuditEntry = Entry & {
  readonly kind: 'audit.noted';
  readonly note: AuditNoteRow;
  /** How many old notes it replaced; absent for none. */
  readonly removed?: number;
};
