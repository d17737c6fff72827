// The one path of every call, in running order: match, authenticate, admit, parse, handle, respond.

import type { KeyGrant } from '../actors/accounts/protocol.ts';
import { fault } from '../actors/faults.ts';
import { limits } from '../actors/limits.ts';
import { type Fault, FaultError } from '../engine/base/fault.ts';
import { type LaneState, laneHeaders } from './admit.ts';
import { bearer, unauthorized } from './authenticate.ts';
import { Call } from './call.ts';
import { clientAddress, rateKey } from './client-address.ts';
import type { Edge } from './edge.ts';
import { errorAnswer, faultOfIssues } from './errors.ts';
import type { BodySink, HttpHandler, HttpRequest, HttpResponder } from './exchange.ts';
import { guardJson } from './json-guard.ts';
import { RouteTree } from './match.ts';
import type { Reply, Route } from './route.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });
const jsonType: readonly [string, string] = ['content-type', 'application/json; charset=utf-8'];
const htmlType: readonly [string, string] = ['content-type', 'text/html; charset=utf-8'];
const saneRequestId = /^[\x21-\x7e]{1,128}$/;

/** A handler that takes a path outside the routes: `/e`, `/docs`, the inbox of an operator. `undefined` passes on. */
export type Special = (
  request: HttpRequest,
  response: HttpResponder,
  requestId: string,
) => { readonly sink: BodySink | undefined } | undefined;

export interface PipelineOptions {
  readonly edge: Edge;
  readonly routes: readonly Route[];
  /** Asked first, in order; for paths that are too hot for the general way or are no JSON. */
  readonly specials: readonly Special[];
  /** Told of every answered call, for metrics and the log. */
  onAnswered?(call: AnsweredCall): void;
}

export interface AnsweredCall {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly lane: string;
  readonly requestId: string;
  readonly durMs: number;
}

/** Everything known of one call on its way. */
interface Passage {
  readonly edge: Edge;
  readonly request: HttpRequest;
  readonly response: HttpResponder;
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** Whom ceilings count by; from the caller's address, and only where one is asked, since it costs 2 µs. */
  who: string | undefined;
  readonly startedMs: number;
  readonly headers: (readonly [string, string])[];
  lane: LaneState | undefined;
}

/** Makes the handler that a server calls for every request. */
export function pipeline({ edge, routes, specials, onAnswered }: PipelineOptions): HttpHandler {
  const tree = new RouteTree(routes);
  const mode = edge.config.mode;

  return (request, response) => {
    const sent = request.header('x-request-id');
    const requestId = saneRequestId.test(sent) ? sent : newRequestId(edge);
    for (const special of specials) {
      const taken = special(request, response, requestId);
      if (taken !== undefined) return taken.sink;
    }
    const headers: (readonly [string, string])[] = [['x-request-id', requestId]];
    if (mode === 'sandbox') headers.push(['x-engage-mode', 'sandbox']);
    const startedMs = edge.clock.monotonic();

    const matched = tree.match(request.method, request.path);
    if (matched.kind !== 'found') {
      const refusal = unmatched(request, matched.kind);
      if (matched.kind === 'method') headers.push(['allow', matched.allowed.join(', ')]);
      sendFault(response, headers, refusal);
      return undefined;
    }
    const passage: Passage = {
      edge,
      request,
      response,
      route: matched.route,
      params: matched.params,
      requestId,
      who: undefined,
      startedMs,
      headers,
      lane: undefined,
    };
    const finish = (status: number) =>
      onAnswered?.({
        route: matched.route.path,
        method: request.method,
        status,
        lane: matched.route.lane,
        requestId,
        durMs: edge.clock.monotonic() - startedMs,
      });

    // The key is mostly known; then nothing is awaited before the body, and the sink is returned at once.
    let grant: KeyGrant | null | undefined;
    try {
      grant = authenticateNow(passage);
    } catch (error) {
      finish(refuse(passage, error));
      return undefined;
    }
    if (grant !== undefined) {
      try {
        admit(passage, grant ?? undefined);
      } catch (error) {
        finish(refuse(passage, error));
        return undefined;
      }
      const known = grant ?? undefined;
      return async (body) => finish(await run(passage, known, body));
    }
    const looking = authenticateByAsking(passage);
    looking.catch(() => undefined); // a refusal may come before the body, or the body never; the sink answers it
    return async (body) => {
      let known: KeyGrant | undefined;
      try {
        known = await looking;
        admit(passage, known);
      } catch (error) {
        finish(refuse(passage, error));
        return;
      }
      finish(await run(passage, known, body));
    };
  };
}

/** The grant; `null` where none is needed; `undefined` when its owner has to be asked. Throws when it is refused. */
function authenticateNow(passage: Passage): KeyGrant | null | undefined {
  const { access } = passage.route;
  const { authenticator, admission } = passage.edge;
  if (access.kind === 'public') {
    const refusal = passage.route.lane === 'none' ? undefined : admission.address(whoIs(passage));
    if (refusal !== undefined) throw new FaultError(refusal);
    return null;
  }
  const token = bearer(passage.request.header('authorization'));
  if (access.kind === 'bootstrap') {
    const who = whoIs(passage);
    const tooOften = admission.failedTooOften(who);
    if (tooOften !== undefined) throw new FaultError(tooOften);
    if (token !== '' && authenticator.isBootstrap(token)) return null;
    admission.countFailure(who);
    throw unauthorized();
  }
  const known = token === '' ? null : authenticator.known(token);
  if (known === undefined) {
    const tooOften = admission.failedTooOften(whoIs(passage));
    if (tooOften !== undefined) throw new FaultError(tooOften);
    return undefined;
  }
  return judge(passage, known);
}

