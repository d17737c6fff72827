// Whether a call may pass: who calls, with which scope, and whether its lane or address has room. A
// cached key is checked at once, another one in a later turn. The client may have disconnected by
// then and have no address any more, so the address is read first.

import { fault } from '../actors/faults.ts';
import type { KeyGrant } from '../actors/tenants/accounts/protocol.ts';
import { type Fault, FaultError } from '../engine/base/fault.ts';
import { bearer, isKeyForm, notOperator, unauthorized } from './authenticate.ts';
import { clientAddress, rateKey } from './client-address.ts';
import type { Edge } from './edge.ts';
import type { HttpRequest } from './exchange.ts';
import type { LaneState } from './rate-lane.ts';
import type { Route } from './route.ts';

/** What the gate reads of a call, and what it sets. */
export interface Arrival {
  readonly edge: Edge;
  readonly request: HttpRequest;
  readonly route: Pick<Route, 'access' | 'lane' | 'unitsOf'>;
  /** The caller's key for rate limits. Computed only when a limit needs it, since it takes 2 µs. */
  who: string | undefined;
  /** The lane of an authenticated call, for the response headers. */
  lane: LaneState | undefined;
}

/**
 * The grant; `null` if none is needed; `undefined` if its owner must be asked. Throws a refusal.
 */
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
    // Before the limit on failures: whoever uses that up from the operator's address must not lock
    // the operator out.
    if (token !== '' && authenticator.isBootstrap(token)) return null;
    throw new FaultError(wrongKey(arrival.edge, whoIs(arrival), notOperator()));
  }
  const known = authenticator.known(token);
  if (known !== undefined) return judge(arrival, known);
  const refusal = lookUpRefusal(arrival.edge, token, whoIs(arrival));
  if (refusal !== undefined) throw new FaultError(refusal);
  return undefined;
}

/** Looks up the grant of a key that is not cached. Throws a refusal. */
export async function authenticateByAsking(arrival: Arrival): Promise<KeyGrant> {
  const token = bearer(arrival.request.header('authorization'));
  whoIs(arrival); // now, for a client that went meanwhile has no address any more
  return judge(arrival, await arrival.edge.authenticator.look(token));
}

/**
 * Charges the call to its key's lane. If the body sets the price, it only checks the lane. Throws
 * if the lane has no room.
 */
export function admit(arrival: Arrival, grant: KeyGrant | undefined): void {
  charge(arrival, grant, arrival.route.unitsOf === undefined ? 1 : 0);
}

/** Charges units to the call's lane, all or nothing. Throws if the lane has no room. */
export function charge(arrival: Arrival, grant: KeyGrant | undefined, units: number): void {
  const { lane } = arrival.route;
  if (grant === undefined || lane === 'none' || lane === 'address') return;
  const { state, refusal } = arrival.edge.admission.charge(grant, lane, units);
  arrival.lane = state;
  if (refusal !== undefined) throw new FaultError(refusal);
}

/**
 * Charges a call without a route to the standard lane of its key, so that the 404 carries lane
 * headers. A call without a valid key passes, but a wrong key counts as a failure. Throws if the
 * lane is full.
 */
export async function admitUnmatched(arrival: Arrival): Promise<void> {
  const { authenticator, admission } = arrival.edge;
  const token = bearer(arrival.request.header('authorization'));
  if (!isKeyForm(token)) return; // the operator's, perhaps: no key was tried
  const who = whoIs(arrival);
  let grant = authenticator.known(token);
  if (grant === undefined) {
    if (lookUpRefusal(arrival.edge, token, who) !== undefined) return;
    grant = await authenticator.look(token);
  }
  if (grant === null) admission.countFailure(who);
  else admit(arrival, grant);
}

/** The refusal to look a key up: its address had too many failures, and the key was never valid. */
export function lookUpRefusal({ authenticator, admission }: Edge, token: string, who: string) {
  return authenticator.wasValid(token) ? undefined : admission.failedTooOften(who);
}

/** Counts a failed authentication. Returns the usual refusal, or that there were too many. */
export function wrongKey({ admission }: Edge, who: string, usual: Fault = unauthorized()): Fault {
  const tooOften = admission.failedTooOften(who);
  if (tooOften === undefined) admission.countFailure(who);
  return tooOften ?? usual;
}

/** The key that rate limits count a request under. */
export function callerKey(edge: Edge, request: HttpRequest): string {
  return rateKey(clientAddress(request, edge.config.trustedProxies));
}

function whoIs(arrival: Arrival): string {
  return (arrival.who ??= callerKey(arrival.edge, arrival.request));
}

/** Refuses a missing key and a key without the scope. Failures count against the address. */
function judge(arrival: Arrival, grant: KeyGrant | null): KeyGrant {
  const { access, lane } = arrival.route;
  if (grant === null) throw new FaultError(wrongKey(arrival.edge, whoIs(arrival)));
  if (access.kind === 'key' && !access.anyOf.some((scope) => grant.scopes.includes(scope))) {
    if (lane !== 'none' && lane !== 'address')
      arrival.lane = arrival.edge.admission.peek(grant, lane);
    const wanted = access.anyOf.join(' or ');
    throw new FaultError(
      fault(
        'forbidden',
        `this key lacks the scope ${wanted}; it has ${grant.scopes.join(', ') || 'none'}`,
      ),
    );
  }
  return grant;
}
