// Decides about an org's billing. Client workspaces are billed through their agency.

import {
  accepted,
  type Context,
  type Decision,
  refused,
  type Tell,
} from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { parseId } from '../../../engine/base/id.ts';
import { utcMonthOf, utcMonthText } from '../../../engine/time/utc-month.ts';
import { invoices } from '../../../storage/tables/invoice.ts';
import { fault, notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { withOrg } from '../accounts/with-app.ts';
import { type ChargePlan, chargeWork, ordersInFlight, settleCharge } from './charging.ts';
import { folded } from './folded.ts';
import type { BillingMemory, BillingOrgView } from './memory.ts';
import { beginBilling, billOfMonth, closeMonth } from './months.ts';
import { pricesOf } from './prices.ts';
import type { BillingEntry, BillingInside, BillingProtocol } from './protocol.ts';
import { isPaying, methodOf } from './records.ts';
import type { BillingEvent } from './stripe/port.ts';

export interface BillingRules {
  readonly plan: ChargePlan;
}

type Messages = BillingProtocol & BillingInside;
type DecisionsOf<Kind extends keyof Messages> = Pick<Decisions<Messages, BillingMemory>, Kind>;

export function billingDecisions({ plan }: BillingRules): Decisions<Messages, BillingMemory> {
  return { ...reads, ...checkoutDecisions(plan), ...chargeDecisions(plan), ...eventDecisions };
}

const reads: DecisionsOf<'billing.preview' | 'billing.read' | 'invoice.read'> = {
  'billing.preview': (state, message, context) =>
    withRoot(state, context, (org) => {
      const { record } = org;
      const now = utcMonthOf(context.nowMs);
      const { month = now } = message;
      const oldest = now - limits.usageMonthsKept;
      if (month > now || (month < oldest && month >= utcMonthOf(record.createdMs)))
        return refused(
          fieldFault(
            'month',
            `expected a month from ${utcMonthText(oldest)} to ${utcMonthText(now)}`,
          ),
        );
      const { lines, totalCents } = billOfMonth(state, context.owner, org, month, context.nowMs);
      return accepted({ month, prices: pricesOf(month).name, lines, totalCents });
    }),

  'billing.read': (state, { limit, cursor }, context) =>
    withRoot(state, context, ({ billing }) => {
      if (cursor !== undefined && parseId('inv', cursor) === undefined)
        return refused(fieldFault('cursor', 'invalid cursor for this list'));
      const rows = context.documents.range(invoices, {
        ...(cursor === undefined ? {} : { to: [cursor] }),
        reverse: true,
        limit: limit + 1,
      });
      const shown = rows.slice(0, limit).map(({ value }) => value);
      const nextCursor = rows.length > limit ? (shown.at(-1)?.id ?? null) : null;
      return accepted({
        method: methodOf(billing) ?? null,
        isClockInDoubt: isClockInDoubt(state),
        invoices: shown,
        nextCursor,
      });
    }),

  'invoice.read': (state, { id }, context) =>
    withOrg(state, context, ({ record }) => {
      const row = parseId('inv', id) && context.documents.get(invoices, [id]);
      if (row === undefined) return refused(notFound('invoice'));
      return accepted({ ...row, orgName: record.name });
    }),
};

function checkoutDecisions(
  plan: ChargePlan,
): DecisionsOf<'billing.ask_checkout' | 'billing.keep_customer' | 'billing.start_checkout'> {
  return {
    'billing.ask_checkout': (state, _message, context) =>
      withRoot(state, context, ({ record, billing }) => {
        if (plan.charges !== true) return refused(notConfigured);
        const { id: orgId, name } = record;
        return accepted({ orgId, name, customer: billing.customer ?? null });
      }),

    'billing.keep_customer': (state, { customer }, context) =>
      withRoot(state, context, ({ billing }) => {
        // Two checkouts at once made two customers: the second stays empty.
        if (billing.customer !== undefined) return accepted({ customer: billing.customer });
        const { owner } = context;
        const entry: BillingEntry = { kind: 'billing.customer_kept', owner, customer };
        return accepted({ customer }, { entries: [entry] });
      }),

    'billing.start_checkout': (state, { session }, context) =>
      withRoot(state, context, () => {
        const { owner } = context;
        const entry: BillingEntry = { kind: 'billing.checkout_started', owner, session };
        return accepted(null, { entries: [entry] });
      }),
  };
}

function chargeDecisions(
  plan: ChargePlan,
): DecisionsOf<'billing.due' | 'billing.resume' | 'billing.charged'> {
  return {
    'billing.due': (state, _message, context) =>
      withOrg(state, context, (org) => {
        if (org.record.parentOrgId !== null || isClockInDoubt(state)) return accepted(null);
        if (org.billing.began === undefined) return beginBilling(org, context);
        return closeMonth(state, org, context) ?? accepted(null, chargeWork(org, plan, context));
      }),

    'billing.resume': (state, _message, context) =>
      withOrg(state, context, (org) => accepted(null, { effects: ordersInFlight(org, plan) })),

    'billing.charged': (state, message, context) =>
      withOrg(state, context, (org) => withClients(org, settleCharge(org, message, context))),
  };
}

const eventDecisions: DecisionsOf<
  'billing.find_customer' | 'billing.event' | 'billing.parent_pays'
> = {
  'billing.find_customer': (state, { customer }) => {
    for (const [owner, { billing }] of state.orgs)
      if (billing.customer === customer) return accepted(owner);
    return accepted(null);
  },

  'billing.event': (state, { eventId, customer, event }, context) =>
    withOrg<'taken' | 'repeated' | 'ignored', BillingOrgView>(state, context, (org) => {
      const { owner } = context;
      if (org.billing.customer !== customer) return accepted('ignored');
      if (org.billing.events.includes(eventId)) return accepted('repeated');
      const { entries, documents = [] } = eventWork(org, customer, event, context);
      const taken: BillingEntry = { kind: 'billing.event_taken', owner, eventId };
      const work = { entries: [...entries, taken], documents };
      return { ...withClients(org, work), reply: 'taken' };
    }),

  'billing.parent_pays': (state, { pays }, context) =>
    withOrg(state, context, ({ record, billing }) => {
      if (record.parentOrgId === null || (billing.parentPays ?? false) === pays)
        return accepted(null);
      const { owner } = context;
      const entry: BillingEntry = { kind: 'billing.parent_changed', owner, pays };
      return accepted(null, { entries: [entry] });
    }),
};

type EventWork = Partial<ReturnType<typeof settleCharge>> &
  Pick<ReturnType<typeof settleCharge>, 'entries'>;

/** What an event changes. The result of several does not depend on their order. */
function eventWork(
  org: BillingOrgView,
  customer: string,
  event: BillingEvent,
  context: Context,
): EventWork {
  const { owner, nowMs } = context;
  switch (event.kind) {
    case 'method_set_up': {
      const { method } = event;
      const { newest } = org.billing;
      const isOlder =
        newest !== undefined &&
        (method.id === newest.id ||
          method.setUpMs < newest.setUpMs ||
          (method.setUpMs === newest.setUpMs && method.id < newest.id));
      if (isOlder) return { entries: [] };
      const atMs = nowMs;
      return {
        entries: [{ kind: 'billing.method_connected', owner, customer, method, atMs }],
      };
    }
    case 'method_detached': {
      const { methodId } = event;
      if (org.billing.detached.includes(methodId)) return { entries: [] };
      return { entries: [{ kind: 'billing.method_detached', owner, methodId }] };
    }
    case 'payment':
      return settleCharge(org, event, context);
  }
}

/** Has the client workspaces told when their emails begin or cease to be paid. */
function withClients(
  { record, billing }: BillingOrgView,
  work: EventWork,
): Extract<Decision<null>, { outcome: 'accepted' }> {
  const after = work.entries.reduce(folded, billing);
  const message = { kind: 'clients.retell', by: -1 } as Tell['message'];
  const tells: Tell[] =
    isPaying(after) === isPaying(billing) ? [] : [{ to: record.ordinal, message }];
  return { outcome: 'accepted', reply: null, ...work, tells };
}

/** Refuses client workspaces. */
function withRoot<Reply>(
  state: BillingMemory,
  context: Context,
  decide: (org: BillingOrgView) => Decision<Reply>,
): Decision<Reply> {
  return withOrg(state, context, (org) =>
    org.record.parentOrgId === null ? decide(org) : refused(ofAgency),
  );
}

/** What cannot be undone waits until somebody knows the time. */
function isClockInDoubt({ ages }: BillingMemory): boolean {
  return ages.gaps.length > 0;
}

const ofAgency: Fault = fault(
  'wrong_state',
  'this is a client workspace: its usage is billed to its agency, which connects the payment method',
);

const notConfigured: Fault = fault(
  'billing_not_configured',
  'billing is not configured on this server: the operator has not set ENGAGE_STRIPE_SECRET_KEY',
);
