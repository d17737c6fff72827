// What is noted of billing: checkouts, invoices, charges. No customer id, and of a card only what
// the dashboard shows.

import type { Notes } from '../../audit-note.ts';
import type { BillingEntry } from './protocol.ts';

export const billingNotes: Notes<BillingEntry, unknown> = {
  'billing.checkout_started': (_state, { session }) => ({
    action: 'billing.checkout_started',
    target: session,
  }),
  'billing.method_connected': (_state, { method: { id, brand, last4 } }) => ({
    action: 'billing.method_connected',
    target: id,
    after: { brand, last4 },
  }),
  'billing.method_detached': (_state, { methodId }) => ({
    action: 'billing.method_removed',
    target: methodId,
  }),
  'invoice.closed': (_state, { invoice: { id, number, totalCents, status } }) => ({
    action: 'invoice.issued',
    target: id,
    after: { number, totalCents, status },
  }),
  'invoice.paid': (_state, { invoiceId, number, totalCents }) => ({
    action: 'invoice.paid',
    target: invoiceId,
    after: { number, totalCents },
  }),
  'charge.started': (_state, { invoiceId, attempt }) => ({
    action: 'invoice.charge_started',
    target: invoiceId,
    after: { attempt },
  }),
  'charge.failed': (_state, { invoiceId, attempt, reason, nextTryMs }) => ({
    action: nextTryMs === null ? 'invoice.failed' : 'invoice.charge_failed',
    target: invoiceId,
    after: {
      attempt,
      reason,
      ...(nextTryMs === null ? {} : { nextTryAt: new Date(nextTryMs).toISOString() }),
    },
  }),
};
