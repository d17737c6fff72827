// What other areas read of an org's billing.

import type { Billing } from './records.ts';

export { isPaying } from './records.ts';

export interface BillingReads {
  readonly billing: Billing;
}
