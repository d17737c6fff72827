// An org's billing in memory.

import type { NewOrg, Slice } from '../../area.ts';
import { type Billing, noBilling } from './records.ts';

export interface BillingOrg {
  billing: Billing;
}

interface Snapshot {
  /** Absent from before there was billing. */
  readonly billing?: Billing;
}

export const billingOfOrg: Slice<BillingOrg, Snapshot, NewOrg> = {
  make: () => ({ billing: noBilling }),
  snapshot: ({ billing }) => ({ billing }),
  restore: ({ billing }) => ({ billing: billing ?? noBilling }),
};
