// The path of every call, in this order: match, authenticate, admit, parse, handle, respond.

import { fault, type UnknownMember } from '../../actors/faults.ts';
import type { KeyGrant } from '../../actors/tenants/accounts/protocol.ts';
import { type Fault, FaultError } from '../../engine/base/fault.ts';
import { acceptsGzip, charsMin, compressed } from '../server/compress.ts';
import type {
  BodySink,
  HeaderList,
  HttpHandler,
  HttpRequest,
  HttpResponder,
} from '../server/exchange.ts';
import {
  type Arrival,
  admit,
  admitUnmatched,
  authenticateByAsking,
  authenticateNow,
  charge,
} from './admission/gate.ts';
import { laneHeaders } from './admission/rate-lane.ts';
import {
  answerHeaders,
  isOpenToPages,
  jsonType,
  openToPages,
  preflightHeaders,
  requestIdOf,
} from './answer/answer-headers.ts';
import { type AnsweredCall, unserved } from './answer/answered-call.ts';
import { errorAnswer } from './answer/errors.ts';
import { StreamSlots, sendPieces } from './answer/stream.ts';
import { withWarnings } from './answer/warnings.ts';
import { namingUnknown, parseBody, parseQuery } from './body/input.ts';
import { Call } from './call.ts';
import { creationOf, readersOf, replayed } from './creations.ts';
import type { Edge } from './edge.ts';
import { refusalToCaller } from './hidden-app.ts';
import { editingOf, etagHeader } from './if-match.ts';
import { type Matched, RouteTree } from './match.ts';
import type { Pieces, Reply, Route } from './route.ts';

const htmlType: HeaderList[number] = ['content-type', 'text/html; charset=utf-8'];

/** For paths outside the routes: `/e`, `/docs`, an operator's inbox. `undefined` passes it on. */
export type Special = (
  request: HttpRequest,
  response: HttpResponder,
  requestId: string,
) => { readonly sink: BodySink | undefined } | undefined;

interface PipelineOptions {
  readonly edge: Edge;
  readonly routes: readonly Route[];
  /** Asked first, in order; for paths that are too hot for the pipeline or not JSON. */
  readonly specials: readonly Special[];
  /** On a port for events alone: paths below `/v1` are unknown, and no key is looked up. */
  readonly isIngestOnly?: boolean;
  /** The pattern of a special's path, which is for POST alone. */
  postOutside?(path: string): string | undefined;
  /** Called after every response, for metrics and the log. */
  onAnswered?(call: AnsweredCall): void;
}

interface Passage extends Arrival {
  readonly route: Route;
  readonly readers: ReadonlyMap<string, Route>;
  readonly response: HttpResponder;
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly startedMs: number;
  readonly headers: HeaderList;
}

export function pipeline(options: PipelineOptions): HttpHandler {
  const { edge, routes, specials, isIngestOnly, onAnswered, postOutside } = options;
  const tree = new RouteTree(routes);
  const slots = new StreamSlots();
  const readers = readersOf(routes);

  return (request, response) => {
    const requestId = requestIdOf(edge, request);
    for (const special of specials) {
      const taken = special(request, response, requestId);
      if (taken !== undefined) return taken.sink;
    }
    const headers = answerHeaders(edge, requestId);
    if (isOpenToPages(request.path)) {
      if (request.method === 'OPTIONS') {
        response.send(204, [...headers, ...preflightHeaders(request.path)], '');
        const route = postOutside?.(request.path) ?? tree.patternOf(request.path);
        onAnswered?.(unserved('OPTIONS', 204, route));
        return undefined;
      }
      headers.push(...openToPages);
    }
    const startedMs = edge.clock.monotonic();

    const matched = tree.match(request.method, request.path);
    if (matched.kind !== 'found') {
      const outside = postOutside?.(request.path);
      const route = matched.kind === 'method' ? matched.pattern : outside;
      const allowed = matched.kind === 'method' ? matched.allowed : ['POST'];
      if (route !== undefined) headers.push(['allow', allowed.join(', ')]);
      const kind = route === undefined ? 'none' : 'method';
      const count = (status: number) => onAnswered?.(unserved(request.method, status, route));
      if (isIngestOnly)
        count(sendFault({ response, headers, lane: undefined }, notThere(request, kind)));
      else refuseUnmatched(edge, request, response, headers, kind, count);
      return undefined;
    }
    const passage: Passage = {
      edge,
      request,
      response,
      route: matched.route,
      readers,
      params: matched.params,
      requestId,
      who: undefined,
      unlessRight: undefined,
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
        ...(matched.route.endless ? {} : { durMs: edge.clock.monotonic() - startedMs }),
      });

    return sinkFor(passage, slots, finish);
  };
}

