// Whether a call may pass: key or session, scope, and room in its lane or address limit. A cached
// key is checked at once, others in a later turn. The address is read first: a disconnected client
// has none. A right key or session is judged before any limit that others can use up.

import { fault } from '../../../actors/faults.ts';
import { limits } from '../../../actors/limits.ts';
import type { KeyGrant } from '../../../actors/tenants/accounts/protocol.ts';
import { type Fault, FaultError } from '../../../engine/base/fault.ts';
import { clientAddress, rateKey } from '../../server/client-address.ts';
import type { HttpRequest } from '../../server/exchange.ts';
import type { Edge } from '../edge.ts';
import type { Access, Route } from '../route.ts';
import { isFromOwnPage, pageHeader, sessionToken } from '../session/session-cookie.ts';
import {
  bearer,
  isSessionToken,
  isTokenForm,
  keyIdOf,
  keyOfScheme,
  notOperator,
  unauthorized,
} from './authenticate.ts';
import type { LaneState } from './rate-lane.ts';

export interface Arrival {
  readonly edge: Edge;
  readonly request: HttpRequest;
  readonly route: Pick<Route, 'access' | 'judgesFirst' | 'keyForm' | 'lane' | 'method' | 'unitsOf'>;
  /** The caller's rate-limit key. Computed only when a limit needs it, since it takes 2 µs. */
  who: string | undefined;
  /** An authenticated call's lane, for the response headers. */
  lane: LaneState | undefined;
  /** The address has no room: for a handler that judges a link or key in the body first. */
  unlessRight?: Fault | undefined;
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
    if (token === '') throw new FaultError(notOperator());
    if (authenticator.isBootstrap(token)) return null;
    throw new FaultError(wrongKey(arrival.edge, whoIs(arrival), token, notOperator()));
  }
  const token = tokenOf(arrival);
  const known = authenticator.known(token);
  if (known !== undefined) return judge(arrival, known);
  const answer = unlisted(arrival.edge, token, () => whoIs(arrival));
  if (answer === undefined) return undefined;
  return judge(arrival, null, answer.refusal);
}

/** Looks up the grant of an uncached key or session. Throws a refusal. */
export async function authenticateByAsking(arrival: Arrival): Promise<KeyGrant | undefined> {
  const token = tokenOf(arrival);
  whoIs(arrival); // now: a disconnected client has no address
  const grant = await arrival.edge.authenticator.look(token);
  if (arrival.route.access.kind === 'session') return visiting(arrival, grant) ?? undefined;
  return judge(arrival, grant);
}

/** Whoever visits: their session, or `null` without one; `undefined` if its owner must be asked. */
function visitorNow(arrival: Arrival): KeyGrant | null | undefined {
  const { edge, request, route } = arrival;
  if (route.method !== 'GET' && !isFromOwnPage(request, edge.config.publicUrl)) {
    const refusal = edge.admission.address(whoIs(arrival));
    throw new FaultError(refusal ?? notFromPage());
  }
  const who = whoIs(arrival); // for the handler, too
  const token = tokenOf(arrival);
  const known = edge.authenticator.known(token);
  if (known !== undefined) return visiting(arrival, known);
  if (unlisted(edge, token, () => who) === undefined) return undefined;
  return visiting(arrival, null);
}

/** Charges a call of a session to the session, and others to the address. Throws if it is full. */
function visiting(arrival: Arrival, grant: KeyGrant | null): KeyGrant | null {
  const { admission } = arrival.edge;
  const session = grant?.session;
  const refusal =
    session === undefined ? admission.address(whoIs(arrival)) : admission.holder(session.keyId);
  if (refusal === undefined) return grant;
  if (session !== undefined || arrival.route.judgesFirst !== true) throw new FaultError(refusal);
  arrival.unlessRight = refusal;
  return grant;
}