async function authenticateByAsking(passage: Passage): Promise<KeyGrant> {
  const token = bearer(passage.request.header('authorization'));
  whoIs(passage); // now, for a client that went meanwhile has no address any more
  return judge(passage, await passage.edge.authenticator.look(token));
}

function whoIs(passage: Passage): string {
  const { request, edge } = passage;
  return (passage.who ??= rateKey(clientAddress(request, edge.config.trustedProxies)));
}

/** Refuses no key and a key without the scope; failures count against the address. */
function judge(passage: Passage, grant: KeyGrant | null): KeyGrant {
  const { access } = passage.route;
  if (grant === null) {
    const who = whoIs(passage);
    const tooOften = passage.edge.admission.failedTooOften(who);
    passage.edge.admission.countFailure(who);
    if (tooOften !== undefined) throw new FaultError(tooOften);
    throw unauthorized();
  }
  if (access.kind === 'key' && !access.anyOf.some((scope) => grant.scopes.includes(scope))) {
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

function admit(passage: Passage, grant: KeyGrant | undefined): void {
  const { lane } = passage.route;
  if (grant === undefined || lane === 'none') return;
  const { state, refusal } = passage.edge.admission.charge(grant, lane, 1);
  passage.lane = state;
  if (refusal !== undefined) throw new FaultError(refusal);
}

async function run(
  passage: Passage,
  grant: KeyGrant | undefined,
  bytes: Uint8Array,
): Promise<number> {
  try {
    const { route } = passage;
    const query = parseQuery(passage);
    const { body, sent } = parseBody(passage, bytes);
    const { edge, request, params, requestId } = passage;
    const call = new Call({
      edge,
      params,
      query,
      body,
      sent,
      grant,
      bytes,
      requestId,
      lane: 'express',
      header: (name) => request.header(name),
    });
    const reply = await route.handle(call as never);
    respond(passage, reply);
    return reply.status;
  } catch (error) {
    return refuse(passage, error);
  }
}

function parseQuery({ route, request }: Passage): unknown {
  if (route.query === undefined) return undefined;
  const raw: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(request.query)) raw[name] = value;
  const parsed = route.query.safeParse(raw);
  if (!parsed.success) throw new FaultError(faultOfIssues(parsed.error, 'query'));
  return parsed.data;
}

function parseBody({ route, request }: Passage, bytes: Uint8Array): Pick<Call, 'body' | 'sent'> {
  if (route.body === undefined || route.rawBody === true)
    return { body: undefined, sent: undefined };
  const type = request.header('content-type');
  if (!/^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new FaultError(
      fault(
        'unsupported_media_type',
        'the body must be JSON, declared by `content-type: application/json`',
      ),
    );
  }
  if (
    request.header('content-encoding') !== '' &&
    request.header('content-encoding') !== 'identity'
  ) {
    throw new FaultError(fault('unsupported_media_type', 'this route takes no content-encoding'));
  }
  const sent = parseJson(bytes);
  const parsed = route.body.safeParse(sent);
  if (!parsed.success) throw new FaultError(faultOfIssues(parsed.error, 'body'));
  return { body: parsed.data, sent };
}

/** JSON within the bounds on depth, size and keys; throws a fault that says what is wrong. */
export function parseJson(bytes: Uint8Array): unknown {
  const guarded = guardJson(bytes, { depth: limits.jsonDepthMax, nodes: limits.jsonNodesMax });
  if (!guarded.ok)
    throw new FaultError(fault('invalid_json', `body: ${guarded.problem}`, { field: 'body' }));
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch (error) {
    const why = error instanceof Error ? error.message : 'not JSON';
    throw new FaultError(
      fault('invalid_json', `body: not valid JSON (${why.slice(0, 120)})`, { field: 'body' }),
    );
  }
}

function respond(passage: Passage, reply: Reply): void {
  const headers = [...passage.headers, ...(reply.headers ?? [])];
  if (passage.lane !== undefined) headers.push(...laneHeaders(passage.lane));
  if (reply.html !== undefined) {
    headers.push(htmlType);
    passage.response.send(reply.status, headers, reply.html);
    return;
  }
  if (reply.body === undefined) {
    passage.response.send(reply.status, headers, '');
    return;
  }
  headers.push(jsonType);
  passage.response.send(reply.status, headers, JSON.stringify(reply.body));
}

/** Answers a refused call and returns its status. What is no fault is a bug: logged, and 500. */
function refuse(passage: Passage, error: unknown): number {
  let refusal: Fault;
  if (error instanceof FaultError) refusal = error.fault;
  else {
    passage.edge.log.error(
      { evt: 'http.bug', route: passage.route.path, requestId: passage.requestId, err: error },
      'a route threw',
    );
    refusal = fault('internal', 'something went wrong inside Engage');
  }
  const headers = [...passage.headers];
  if (passage.lane !== undefined) headers.push(...laneHeaders(passage.lane));
  return sendFault(passage.response, headers, refusal);
}

function sendFault(
  response: HttpResponder,
  headers: readonly (readonly [string, string])[],
  refusal: Fault,
): number {
  const answer = errorAnswer(refusal);
  response.send(answer.status, [...headers, ...answer.headers, jsonType], answer.body);
  return answer.status;
}

function unmatched(request: HttpRequest, kind: 'none' | 'method'): Fault {
  if (kind === 'method') {
    return fault('method_not_allowed', `${request.path} does not take ${request.method}`);
  }
  return fault('not_found', `there is no ${request.method} ${request.path}; see /docs`);
}

function newRequestId(edge: Edge): string {
  const { rng } = edge;
  return `req_${rng.uint32().toString(36)}${rng.uint32().toString(36)}`;
}