/** `undefined` if already refused. With a cached key nothing is awaited before the body. */
function sinkFor(
  passage: Passage,
  slots: StreamSlots,
  finish: (status: number) => void,
): BodySink | undefined {
  const { bodyBytesMax } = passage.route;
  if (bodyBytesMax !== undefined) passage.response.bodyBytesMax = bodyBytesMax;
  let grant: KeyGrant | null | undefined;
  try {
    grant = authenticateNow(passage);
    if (grant !== undefined) admit(passage, grant ?? undefined);
  } catch (error) {
    finish(refuse(passage, error));
    return undefined;
  }
  if (grant !== undefined) {
    const known = grant ?? undefined;
    return async (body) => finish(await run(passage, known, body, slots));
  }
  const looking = authenticateByAsking(passage);
  // a refusal may precede the body, or the body never come; the sink sends it
  looking.catch(() => undefined);
  return async (body) => {
    let known: KeyGrant | undefined;
    try {
      known = await looking;
      admit(passage, known);
    } catch (error) {
      finish(refuse(passage, error));
      return;
    }
    finish(await run(passage, known, body, slots));
  };
}

async function run(
  passage: Passage,
  grant: KeyGrant | undefined,
  bytes: Uint8Array,
  slots: StreamSlots,
): Promise<number> {
  const parts = partsOf(passage, grant, bytes);
  try {
    refuseLong(passage, bytes);
    const reply = await answer(passage, parts);
    if (isReplay(reply)) passage.edge.countDuplicates?.('idempotency_key', 1);
    if (reply.stream === undefined) {
      const compressing = respond(passage, reply);
      if (compressing !== undefined) await compressing;
    } else {
      const release = passage.route.endless ? () => undefined : slots.take(grant ?? { org: 0 });
      await respondInPieces(passage, reply, reply.stream, release);
    }
    return reply.status;
  } catch (error) {
    if (!(error instanceof FaultError)) return refuse(passage, error);
    return refuse(
      passage,
      new FaultError(await refusalToCaller(passage.route, parts, error.fault)),
    );
  }
}

/** What an address without room may still send: a link or a key, which are short. */
const charsOfCredential = 1_024;

function refuseLong({ unlessRight }: Passage, bytes: Uint8Array): void {
  if (unlessRight !== undefined && bytes.length > charsOfCredential)
    throw new FaultError(unlessRight);
}

async function answer(passage: Passage, parts: Parts): Promise<Reply> {
  const { route, request, readers } = passage;
  parts.query = parseQuery(route, request.query);
  const parsed = parseCharged(passage, parts.grant, parts.bytes);
  parts.body = parsed.body;
  parts.sent = parsed.sent;
  parts.unknown = parsed.unknown;
  parts.inexact = parsed.inexact;
  parts.creates = creationOf(route, request.path, parts.header('idempotency-key'), parsed.sent);
  parts.editing = editingOf(route, parts.header('if-match'));
  const handling = route.handle(new Call(parts) as never);
  let reply: Reply;
  try {
    reply = await handling;
  } catch (error) {
    reply = await replayed(route, parts, error, readers).catch(named(parsed.unknown));
  }
  return withWarnings(reply, parsed.unknown);
}

/** What a call is made of; one object, which fills as the call is read. */
type Parts = { -readonly [Name in keyof CallParts]-?: CallParts[Name] };
type CallParts = ConstructorParameters<typeof Call>[0];

/** Rethrows a refusal with the members that may be its reason. */
function named(unknown: readonly UnknownMember[]): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof FaultError) || unknown.length === 0) throw error;
    throw new FaultError(namingUnknown(error.fault, unknown));
  };
}

/** Who is named where a call changes something. */
function actorOf({ method, access }: Route, grant: KeyGrant | undefined): string | undefined {
  if (method === 'GET') return undefined;
  return access.kind === 'bootstrap' ? 'operator' : grant?.keyObjectId;
}

/** A call's parts, of which those that need parsing are still missing. */
function partsOf(
  { edge, route, request, params, requestId, who, unlessRight }: Passage,
  grant: KeyGrant | undefined,
  bytes: Uint8Array,
): Parts {
  return {
    edge,
    method: request.method,
    actor: actorOf(route, grant),
    params,
    query: undefined,
    body: undefined,
    sent: undefined,
    unknown: nothingUnknown,
    inexact: nothingInexact,
    grant,
    bytes,
    requestId,
    target: request.query === '' ? request.path : `${request.path}?${request.query}`,
    who,
    unlessRight,
    lane: 'express',
    creates: undefined,
    editing: undefined,
    header: (name: string) => (request.has(name) ? request.header(name) : undefined),
  };
}

const nothingUnknown: Call['unknown'] = [];
const nothingInexact: Call['inexact'] = new Map();

