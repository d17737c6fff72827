// Whether a call may pass: key, scope, and room in its lane or address limit. A cached key is
// checked at once, others in a later turn. The address is read first: a disconnected client has
// none.

import { fault } from '../actors/faults.ts';
import type { KeyGrant } from '../actors/tenants/accounts/protocol.ts';
import { type Fault, FaultError } from '../engine/base/fault.ts';
import { bearer, isKeyForm, notOperator, unauthorized } from './authenticate.ts';
import { clientAddress, rateKey } from './client-address.ts';
import type { Edge } from './edge.ts';
import type { HttpRequest } from './exchange.ts';
import type { LaneState } from './rate-lane.ts';
import type { Access, Route } from './route.ts';

export interface Arrival {
  readonly edge: Edge;
  readonly request: HttpRequest;
  readonly route: Pick<Route, 'access' | 'lane' | 'unitsOf'>;
  /** The caller's rate-limit key. Computed only when a limit needs it, since it takes 2 µs. */
  who: string | undefined;
  /** An authenticated call's lane, for the response headers. */
  lane: LaneState | undefined;
}

/** The grant; `null` if none is needed, `undefined` if its owner must be asked. Throws refusals. */
export function authenticateNow(arrival: Arrival): KeyGrant | null | undefined {
  const { access } = arrival.route;
  const { authenticator, admission } = arrival.edge;
  if (access.kind === 'public') {
    const refusal =
      arrival.route.lane === 'address' ? admission.address(whoIs(arrival)) : undefined;
    if (refusal !== undefined) throw new FaultError(refusal);
    return null;
  }
  const token = bearer(arrival.request.header('authorization'));
  if (access.kind === 'bootstrap') {
    // Before the limit on failures: others' failures must not lock the operator out.
    if (token !== '' && authenticator.isBootstrap(token)) return null;
    throw new FaultError(wrongKey(arrival.edge, whoIs(arrival), notOperator()));
  }
  const known = authenticator.known(token);
  if (known !== undefined) return judge(arrival, known);
  const refusal = lookUpRefusal(arrival.edge, token, whoIs(arrival));
  if (refusal !== undefined) throw new FaultError(refusal);
  return undefined;
}

/** Looks up the grant of an uncached key. Throws a refusal. */
export async function authenticateByAsking(arrival: Arrival): Promise<KeyGrant> {
  const token = bearer(arrival.request.header('authorization'));
  whoIs(arrival); // now: a disconnected client has no address
  return judge(arrival, await arrival.edge.authenticator.look(token));
}

/** Charges the call to its lane, or only checks it if the body sets the price. Throws if full. */
export function admit(arrival: Arrival, grant: KeyGrant | undefined): void {
  charge(arrival, grant, arrival.route.unitsOf === undefined ? 1 : 0);
}

/** Charges units to the call's lane, all or nothing. Throws if there is no room. */
export function charge(arrival: Arrival, grant: KeyGrant | undefined, units: number): void {
  const { lane } = arrival.route;
  if (grant === undefined || lane === 'none' || lane === 'address') return;
  const { state, refusal } = arrival.edge.admission.charge(grant, lane, units);
  arrival.lane = state;
  if (refusal !== undefined) throw new FaultError(refusal);
}

/**
 * Charges a call without a route to its key's standard lane, so that the 404 has lane headers.
 * Calls without a valid key pass, but a wrong key counts as a failure. Throws if the lane is full.
 */
export async function admitUnmatched(arrival: Arrival): Promise<void> {
  const { authenticator, admission } = arrival.edge;
  const token = bearer(arrival.request.header('authorization'));
  if (!isKeyForm(token)) return; // perhaps the operator's: no key was tried
  const who = whoIs(arrival);
  let grant = authenticator.known(token);
  if (grant === undefined) {
    if (lookUpRefusal(arrival.edge, token, who) !== undefined) return;
    grant = await authenticator.look(token);
  }
  if (grant === null) admission.countFailure(who);
  else admit(arrival, grant);
}

/** Refuses a lookup: the address failed too often, and the key was never valid. */
export function lookUpRefusal({ authenticator, admission }: Edge, token: string, who: string) {
  return authenticator.wasValid(token) ? undefined : admission.failedTooOften(who);
}

/** Counts a failed authentication. Returns the usual refusal, or that there were too many. */
export function wrongKey({ admission }: Edge, who: string, usual: Fault = unauthorized()): Fault {
  const tooOften = admission.failedTooOften(who);
  if (tooOften === undefined) admission.countFailure(who);
  return tooOften ?? usual;
}

export function callerKey(edge: Edge, request: HttpRequest): string {
  return rateKey(clientAddress(request, edge.config.trustedProxies));
}

function whoIs(arrival: Arrival): string {
  return (arrival.who ??= callerKey(arrival.edge, arrival.request));
}

/** Refuses a missing key or scope. Failures count against the address. */
function judge(arrival: Arrival, grant: KeyGrant | null): KeyGrant {
  const { access, lane } = arrival.route;
  if (grant === null) throw new FaultError(wrongKey(arrival.edge, whoIs(arrival)));
  const refusal = scopeRefusal(access, grant);
  if (refusal !== undefined) {
    if (lane !== 'none' && lane !== 'address')
      arrival.lane = arrival.edge.admission.peek(grant, lane);
    throw new FaultError(refusal);
  }
  return grant;
}

/** Why a grant does not open a route; `undefined` if it does. */
export function scopeRefusal(access: Access, { scopes }: KeyGrant): Fault | undefined {
  if (access.kind !== 'key' || access.anyOf.some((scope) => scopes.includes(scope))) return;
  const wanted = access.anyOf.join(' or ');
  return fault(
    'forbidden',
    `this key lacks the scope ${wanted}; it has ${scopes.join(', ') || 'none'}`,
  );
}
