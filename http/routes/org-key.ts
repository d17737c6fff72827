// Refuses a key of one app where the whole org is managed. Scopes cannot: an app-scoped `admin` key
// may manage that app's credentials, but nothing of the org.

import { fault } from '../../actors/faults.ts';
import { FaultError } from '../../engine/base/fault.ts';
import type { Call } from '../call/call.ts';

/** Throws `forbidden` unless the key is org-scoped. `what` begins the sentence: `keys are`. */
export function requireOrgKey(
  call: Call<unknown, unknown>,
  what: string,
  done: 'managed' | 'read' = 'managed',
): void {
  if (call.grant?.app == null) return;
  throw new FaultError(
    fault('forbidden', `${what} ${done} with an org-scoped key; this key belongs to one app`),
  );
}