/** The body, charged if it sets its price: a batch in full, an invalid body as one call. */
function parseCharged(passage: Passage, grant: KeyGrant | undefined, bytes: Uint8Array) {
  const { route, request, params } = passage;
  if (route.unitsOf === undefined) return parseBody(route, request, bytes, params);
  let parsed: ReturnType<typeof parseBody>;
  try {
    parsed = parseBody(route, request, bytes, params);
  } catch (error) {
    charge(passage, grant, 1);
    throw error;
  }
  charge(passage, grant, route.unitsOf(parsed.body));
  return parsed;
}

function isReplay({ headers = [] }: Reply): boolean {
  return headers.some(([name]) => name === 'x-idempotent-replay');
}

/** Sends a streamed response to its end; `release` frees its slot. */
async function respondInPieces(
  passage: Passage,
  reply: Reply,
  pieces: Pieces,
  release: () => void,
): Promise<void> {
  const { response, request, route, requestId, edge } = passage;
  try {
    response.begin(reply.status, headersOf(passage, reply));
    if (request.method === 'HEAD') response.end();
    else
      await sendPieces(response, pieces).catch((error: unknown) =>
        edge.log.error(
          { evt: 'http.cut', route: route.path, requestId, err: error },
          'a response was cut off in the middle',
        ),
      );
  } finally {
    pieces.stop?.();
    release();
  }
}

/** A promise only where a long body is compressed. */
function respond(passage: Passage, reply: Reply): void | Promise<void> {
  const headers = headersOf(passage, reply);
  if (reply.html !== undefined) {
    headers.push(htmlType);
    passage.response.send(reply.status, headers, reply.html);
    return;
  }
  if (reply.text !== undefined) {
    passage.response.send(reply.status, headers, reply.text);
    return;
  }
  if (reply.bytes !== undefined) {
    passage.response.send(reply.status, headers, reply.bytes);
    return;
  }
  if (reply.body === undefined) {
    passage.response.send(reply.status, headers, '');
    return;
  }
  headers.push(jsonType);
  // The newline keeps a shell's prompt, and the next answer, off this line.
  const text = `${JSON.stringify(reply.body)}\n`;
  if (text.length < charsMin || !acceptsGzip(passage.request.header('accept-encoding'))) {
    passage.response.send(reply.status, headers, text);
    return;
  }
  headers.push(['content-encoding', 'gzip'], ['vary', 'accept-encoding']);
  const send = (body: Buffer) => passage.response.send(reply.status, headers, body);
  const body = compressed(text);
  return body instanceof Promise ? body.then(send) : send(body);
}

function headersOf(passage: Passage, reply: Reply): HeaderList[number][] {
  const lane = passage.lane === undefined ? [] : laneHeaders(passage.lane);
  return [...passage.headers, ...etagHeader(reply), ...(reply.headers ?? []), ...lane];
}

/** Responds to a refused call and returns the status. Any other error is a bug: logged, 500. */
function refuse(passage: Passage, error: unknown): number {
  let refusal: Fault;
  if (error instanceof FaultError) refusal = error.fault;
  else {
    passage.edge.log.error(
      { evt: 'http.bug', route: passage.route.path, requestId: passage.requestId, err: error },
      'a route handler threw',
    );
    refusal = fault('internal', 'internal error');
  }
  return sendFault(passage, refusal);
}

/** Responds to a request without a route, below `/v1` with lane headers. */
function refuseUnmatched(
  edge: Edge,
  request: HttpRequest,
  response: HttpResponder,
  headers: HeaderList,
  kind: Exclude<Matched['kind'], 'found'>,
  count: (status: number) => void,
): void {
  const route = { access: { kind: 'public' }, lane: 'standard', method: 'GET' } as const;
  const arrival: Arrival = { edge, request, route, who: undefined, lane: undefined };
  const send = (refusal: Fault) =>
    count(sendFault({ response, headers, lane: arrival.lane }, refusal));
  const refusal = notThere(request, kind);
  if (!request.path.startsWith('/v1/')) {
    send(refusal);
    return;
  }
  admitUnmatched(arrival).then(
    () => send(refusal),
    (error: unknown) => send(error instanceof FaultError ? error.fault : refusal),
  );
}

function sendFault(
  {
    response,
    headers,
    lane,
    route,
  }: Pick<Passage, 'response' | 'headers' | 'lane'> & { readonly route?: Route },
  refusal: Fault,
): number {
  const answer = errorAnswer(refusal, 'Bearer', route?.errorMembers?.(refusal));
  const lanes = lane === undefined ? [] : laneHeaders(lane);
  const all = [...headers, ...lanes, ...answer.headers, jsonType];
  response.send(answer.status, all, answer.body);
  return answer.status;
}

function notThere(request: HttpRequest, kind: 'none' | 'method'): Fault {
  if (kind === 'method') {
    return fault('method_not_allowed', `${request.path} does not support ${request.method}`);
  }
  return fault('not_found', `no route ${request.method} ${request.path}; see /docs`);
}
