// Whether a call may pass: who calls, with which scope, and whether its lane or its address has
// room. What a reader would get wrong: a key that is mostly known is judged at once, one that has
// to be looked up in a later turn, and by then the client may have gone with its address; so the
// address is read first.

import { fault } from '../actors/faults.ts';
import type { KeyGrant } from '../actors/tenants/accounts/protocol.ts';
import { type Fault, FaultError } from '../engine/base/fault.ts';
import { bearer, isKeyForm, notOperator, unauthorized } from './authenticate.ts';
import { clientAddress, rateKey } from './client-address.ts';
import type { Edge } from './edge.ts';
import type { HttpRequest } from './exchange.ts';
import type { LaneState } from './rate-lane.ts';
import type { Route } from './route.ts';

/** What the gate needs of a call, and what it leaves there. */
export interface Arrival {
  readonly edge: Edge;
  readonly request: HttpRequest;
  readonly route: Pick<Route, 'access' | 'lane' | 'unitsOf'>;
  /**
   * Whom ceilings count by; from the caller's address, and only where one is asked, since it costs
   * 2 µs.
   */
  who: string | undefined;
  /** How the lane of an authenticated call stands, for its answer. */
  lane: LaneState | undefined;
}

/**
 * The grant; `null` where none is needed; `undefined` when its owner has to be asked. Throws when
 * it is refused.
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
    // Before the ceiling: whoever fills that from the operator's address must not lock the operator
    // out, too.
    if (token !== '' && authenticator.isBootstrap(token)) return null;
    throw new FaultError(wrongKey(arrival.edge, whoIs(arrival), notOperator()));
  }
  const known = authenticator.known(token);
  if (known !== undefined) return judge(arrival, known);
  const refusal = lookUpRefusal(arrival.edge, token, whoIs(arrival));
  if (refusal !== undefined) throw new FaultError(refusal);
  return undefined;
}

/** Asks for the grant of a key that is not known. Throws when it is refused. */
export async function authenticateByAsking(arrival: Arrival): Promise<KeyGrant> {
  const token = bearer(arrival.request.header('authorization'));
  whoIs(arrival); // now, for a client that went meanwhile has no address any more
  return judge(arrival, await arrival.edge.authenticator.look(token));
}

/**
 * Charges the call to its key's lane, or only looks at it where the body has to say how much.
 * Throws when that has no room.
 */
export function admit(arrival: Arrival, grant: KeyGrant | undefined): void {
  charge(arrival, grant, arrival.route.unitsOf === undefined ? 1 : 0);
}

/** Charges units of the call's lane, all or nothing. Throws when that has no room for them. */
export function charge(arrival: Arrival, grant: KeyGrant | undefined, units: number): void {
  const { lane } = arrival.route;
  if (grant === undefined || lane === 'none' || lane === 'address') return;
  const { state, refusal } = arrival.edge.admission.charge(grant, lane, units);
  arrival.lane = state;
  if (refusal !== undefined) throw new FaultError(refusal);
}

/**
 * Admits a call that no route takes to the standard lane of its key, where it has one, so that its
 * refusal can tell how that stands. Without a valid key it is not refused here, but a wrong one
 * counts as tried. Throws when the lane is full.
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

/**
 * Why a key must not be looked up: too many wrong ones came from there, and this was never a right
 * one.
 */
export function lookUpRefusal({ authenticator, admission }: Edge, token: string, who: string) {
  return authenticator.wasValid(token) ? undefined : admission.failedTooOften(who);
}

/**
 * Counts a failed authentication, and gives its refusal: the usual words, or that there were too
 * many.
 */
export function wrongKey({ admission }: Edge, who: string, usual: Fault = unauthorized()): Fault {
  const tooOften = admission.failedTooOften(who);
  if (tooOften === undefined) admission.countFailure(who);
  return tooOften ?? usual;
}

/** Whom ceilings count a request by. */
export function callerKey(edge: Edge, request: HttpRequest): string {
  return rateKey(clientAddress(request, edge.config.trustedProxies));
}

function whoIs(arrival: Arrival): string {
  return (arrival.who ??= callerKey(arrival.edge, arrival.request));
}

/** Refuses no key and a key without the scope; failures count against the address. */
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
