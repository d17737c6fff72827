// The actions that the log knows, from the types of the API, in groups for a filter.

import type { AuditNote } from '../../api/generated.ts';

type Action = AuditNote['action'];

/** Every action, so that a new one does not compile until it is here. */
const known: Readonly<Record<Action, true>> = {
  'org.created': true,
  'org.renamed': true,
  'org.limits_changed': true,
  'org.deleted': true,
  'branding.changed': true,
  'client.created': true,
  'client.deleted': true,
  'member.added': true,
  'member.accepted': true,
  'member.role_changed': true,
  'member.removed': true,
  'member.declined': true,
  'member.left': true,
  'key.created': true,
  'key.deleted': true,
  'app.created': true,
  'app.changed': true,
  'app.deleted': true,
  'settings.changed': true,
  'credential.uploaded': true,
  'credential.removed': true,
  'email_domain.added': true,
  'email_domain.verified': true,
  'email_domain.failed': true,
  'email_domain.deleted': true,
  'identity_secret.created': true,
  'write_key.created': true,
  'integration.saved': true,
  'integration.removed': true,
  'integration.disabled': true,
  'integration.secret_replaced': true,
  'sessions.ended': true,
  'subscriber.erased': true,
  'subscribers.bulk_changed': true,
  'topic.created': true,
  'topic.changed': true,
  'topic.deleted': true,
  'suppression.removed': true,
  'doubtful_opt_out.decided': true,
  'template.renamed': true,
  'template.deleted': true,
  'campaign.sent': true,
  'campaign.started': true,
  'campaign.unscheduled': true,
  'campaign.changed': true,
  'campaign.archived': true,
  'campaign.unarchived': true,
  'campaign.paused': true,
  'campaign.resumed': true,
  'campaign.canceled': true,
  'campaign.completed': true,
  'campaign.failed': true,
  'campaign.deleted': true,
  'journey.activated': true,
  'journey.paused': true,
  'journey.corrected': true,
  'journey.archived': true,
  'journey.unarchived': true,
  'journey.deleted': true,
  'dead_letters.redriven': true,
  'billing.checkout_started': true,
  'billing.method_connected': true,
  'billing.method_removed': true,
  'invoice.issued': true,
  'invoice.paid': true,
  'invoice.charge_started': true,
  'invoice.charge_failed': true,
  'invoice.failed': true,
};

export const actions = Object.keys(known) as readonly Action[];

/** "Email domain verified". */
export function actionWords(action: string): string {
  const text = action.replace(/[._]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
