// Folds billing into the org that owns the entry.

import type { Applies } from '../../../engine/actor/protocol.ts';
import { folded } from './folded.ts';
import type { BillingMemory } from './memory.ts';
import type { BillingEntry } from './protocol.ts';

function fold({ orgs }: BillingMemory, entry: BillingEntry): void {
  const org = orgs.get(entry.owner);
  if (org !== undefined) org.billing = folded(org.billing, entry);
}

export const billingApplies: Applies<BillingEntry, BillingMemory> = {
  'billing.began': fold,
  'invoice.closed': fold,
  'billing.customer_kept': fold,
  'billing.checkout_started': fold,
  'billing.method_connected': fold,
  'billing.method_detached': fold,
  'billing.event_taken': fold,
  'billing.parent_changed': fold,
  'charge.started': fold,
  'charge.unresolved': fold,
  'charge.failed': fold,
  'invoice.paid': fold,
};
