// When an org's months are closed, and what they come to. A month closes ten minutes after its end,
// by the wall clock, once that clock is confirmed: an invoice cannot be taken back.

import { accepted, type Context, type Decision } from '../../../engine/actor/message.ts';
import { dayMs, type Millis, minuteMs, type Ordinal } from '../../../engine/base/brand.ts';
import { hash32 } from '../../../engine/base/hash.ts';
import { formatId } from '../../../engine/base/id.ts';
import { type UtcMonth, utcMonthOf, utcMonthStart } from '../../../engine/time/utc-month.ts';
import { type InvoiceRow, invoices } from '../../../storage/tables/invoice.ts';
import { areClientsComplete, clientMonths, incompleteClients, monthOf } from '../usage/months.ts';
import { type Bill, billOf } from './bill.ts';
import type { BillingMemory, BillingOrgView } from './memory.ts';
import { pricesOf } from './prices.ts';
import type { BillingEntry } from './protocol.ts';
import type { Billing } from './records.ts';

/** Deliveries of the last minutes and the figures of clients have this long to arrive. */
const closeAfterMs: Millis = 10 * minuteMs;
/** A client reports every minute, and after a downtime at once. */
const lateAfterMs: Millis = 10 * minuteMs;

/** The month whose invoice comes next; `undefined` before billing began. */
export function openMonth({ began, closed }: Billing): UtcMonth | undefined {
  return closed === undefined ? began : closed + 1;
}

/** When a month may be closed, by the wall clock. */
export function closesMs(month: UtcMonth): Millis {
  return utcMonthStart(month + 1) + closeAfterMs;
}

/** Billing begins with the org, or with the release that bills: nothing is billed in retrospect. */
export function beginBilling({ record }: BillingOrgView, context: Context): Decision<null> {
  const { nowMs, owner } = context;
  const since = nowMs - record.createdMs < dayMs ? record.createdMs : nowMs;
  const entry: BillingEntry = { kind: 'billing.began', owner, month: utcMonthOf(since) };
  return accepted(null, { entries: [entry] });
}

export function billOfMonth(
  state: BillingMemory,
  owner: Ordinal,
  { billing }: BillingOrgView,
  month: UtcMonth,
  nowMs: Millis,
): Bill {
  const own = monthOf(state, owner, month, nowMs);
  const workspaces = [own, ...clientMonths(state, owner, month)];
  const carry = month === openMonth(billing) ? billing.carry : undefined;
  return billOf(pricesOf(month), workspaces, carry);
}

/** Closes the next month if it is over; `undefined` if none is. */
export function closeMonth(
  state: BillingMemory,
  org: BillingOrgView,
  context: Context,
): Decision<null> | undefined {
  const { owner, nowMs, wallMs } = context;
  const month = openMonth(org.billing);
  if (month === undefined || wallMs < closesMs(month)) return undefined;
  if (!areClientsComplete(state, owner, month)) return undefined;
  const { lines, totalCents, carriedCents } = billOfMonth(state, owner, org, month, nowMs);
  const isPaid = totalCents === 0;
  const invoice: InvoiceRow = {
    id: invoiceId(org.record.id, month),
    number: numberOf(org),
    month,
    prices: pricesOf(month).name,
    lines,
    totalCents,
    status: isPaid ? 'paid' : 'open',
    issuedMs: nowMs,
    ...(isPaid ? { paidMs: nowMs } : {}),
    attempts: [],
  };
  const entry: BillingEntry = {
    kind: 'invoice.closed',
    owner,
    invoice,
    ...(carriedCents === 0 ? {} : { carry: { cents: carriedCents, from: invoice.number } }),
  };
  const documents = [{ table: invoices, key: [invoice.id], value: invoice }];
  return accepted(null, { entries: [entry], documents });
}

/** The month whose invoice is held up by clients that do not report, and their ids. */
interface HeldMonth {
  readonly month: UtcMonth;
  readonly clients: readonly string[];
}

/** `undefined`: nothing is held up. */
export function heldMonth(
  state: BillingMemory,
  owner: Ordinal,
  { billing }: BillingOrgView,
  wallMs: Millis,
): HeldMonth | undefined {
  const month = openMonth(billing);
  if (month === undefined || state.ages.gaps.length > 0) return undefined;
  if (wallMs < closesMs(month) + lateAfterMs) return undefined;
  const clients = Array.from(incompleteClients(state, owner, month), ({ id }) => id);
  return clients.length === 0 ? undefined : { month, clients };
}

/**
 * Follows from org and month: after a restore of an older backup the month gets the same id, and
 * the payment provider still knows whether it was paid.
 */
function invoiceId(orgId: string, month: UtcMonth): string {
  return formatId('inv', {
    ordinal: 0,
    atMs: utcMonthStart(month + 1),
    high16: hash32(`${orgId} ${month} number`) >>> 16,
    low32: hash32(`${orgId} ${month}`),
  });
}

/** `K3F9QZ7A-0012`: the end of the org's id, and which of its invoices. */
function numberOf({ record, billing }: BillingOrgView): string {
  const count = String(billing.invoiceCount + 1).padStart(4, '0');
  return `${record.id.slice(-8).toUpperCase()}-${count}`;
}
