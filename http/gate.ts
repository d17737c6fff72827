// Whether a call may pass: key or session, scope, and room in its lane or address limit. A cached
// key is checked at once, others in a later turn. The address is read first: a disconnected client
// has none.

import { fault } from '../actors/faults.ts';
import { limits } from '../actors/limits.ts';
import type { KeyGrant } from '../actors/tenants/accounts/protocol.ts';
import { type Fault, FaultError } from '../engine/base/fault.ts';
import { bearer, isTokenForm, notOperator, unauthorized } from './authenticate.ts';
import { clientAddress, rateKey } from './client-address.ts';
import type { Edge } from './edge.ts';
import type { HttpRequest } from './exchange.ts';
import type { LaneState } from './rate-lane.ts';
import type { Access, Route } from './route.ts';
import { isFromOwnPage, pageHeader, sessionToken } from './session/session-cookie.ts';

export interface Arrival {
  readonly edge: Edge;
  readonly request: HttpRequest;
  readonly route: Pick<Route, 'access' | 'lane' | 'method' | 'unitsOf'>;
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
  if (access.kind === 'session') return visitorNow(arrival);
  if (access.kind === 'bootstrap') {
    const token = bearer(arrival.request.header('authorization'));
    // Before the limit on failures: others' failures must not lock the operator out.
    if (token !== '' && authenticator.isBootstrap(token)) return null;
    throw new FaultError(wrongKey(arrival.edge, whoIs(arrival), notOperator()));
  }
  const token = tokenOf(arrival);
  const known = authenticator.known(token);
  if (known !== undefined) return judge(arrival, known);
  const refusal = lookUpRefusal(arrival.edge, token, whoIs(arrival));
  if (refusal !== undefined) throw new FaultError(refusal);
  return undefined;
}

/** Looks up the grant of an uncached key or session. Throws a refusal. */
export async function authenticateByAsking(arrival: Arrival): Promise<KeyGrant | undefined> {
  const token = tokenOf(arrival);
  whoIs(arrival); // now: a disconnected client has no address
  const grant = await arrival.edge.authenticator.look(token);
  if (arrival.route.access.kind === 'session') return grant ?? undefined;
  return judge(arrival, grant);
}

/** Whoever visits: their session, or `null` without one; `undefined` if its owner must be asked. */
function visitorNow(arrival: Arrival): KeyGrant | null | undefined {
  const { edge, request, route } = arrival;
  const refusal = edge.admission.address(whoIs(arrival));
  if (refusal !== undefined) throw new FaultError(refusal);
  if (route.method !== 'GET' && !isFromOwnPage(request, edge.config.publicUrl))
    throw new FaultError(notFromPage());
  return edge.authenticator.known(tokenOf(arrival));
}

/** The token that a call shows: a key's, or a session's if the dashboard's own page calls. */
function tokenOf({ edge, request }: Pick<Arrival, 'edge' | 'request'>): string {
  const header = request.header('authorization');
  if (header !== '') return bearer(header);
  const { publicUrl } = edge.config;
  const token = sessionToken(request, publicUrl);
  if (token === '' || !isTokenForm(token)) return '';
  return isFromOwnPage(request, publicUrl) ? token : '';
}

function notFromPage(): Fault {
  return fault(
    'unauthorized',
    `only the dashboard's own page signs in and out: send \`Sec-Fetch-Site: same-origin\` (or an \`Origin\` that is the public URL's) and \`${pageHeader}: 1\``,
  );
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
  const token = tokenOf(arrival);
  if (!isTokenForm(token)) return; // perhaps the operator's: no key was tried
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
  const { lane } = arrival.route;
  if (grant === null)
    throw new FaultError(
      wrongKey(arrival.edge, whoIs(arrival), unauthorized(tokenOf(arrival) !== '')),
    );
  const refusal = accessRefusal(arrival.edge, arrival.route, grant);
  if (refusal !== undefined) {
    if (lane !== 'none' && lane !== 'address')
      arrival.lane = arrival.edge.admission.peek(grant, lane);
    throw new FaultError(refusal);
  }
  return grant;
}

/** Why a grant does not open a route; `undefined` if it does. */
export function accessRefusal(
  edge: Pick<Edge, 'clock'>,
  route: Pick<Route, 'access' | 'method'>,
  grant: KeyGrant,
): Fault | undefined {
  return scopeRefusal(route.access, grant) ?? staleRefusal(edge, route, grant);
}

function scopeRefusal(access: Access, { scopes, session }: KeyGrant): Fault | undefined {
  if (access.kind !== 'key' || access.anyOf.some((scope) => scopes.includes(scope))) return;
  const wanted = access.anyOf.join(' or ');
  const role = session?.member?.role;
  const who = role === undefined ? 'this key' : `the role ${role}`;
  return fault(
    'forbidden',
    `${who} lacks the scope ${wanted}; it has ${scopes.join(', ') || 'none'}`,
  );
}

/** Refuses a session whose person signed in too long ago for what the route changes. */
function staleRefusal(
  { clock }: Pick<Edge, 'clock'>,
  { access, method }: Pick<Route, 'access' | 'method'>,
  { session }: KeyGrant,
): Fault | undefined {
  if (session === undefined || access.kind !== 'key' || method === 'GET') return undefined;
  if (method !== 'DELETE' && access.anyOf.some((scope) => scope !== 'admin')) return undefined;
  if (clock.now() - session.signedInMs < limits.freshSignInMs) return undefined;
  return fault('sign_in_again', 'you signed in more than 12 hours ago; sign in again to do this');
}
