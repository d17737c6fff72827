// Asks whether the caller may see the app in the path, once something else was wrong with the call:
// a mistake in the body of a call to an app that does not exist, or is another's, is a 404.

import { statusOf } from '../../actors/faults.ts';
import type { AccountsProtocol } from '../../actors/tenants/accounts/protocol.ts';
import { type Fault, FaultError } from '../../engine/base/fault.ts';
import { Call } from './call.ts';
import type { Route } from './route.ts';

type CallParts = ConstructorParameters<typeof Call>[0];

/** `not_found` if the app is none of the caller's; else the refusal of the call. */
export async function refusalToCaller(
  route: Route,
  parts: Omit<CallParts, 'query' | 'body' | 'sent'>,
  refusal: Fault,
): Promise<Fault> {
  const isOfApp = /^\/v1\/apps\/:appId/.test(route.path);
  if (statusOf(refusal) !== 400 || !isOfApp || parts.grant === undefined) return refusal;
  const call = new Call({ ...parts, query: undefined, body: undefined, sent: undefined });
  try {
    await call.to<AccountsProtocol>(call.app()).ask('app.read', {});
  } catch (error) {
    if (error instanceof FaultError && error.fault.code === 'not_found') return error.fault;
  }
  return refusal;
}