/** The token that a call shows: a key's, or a session's if the dashboard's own page calls. */
function tokenOf({ edge, request, route }: Pick<Arrival, 'edge' | 'request' | 'route'>): string {
  const header = request.header('authorization');
  if (header !== '') return route.keyForm === undefined ? bearer(header) : keyOfScheme(header);
  const { publicUrl } = edge.config;
  const token = sessionToken(request, publicUrl);
  // An API key in the cookie is nobody's session.
  if (token === '' || !isTokenForm(token) || !isSessionToken(token)) return '';
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
  const { edge } = arrival;
  const token = tokenOf(arrival);
  if (!isTokenForm(token)) return; // perhaps the operator's: no key was tried
  const who = whoIs(arrival);
  let grant = edge.authenticator.known(token);
  if (grant === undefined) {
    if (unlisted(edge, token, () => who) !== undefined) grant = null;
    else grant = await edge.authenticator.look(token);
  }
  if (grant === null) countWrong(edge, who, token);
  else admit(arrival, grant);
}

/**
 * What speaks against looking up an uncached token: nobody has it, and the address tried enough of
 * that kind. `undefined`: look it up. A token that somebody may have is always looked up.
 */
export function unlisted(
  { authenticator, admission }: Pick<Edge, 'admission' | 'authenticator'>,
  token: string,
  whoIs: () => string,
): { readonly refusal: Fault | undefined } | undefined {
  if (authenticator.isListed(token)) return undefined;
  const who = whoIs();
  const isSession = isSessionToken(token);
  const tooOften = isSession ? undefined : admission.failedTooOften(who, keyIdOf(token));
  const refusal = tooOften ?? admission.lookUp(who);
  if (refusal === undefined) return undefined;
  return { refusal: isSession ? undefined : refusal }; // an old session is no guess
}

/** The grant of a key that a body shows; `null` if it is wrong. Throws if there were too many. */
export async function grantOfKey(edge: Edge, key: string, who: string): Promise<KeyGrant | null> {
  const { authenticator } = edge;
  if (!isTokenForm(key) || isSessionToken(key)) return wrongOf(edge, who, key);
  const answer = unlisted(edge, key, () => who);
  if (answer?.refusal !== undefined) throw new FaultError(answer.refusal);
  return (await authenticator.look(key)) ?? wrongOf(edge, who, key);
}

function wrongOf(edge: Edge, who: string, key: string): null {
  const refusal = countWrong(edge, who, key);
  if (refusal !== undefined) throw new FaultError(refusal);
  return null;
}

/**
 * Counts a wrong key of an address, for that key alone, so that it slows nobody else. Returns the
 * usual refusal, or that there were too many. What was ended, such as an old session, counts not.
 */
export function wrongKey(
  edge: Pick<Edge, 'admission'>,
  who: string,
  token: string,
  usual: Fault = unauthorized(),
): Fault {
  return countWrong(edge, who, token) ?? usual;
}

function countWrong(
  { admission }: Pick<Edge, 'admission'>,
  who: string,
  token: string,
): Fault | undefined {
  if (token === '' || isSessionToken(token)) return undefined;
  const name = keyIdOf(token);
  const tooOften = admission.failedTooOften(who, name);
  if (tooOften === undefined) admission.countFailure(who, name);
  return tooOften;
}

export function callerKey(edge: Edge, request: HttpRequest): string {
  return rateKey(clientAddress(request, edge.config.trustedProxies));
}

function whoIs(arrival: Arrival): string {
  return (arrival.who ??= callerKey(arrival.edge, arrival.request));
}

/** Refuses a missing key or scope. Wrong keys count. */
function judge(arrival: Arrival, grant: KeyGrant | null, tooOften?: Fault): KeyGrant {
  const { lane } = arrival.route;
  if (grant === null) {
    if (tooOften !== undefined) throw new FaultError(tooOften);
    const token = tokenOf(arrival);
    const usual = unauthorized(token !== '');
    if (token === '') throw new FaultError(usual);
    throw new FaultError(wrongKey(arrival.edge, whoIs(arrival), token, usual));
  }
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
