// Billing: prices, invoices, and charges through the payment provider.

import type { Rebase } from '../../../engine/actor/machine.ts';
import type { Area } from '../../area.ts';
import { billingApplies } from './apply.ts';
import { BillingClock } from './clock.ts';
import { type BillingRules, billingDecisions } from './decide.ts';
import { type BillingMemory, type BillingOrgView, billingOfOrg } from './memory.ts';
import { billingNotes } from './notes.ts';
import type { Billing, UnpaidInvoice } from './records.ts';

export const billingArea = {
  name: 'billing',
  org: billingOfOrg,
  clock: ({ plan }: BillingRules) => new BillingClock(plan),
  decide: (rules: BillingRules) => billingDecisions(rules),
  apply: billingApplies,
  silent: [
    'billing.began',
    'invoice.closed',
    'billing.customer_kept',
    'billing.checkout_started',
    'billing.method_connected',
    'billing.method_detached',
    'billing.event_taken',
    'billing.parent_changed',
    'charge.started',
    'charge.unresolved',
    'charge.failed',
    'invoice.paid',
  ],
  notes: billingNotes,
  whenDiskIsFull: [
    'billing.preview',
    'billing.read',
    'invoice.read',
    'billing.find_customer',
    'billing.charged', // the provider has charged already
    'billing.event',
    'billing.parent_pays',
  ],
  on: {
    clockRebased: ({ orgs }, to) => {
      for (const org of orgs.values()) org.billing = rebased(org.billing, to);
    },
  },
} as const satisfies Area<BillingRules, BillingMemory, object, BillingOrgView>;

function rebased(billing: Billing, to: Rebase): Billing {
  return { ...billing, unpaid: billing.unpaid.map((one) => rebasedInvoice(one, to)) };
}

function rebasedInvoice(invoice: UnpaidInvoice, to: Rebase): UnpaidInvoice {
  const { firstTryMs, nextTryMs, declinedMs, charge } = invoice;
  return {
    ...invoice,
    issuedMs: to.stamp(invoice.issuedMs),
    firstTryMs: firstTryMs && to.stamp(firstTryMs),
    ...(declinedMs === undefined ? {} : { declinedMs: to.stamp(declinedMs) }),
    nextTryMs: nextTryMs && to.due(nextTryMs),
    charge: charge && {
      ...charge,
      startedMs: to.stamp(charge.startedMs),
      askMs: to.due(charge.askMs),
    },
  };
}
