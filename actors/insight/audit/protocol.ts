// The messages and the entry of the audit log. Only areas write notes; no edge can.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { AuditNoteRow } from '../../../storage/tables/audit-note.ts';
import type { Page } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';

/** `<object>.<what was done>`. */
export const auditActions = [
  'org.created',
  'org.renamed',
  'org.limits_changed',
  'org.deleted',
  'branding.changed',
  'client.created',
  'client.deleted',
  'member.added',
  'member.accepted',
  'member.role_changed',
  'member.removed',
  'member.declined',
  'member.left',
  'key.created',
  'key.deleted',
  'app.created',
  'app.changed',
  'app.deleted',
  'settings.changed',
  'credential.uploaded',
  'credential.removed',
  'email_domain.added',
  'email_domain.verified',
  'email_domain.failed',
  'email_domain.deleted',
  'identity_secret.created',
  'write_key.created',
  'integration.removed',
  'sessions.ended',
  'subscriber.erased',
  'subscribers.bulk_changed',
  'integration.saved',
  'integration.disabled',
  'integration.secret_replaced',
  'suppression.removed',
  'doubtful_opt_out.decided',
  'template.renamed',
  'template.deleted',
  'campaign.sent',
  'campaign.started',
  'campaign.unscheduled',
  'campaign.changed',
  'campaign.archived',
  'campaign.unarchived',
  'campaign.paused',
  'campaign.resumed',
  'campaign.canceled',
  'campaign.completed',
  'campaign.failed',
  'campaign.deleted',
  'journey.activated',
  'journey.paused',
  'journey.corrected',
  'journey.archived',
  'journey.unarchived',
  'journey.deleted',
  'dead_letters.redriven',
  'billing.checkout_started',
  'billing.method_connected',
  'billing.method_removed',
  'invoice.issued',
  'invoice.paid',
  'invoice.charge_started',
  'invoice.charge_failed',
  'invoice.failed',
] as const;
export type AuditAction = (typeof auditActions)[number];

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
