// Charges of unpaid invoices. A charge's start is durable before the provider is called; what
// became of one in flight at a crash is asked for under the same idempotency key. A failed one is
// tried again 1, 3, 5 and 7 days after the first, then only with a new payment method.

import type { Context, DocumentWrite, Effect } from '../../../engine/actor/message.ts';
import { dayMs, hourMs, type Millis, minuteMs, type Ordinal } from '../../../engine/base/brand.ts';
import { type InvoiceAttempt, type InvoiceRow, invoices } from '../../../storage/tables/invoice.ts';
import type { BillingOrgView } from './memory.ts';
import type { BillingEntry } from './protocol.ts';
import { methodOf, type OpenCharge, triesAfterDays, type UnpaidInvoice } from './records.ts';
import type { ChargeOrder, ChargeResult } from './stripe/port.ts';

export interface ChargePlan {
  readonly partition: number;
  readonly dispatchers: number;
  /** Whether the operator has set a key of the payment provider. */
  readonly charges?: boolean;
}

/** What a decision does about charges. */
interface ChargeWork {
  readonly entries: readonly BillingEntry[];
  readonly documents: readonly DocumentWrite[];
  readonly effects: readonly Effect[];
}

/** From a start to the first question about a charge without a report: longer than any call. */
const reportMs: Millis = 10 * minuteMs;
/** Waits between questions while the provider gives no result; the last one repeats. */
const askWaits: readonly Millis[] = [1, 2, 5, 10, 30, 60].map((minutes) => minutes * minuteMs);
const attemptsKept = 20;

/** When something about charges is due; `undefined` for never. */
export function nextChargeMs(
  invoices: readonly UnpaidInvoice[],
  { charges }: ChargePlan,
): Millis | undefined {
  if (charges !== true) return undefined;
  const instants = invoices.flatMap(({ nextTryMs, charge }) => charge?.askMs ?? nextTryMs ?? []);
  return instants.length === 0 ? undefined : Math.min(...instants);
}

/** Starts charges that are due, and asks about those without a result. */
export function chargeWork(org: BillingOrgView, plan: ChargePlan, context: Context): ChargeWork {
  const entries: BillingEntry[] = [];
  const documents: DocumentWrite[] = [];
  const effects: Effect[] = [];
  const { nowMs } = context;
  for (const invoice of plan.charges === true ? org.billing.unpaid : []) {
    if (invoice.charge !== null) {
      if (invoice.charge.askMs > nowMs) continue;
      entries.push(unresolved(context.owner, invoice, invoice.charge, 'no_report', nowMs));
      effects.push(orderOf(org, invoice, invoice.charge, plan));
    } else if (invoice.nextTryMs !== null && invoice.nextTryMs <= nowMs) {
      const started = startOf(org, invoice, context);
      if (started === undefined) continue;
      entries.push(started.entry);
      documents.push(...started.documents);
      effects.push(orderOf(org, invoice, started.entry, plan));
    }
  }
  return { entries, documents, effects };
}

/** The orders of all charges in flight, after a start. */
export function ordersInFlight(org: BillingOrgView, plan: ChargePlan): readonly Effect[] {
  if (plan.charges !== true) return [];
  return org.billing.unpaid.flatMap((invoice) =>
    invoice.charge === null ? [] : orderOf(org, invoice, invoice.charge, plan),
  );
}

