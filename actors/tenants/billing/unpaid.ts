// How many invoices of a partition are unpaid: for the operator, who sees no invoice.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { BillingOrg } from './memory.ts';

export interface UnpaidFigures {
  /** Not tried yet, or tried again later. */
  readonly open: number;
  /** All tries were declined. */
  readonly failed: number;
}

export function unpaidFigures(orgs: ReadonlyMap<Ordinal, BillingOrg>): UnpaidFigures {
  let open = 0;
  let failed = 0;
  for (const { billing } of orgs.values())
    for (const { status } of billing.unpaid) status === 'open' ? open++ : failed++;
  return { open, failed };
}
