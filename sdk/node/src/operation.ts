// How a method becomes a request: which argument goes where, by its row of the generated table.

import type { CallOptions } from './call.ts';

/** What a file may be given as. */
export type Uploadable = Uint8Array | ArrayBuffer | Blob;

/** A row of the generated table. */
export interface MethodRow {
  /** Method and path: `GET /v1/apps/{appId}`. */
  readonly call: string;
  /** What follows the ids of the path. */
  readonly takes?: 'body' | 'bytes' | 'query';
  readonly answers?: 'list' | 'stream';
  /** Where the client's app id goes, if not into the path. */
  readonly app?: 'query' | 'body';
  /** Whether the client makes an idempotency key, or uses a given one only. */
  readonly key?: 'made' | 'given';
  /** Query parameters that belong to the method. */
  readonly sets?: Readonly<Record<string, string>>;
  /** The member of the body that may be cut into several calls. */
  readonly batch?: string;
}

/** One call, ready for the transport. */
export interface Operation {
  readonly httpMethod: string;
  /** Path and query, from the root of the API. */
  readonly target: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly isBytes: boolean;
  readonly options: CallOptions;
}

/** The request of a call with these arguments. Throws `TypeError` before anything is sent. */
export function operationOf(
  row: MethodRow,
  values: readonly unknown[],
  ownAppId: string | undefined,
): Operation {
  const [httpMethod = '', path = ''] = row.call.split(' ');
  const left = [...values];
  const ids = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) =>
    name === 'appId' ? [] : [[name, left.shift()] as const],
  );
  const payload = row.takes === 'body' || row.takes === 'bytes' ? left.shift() : undefined;
  const asked = row.takes === 'query' || row.takes === 'bytes' ? left.shift() : undefined;
  const options = (left.shift() ?? {}) as CallOptions;
  if (left.length > 0)
    throw new TypeError(`${row.call}: expected at most ${values.length - 1} arguments`);
  const appId = options.appId ?? ownAppId;
  const named = new Map<string, unknown>([...ids, ['appId', appId]]);
  const target = path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    pathPart(name, named.get(name)),
  );
  const query: Record<string, unknown> = {
    ...row.sets,
    ...asRecord(asked, 'query'),
    ...strictness(options),
  };
  const isAppAsked = row.app === 'query' && appId !== undefined && query['appId'] === undefined;
  return {
    httpMethod,
    target,
    query: isAppAsked ? { ...query, appId } : query,
    body: row.app === 'body' ? withApp(payload, appId) : payload,
    isBytes: row.takes === 'bytes',
    options,
  };
}

/** The query as text, with its question mark. */
export function queryText(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    const text = value instanceof Date ? value.toISOString() : String(value); // a list by commas
    parameters.set(name, text);
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** An empty id or a dot would be the address of something else. */
function pathPart(name: string, value: unknown): string {
  if (name === 'appId' && value === undefined)
    throw new TypeError('appId: expected one, of the client or of this call');
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..')
    throw new TypeError(`${name}: expected an id as text, not ${JSON.stringify(value)}`);
  return encodeURIComponent(value);
}

function strictness({ strict }: CallOptions): Readonly<Record<string, unknown>> {
  return strict === undefined ? {} : { strict };
}

function asRecord(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${what}: expected an object`);
  return value as Readonly<Record<string, unknown>>;
}

function withApp(body: unknown, appId: string | undefined): unknown {
  const record = asRecord(body, 'body');
  return appId === undefined || record['appId'] !== undefined ? body : { ...record, appId };
}
