// Calls the API as the signed-in person: the browser adds the session's cookie. A call that met a
// full rate limit waits as long as the server asks and then goes on by itself. And what a call
// makes stale of what a cache keeps.

import type { Query, QueryClient } from '@tanstack/react-query';
import { ApiError, errorOf } from './errors.ts';
import { changesOf, type Operations, operations, readersOf } from './generated.ts';

export type OperationName = keyof Operations;

/** Members that an operation does not have are left out. */
export type ArgumentsOf<Name extends OperationName> = {
  readonly [K in 'path' | 'query' | 'body' as Operations[Name][K] extends undefined
    ? never
    : K]: Operations[Name][K];
};

export type AnswerOf<Name extends OperationName> = Operations[Name]['answer'];

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The version that the call changes. */
  readonly ifMatch?: string;
  /** Makes a retry safe. */
  readonly idempotencyKey?: string;
}

interface SendOptions extends CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the page has to do with each call. */
interface Surroundings {
  /** An answer that was asked for before the scripts were there. */
  early(method: string, target: string): Promise<Response | undefined>;
  /** A call waits for room in a rate limit. Returns what to call when it goes on. */
  waits(seconds: number): () => void;
  /** A call was answered, with whatever status, or by nobody. */
  ended(answer: Response | undefined, askedMs: number): void;
  refused(error: ApiError): void;
}

let around: Surroundings = {
  early: async () => undefined,
  waits: () => () => undefined,
  ended: () => undefined,
  refused: () => undefined,
};

/** For who starts the page. */
export function surroundCalls(by: Surroundings): void {
  around = by;
}

const waitsMax = 3;
const waitSecondsMax = 60;

/** Throws an `ApiError`. */
export async function call<Name extends OperationName>(
  name: Name,
  args: ArgumentsOf<Name>,
  options: CallOptions = {},
): Promise<AnswerOf<Name>> {
  const [method, pattern] = operations[name];
  const { path, query, body } = args as unknown as {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, unknown>>;
    readonly body?: unknown;
  };
  const target = `${filled(pattern, path ?? {})}${queryText(query ?? {})}`;
  const answer = await send(method, target, { ...options, body });
  return (await answerBody(answer)) as AnswerOf<Name>;
}

/** A call of any path; for what has no JSON answer, such as a CSV. Throws an `ApiError`. */
export async function send(
  method: string,
  target: string,
  { body, signal, idempotencyKey, ifMatch, headers = {} }: SendOptions = {},
): Promise<Response> {
  const sent: Record<string, string> = { 'x-engage-dashboard': '1', ...headers };
  if (idempotencyKey !== undefined) sent['idempotency-key'] = idempotencyKey;
  if (ifMatch !== undefined) sent['if-match'] = `"${ifMatch}"`;
  const early = await around.early(method, target);
  for (let waits = 0; ; waits++) {
    const isEarly = waits === 0 && early !== undefined;
    const response = isEarly ? early : await fetched(method, target, sent, body, signal);
    if (response.ok) return response;
    const error = await errorOf(response);
    const seconds = error.retryAfterSeconds;
    const mayWait = error.status === 429 && seconds !== undefined && seconds <= waitSecondsMax;
    if (!mayWait || waits === waitsMax) {
      around.refused(error);
      throw error;
    }
    const goOn = around.waits(seconds);
    await pause(seconds, signal).finally(goOn);
  }
}

/** A stream of events: never waited for, because it comes back by itself. Throws an `ApiError`. */
export async function openStream(
  target: string,
  lastId: string | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = { 'x-engage-dashboard': '1' };
  if (lastId !== undefined) headers['last-event-id'] = lastId;
  const response = await fetched('GET', target, headers, undefined, signal);
  if (response.ok) return response;
  throw await errorOf(response);
}

/** Where a signed-in person's browser finds a file, to download it by a link. */
export function hrefOf<Name extends OperationName>(
  name: Name,
  args: Omit<ArgumentsOf<Name>, 'body'>,
): string {
  const { path, query } = args as unknown as {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, unknown>>;
  };
  return `${filled(operations[name][1], path ?? {})}${queryText(query ?? {})}`;
}

async function fetched(
  method: string,
  target: string,
  headers: Record<string, string>,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const isFile = body instanceof Blob;
  const askedMs = performance.now();
  if (body !== undefined) headers['content-type'] = isFile ? body.type : 'application/json';
  try {
    const response = await fetch(target, {
      method,
      headers,
      credentials: 'same-origin',
      redirect: 'error',
      ...(signal === undefined ? {} : { signal }),
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
    });
    around.ended(response, askedMs);
    return response;
  } catch (error) {
    if (signal?.aborted === true) throw error;
    around.ended(undefined, askedMs);
    const message = 'The server did not respond. Check your connection. Nothing you typed is lost.';
    throw new ApiError({ message, status: 0, code: 'offline' });
  }
}

/** Rejects when `signal` aborts. */
function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1_000);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

async function answerBody(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const type = response.headers.get('content-type') ?? '';
  return type.startsWith('application/json') ? response.json() : response.text();
}

function filled(pattern: string, path: Readonly<Record<string, string>>): string {
  return pattern.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
}

/** Lists are repeated parameters joined by a comma, as the API reads them. */
function queryText(query: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null || value === ''
      ? []
      : [`${name}=${encodeURIComponent(Array.isArray(value) ? value.join(',') : String(value))}`],
  );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

type Named = Readonly<Record<string, string>>;

/**
 * What a change makes stale is what shows a noun that it changes. The routes declare both, so no
 * screen lists it. Asks again for what is shown of it, and marks the rest, which is asked for when
 * it is shown. Done when the answers are there. `path` is the call's own: what a deletion was about
 * is marked alone, because asking for it would be a 404.
 */
export async function refreshAfter(
  client: QueryClient,
  name: OperationName,
  path: Named = {},
): Promise<void> {
  const stale = staleAfter(name);
  const gone = deletedBy(name, path);
  const isStale = ({ queryKey }: Query) => stale.has(queryKey[0]);
  const isGone = ({ queryKey }: Query) => gone !== undefined && names(queryKey[1], gone);
  await Promise.all([
    client.invalidateQueries({ predicate: (one) => isStale(one) && !isGone(one) }),
    client.invalidateQueries({
      predicate: (one) => isStale(one) && isGone(one),
      refetchType: 'none',
    }),
  ]);
}

/** With them the session ends: whatever was asked again would be refused. */
const endings: readonly OperationName[] = ['endSession', 'leaveOrg'];

/** The operations whose answers a change makes stale. */
function staleAfter(name: OperationName): ReadonlySet<unknown> {
  if (endings.includes(name)) return new Set();
  const readers = (changesOf[name] ?? []).flatMap((noun): readonly string[] => readersOf[noun]);
  // Nearly every change is in the log of the org.
  return new Set(readers.length === 0 ? [] : [...readers, 'listAuditLog']);
}

/** The id, name or address of the thing that a call deleted. */
function deletedBy(name: OperationName, path: Named): string | undefined {
  const [method, pattern] = operations[name];
  const last = /\{(\w+)\}$/.exec(pattern)?.[1];
  return method === 'DELETE' && last !== undefined ? path[last] : undefined;
}

/** Whether the arguments of a read name this thing, alone or in a list. */
function names(args: unknown, thing: string): boolean {
  const { path = {}, query = {} } = (args ?? {}) as {
    readonly path?: Named;
    readonly query?: Named;
  };
  return [...Object.values(path), ...Object.values(query)].some((value) =>
    String(value).split(',').includes(thing),
  );
}
