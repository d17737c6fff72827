// Messages of the gate: what its limits stand at.

import type { Caller } from '../../tenants/accounts/protocol.ts';

/** What counts against an org's email allowance of this month. */
interface EmailsCounted {
  readonly delivered: number;
  /** In flight: granted, and without an outcome. */
  readonly reserved: number;
}

export interface GateProtocol {
  'org.emails': { body: Caller; reply: EmailsCounted };
}
