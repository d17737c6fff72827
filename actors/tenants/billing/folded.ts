// An org's billing after an entry. Pure, so that a decision can look at what its entries will do.

import type { BillingEntry } from './protocol.ts';
import { type Billing, isInArrears, methodOf, patienceMs, type UnpaidInvoice } from './records.ts';

/** A late event is much younger than this many others. */
const eventsKept = 200;
const detachedKept = 50;

export function folded(billing: Billing, entry: BillingEntry): Billing {
  switch (entry.kind) {
    case 'billing.began':
      return { ...billing, began: entry.month };
    case 'invoice.closed':
      return closed(billing, entry);
    case 'billing.customer_kept':
      return { ...billing, customer: entry.customer };
    case 'billing.checkout_started':
      return billing;
    case 'billing.method_connected':
      return connected(billing, entry);
    case 'billing.method_detached':
      return planned({ ...billing, detached: withDetached(billing, entry.methodId) });
    case 'billing.event_taken':
      return { ...billing, events: [...billing.events, entry.eventId].slice(-eventsKept) };
    case 'billing.parent_changed':
      return { ...billing, parentPays: entry.pays };
    case 'charge.started': {
      const { attempt, customer, methodId, atMs, askMs } = entry;
      return withInvoice(billing, entry.invoiceId, (invoice) => ({
        ...invoice,
        attempts: attempt,
        firstTryMs: invoice.firstTryMs ?? atMs,
        nextTryMs: null,
        charge: { attempt, customer, methodId, startedMs: atMs, askMs, asked: 0 },
      }));
    }
    case 'charge.unresolved':
      return withInvoice(billing, entry.invoiceId, (invoice) => ({
        ...invoice,
        charge: invoice.charge && {
          ...invoice.charge,
          askMs: entry.askMs,
          asked: invoice.charge.asked + 1,
        },
      }));
    case 'charge.failed':
      return withInvoice(billing, entry.invoiceId, (invoice) => ({
        ...invoice,
        status: entry.nextTryMs === null ? 'failed' : 'open',
        failures: invoice.failures + 1,
        firstTryMs: invoice.firstTryMs ?? invoice.charge?.startedMs ?? null,
        nextTryMs: methodOf(billing) === undefined ? null : entry.nextTryMs,
        charge: null,
        ...(isPatienceOver(invoice) ? { isOverdue: true } : {}),
      }));
    case 'invoice.paid':
      return { ...billing, unpaid: billing.unpaid.filter(({ id }) => id !== entry.invoiceId) };
  }
}

/** Always with the newest method: without its id it would count as connected again. */
function withDetached({ newest, detached }: Billing, methodId: string): readonly string[] {
  const ids = [...detached.filter((id) => id !== methodId), methodId];
  const dropped = ids.length - detachedKept;
  return ids.filter((id, nth) => nth >= dropped || id === newest?.id);
}

function closed(
  billing: Billing,
  { invoice, carry }: Extract<BillingEntry, { kind: 'invoice.closed' }>,
): Billing {
  const { carry: _, ...rest } = billing;
  const next: Billing = {
    ...rest,
    closed: invoice.month,
    invoiceCount: billing.invoiceCount + 1,
    ...(carry === undefined ? {} : { carry }),
  };
  if (invoice.status !== 'open') return next;
  const { id, number, totalCents, issuedMs } = invoice;
  const unpaid: UnpaidInvoice = {
    id,
    number,
    totalCents,
    issuedMs,
    status: 'open',
    attempts: 0,
    failures: 0,
    firstTryMs: null,
    nextTryMs: methodOf(billing) === undefined ? null : issuedMs,
    charge: null,
  };
  return { ...next, unpaid: [...billing.unpaid, unpaid] };
}

/** A tenant who connects a bad card every few days never comes to the end of a series. */
function isPatienceOver({ declinedMs, charge }: UnpaidInvoice): boolean {
  return declinedMs !== undefined && charge !== null && charge.startedMs - declinedMs >= patienceMs;
}

/** With a new method, what is unpaid is tried again from the beginning. */
function connected(
  billing: Billing,
  { customer, method, atMs }: Extract<BillingEntry, { kind: 'billing.method_connected' }>,
): Billing {
  const unpaid = billing.unpaid.map(
    (invoice): UnpaidInvoice => ({
      ...invoice,
      ...arrears(invoice),
      status: 'open',
      failures: 0,
      firstTryMs: null,
      nextTryMs: invoice.charge === null ? atMs : null,
    }),
  );
  return planned({ ...billing, customer, newest: method, unpaid });
}

/** What a new series of tries does not change. */
function arrears(invoice: UnpaidInvoice): Pick<UnpaidInvoice, 'declinedMs' | 'isOverdue'> {
  const { failures, firstTryMs, declinedMs = failures > 0 ? firstTryMs : null } = invoice;
  return {
    ...(declinedMs === null ? {} : { declinedMs }),
    ...(isInArrears(invoice) ? { isOverdue: true } : {}),
  };
}

/** Without a method no try is planned. */
function planned(billing: Billing): Billing {
  if (methodOf(billing) !== undefined) return billing;
  return {
    ...billing,
    unpaid: billing.unpaid.map((invoice) => ({ ...invoice, nextTryMs: null })),
  };
}

function withInvoice(
  billing: Billing,
  id: string,
  change: (invoice: UnpaidInvoice) => UnpaidInvoice,
): Billing {
  return { ...billing, unpaid: billing.unpaid.map((one) => (one.id === id ? change(one) : one)) };
}