/** What a result means. A repeated or late one changes nothing; a payment always counts. */
export function settleCharge(
  { billing }: BillingOrgView,
  { invoiceId, attempt, result }: SettledCharge,
  context: Context,
): Pick<ChargeWork, 'entries' | 'documents'> {
  const { owner, nowMs } = context;
  const invoice = billing.unpaid.find(({ id }) => id === invoiceId);
  if (invoice === undefined) return nothing;
  const { charge, number, totalCents } = invoice;
  if (result.outcome === 'paid') {
    const entry: BillingEntry = { kind: 'invoice.paid', owner, invoiceId, number, totalCents };
    const documents = rewritten(context, invoiceId, (row) => ({
      ...row,
      status: 'paid',
      paidMs: nowMs,
      attempts: attemptsWith(row, {
        attempt,
        atMs: charge?.startedMs ?? nowMs,
        outcome: 'succeeded',
      }),
    }));
    return { entries: [entry], documents };
  }
  if (charge?.attempt !== attempt) return nothing;
  const { reason } = result;
  if (result.outcome === 'unresolved')
    return { entries: [unresolved(owner, invoice, charge, reason, nowMs)], documents: [] };
  const nextTryMs = nextTry(invoice, charge, nowMs);
  const entry: BillingEntry = {
    kind: 'charge.failed',
    owner,
    invoiceId,
    attempt,
    reason,
    nextTryMs,
  };
  const documents = rewritten(context, invoiceId, (row) => ({
    ...row,
    status: nextTryMs === null ? 'failed' : 'open',
    attempts: attemptsWith(row, { attempt, atMs: charge.startedMs, outcome: 'failed', reason }),
  }));
  return { entries: [entry], documents };
}

interface SettledCharge {
  readonly invoiceId: string;
  readonly attempt: number;
  readonly result: ChargeResult;
}

const nothing = { entries: [], documents: [] } as const;

function startOf({ billing }: BillingOrgView, invoice: UnpaidInvoice, context: Context) {
  const method = methodOf(billing);
  const { customer } = billing;
  if (method === undefined || customer === undefined) return undefined;
  const { owner, nowMs } = context;
  const attempt = invoice.attempts + 1;
  const entry = {
    kind: 'charge.started',
    owner,
    invoiceId: invoice.id,
    attempt,
    customer,
    methodId: method.id,
    atMs: nowMs,
    askMs: nowMs + reportMs,
  } as const satisfies BillingEntry;
  const documents = rewritten(context, invoice.id, (row) => ({
    ...row,
    attempts: attemptsWith(row, { attempt, atMs: nowMs, outcome: 'pending' }),
  }));
  return { entry, documents };
}

function orderOf(
  { record }: BillingOrgView,
  { id, number, totalCents, issuedMs }: UnpaidInvoice,
  { attempt, customer, methodId }: Pick<OpenCharge, 'attempt' | 'customer' | 'methodId'>,
  { partition, dispatchers }: ChargePlan,
): Effect {
  const order: ChargeOrder = {
    kind: 'stripe.charge',
    partition,
    org: record.ordinal,
    orgId: record.id,
    invoiceId: id,
    number,
    attempt,
    amountCents: totalCents,
    customer,
    methodId,
    issuedMs,
  };
  return { port: record.ordinal % dispatchers, message: order };
}

function unresolved(
  owner: Ordinal,
  { id }: UnpaidInvoice,
  { attempt, asked }: OpenCharge,
  reason: string,
  nowMs: Millis,
): BillingEntry {
  const waitMs = askWaits[Math.min(asked, askWaits.length - 1)] ?? hourMs;
  const askMs = nowMs + (reason === 'no_report' ? reportMs : waitMs);
  return { kind: 'charge.unresolved', owner, invoiceId: id, attempt, reason, askMs };
}

/** `null`: the series is over. After a downtime at once, not all missed tries one by one. */
function nextTry(
  { failures, firstTryMs }: UnpaidInvoice,
  { startedMs }: OpenCharge,
  nowMs: Millis,
): Millis | null {
  const days = triesAfterDays[failures];
  return days === undefined ? null : Math.max(nowMs, (firstTryMs ?? startedMs) + days * dayMs);
}

function rewritten(
  { documents }: Context,
  id: string,
  change: (row: InvoiceRow) => InvoiceRow,
): DocumentWrite[] {
  const row = documents.get(invoices, [id]);
  return row === undefined ? [] : [{ table: invoices, key: [id], value: change(row) }];
}

function attemptsWith({ attempts }: InvoiceRow, one: InvoiceAttempt): readonly InvoiceAttempt[] {
  const others = attempts.filter(({ attempt }) => attempt !== one.attempt);
  return [...others, one].slice(-attemptsKept);
}
