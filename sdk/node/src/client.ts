// The client: an object with a group of methods for each part of the API.

import { joined, partsOf } from './batch.ts';
import { type Answered, Call } from './call.ts';
import { EngageError } from './errors.ts';
import { List, type Page } from './list.ts';
import { type Groups, methods } from './methods.generated.ts';
import { type MethodRow, type Operation, operationOf } from './operation.ts';
import { answerOfCall, type Connection } from './transport.ts';
import { clientVersion } from './version.ts';

/** How to reach a server. */
export interface EngageOptions {
  /** Where the server is: `https://engage.acme.example`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Used wherever a route wants an app and the call names none. */
  readonly appId?: string | undefined;
  /** For each attempt, 60,000 without it. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first one, 3 without it. */
  readonly retries?: number | undefined;
  /** `true`: unknown members of bodies are errors, not warnings. */
  readonly strict?: boolean | undefined;
  /** In place of the platform's. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** All groups of methods. */
export type Engage = Groups;

/** `new Engage({baseUrl, apiKey, appId})`. */
export const Engage = class {
  constructor(options: EngageOptions) {
    const connection = connectionOf(options);
    for (const [group, rows] of Object.entries(methods)) {
      const made = Object.entries(rows).map(
        ([name, row]) => [name, methodOf(connection, row, options.appId)] as const,
      );
      Object.defineProperty(this, group, { enumerable: true, value: Object.fromEntries(made) });
    }
  }
} as unknown as new (
  options: EngageOptions,
) => Engage;

function connectionOf(options: EngageOptions): Connection {
  const { baseUrl, apiKey, appId, timeoutMs = 60_000, retries = 3, strict } = options;
  for (const [name, value] of Object.entries({ baseUrl, apiKey }))
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`${name}: expected a text that is not empty`);
  if (!/^https?:\/\/[^/]/.test(baseUrl))
    throw new TypeError(`baseUrl: expected http:// or https:// and a host, not ${baseUrl}`);
  if (appId !== undefined && (typeof appId !== 'string' || appId === ''))
    throw new TypeError('appId: expected a text that is not empty');
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    apiKey,
    timeoutMs,
    retries,
    strict,
    userAgent: `engage-node/${clientVersion}`,
    // Called without an object: a platform's `fetch` refuses any other `this`.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
  };
}

function methodOf(connection: Connection, row: MethodRow, appId: string | undefined) {
  return (...values: unknown[]): unknown => {
    if (row.answers === 'list')
      return new List<Page>((cursor) => {
        const operation = operationOf(row, values, appId);
        const query = cursor === undefined ? operation.query : { ...operation.query, cursor };
        return ask(connection, row, { ...operation, query }) as Promise<Answered<Page>>;
      });
    return new Call(started(connection, row, values, appId));
  };
}

/** Asynchronous, so that a wrong argument rejects the call like any other failure. */
async function started(
  connection: Connection,
  row: MethodRow,
  values: readonly unknown[],
  appId: string | undefined,
): Promise<Answered<unknown>> {
  const operation = operationOf(row, values, appId);
  return row.batch === undefined
    ? await ask(connection, row, operation)
    : await askInParts(connection, row, operation, row.batch);
}

function ask(connection: Connection, row: MethodRow, operation: Operation, made = newKey()) {
  return answerOfCall(connection, {
    operation,
    key: keyOf(row, operation, made),
    isStream: row.answers === 'stream',
  });
}

/** A key in the body is one as well, and the server takes only one of the two. */
function keyOf({ key }: MethodRow, { options, body }: Operation, made: string) {
  if (options.idempotencyKey !== undefined) return options.idempotencyKey;
  const { idempotencyKey } = (body ?? {}) as { readonly idempotencyKey?: unknown };
  if (key !== undefined && typeof idempotencyKey === 'string') return idempotencyKey;
  return key === 'made' ? made : undefined;
}

async function askInParts(
  connection: Connection,
  row: MethodRow,
  operation: Operation,
  member: string,
): Promise<Answered<unknown>> {
  const parts = partsOf((operation.body ?? {}) as Record<string, unknown>, member);
  const sizes = parts.map(
    (part) => (part as Record<string, readonly unknown[]>)[member]?.length ?? 0,
  );
  const results: Record<string, unknown>[] = [];
  const key = newKey();
  let last: Answered<unknown> | undefined;
  for (const body of parts) {
    try {
      last = await ask(connection, row, { ...operation, body }, key);
    } catch (error) {
      if (error instanceof EngageError && results.length > 0)
        error.partial = joined(results, sizes, member);
      throw error;
    }
    results.push(last.data as Record<string, unknown>);
  }
  return { ...(last as Answered<unknown>), data: joined(results, sizes, member) };
}

/** Unique, not secret: an older Node has no Web Crypto without a switch. */
function newKey(): string {
  const web = globalThis.crypto as typeof globalThis.crypto | undefined;
  if (web?.randomUUID !== undefined) return web.randomUUID();
  const part = () => Math.random().toString(36).slice(2).padEnd(11, '0');
  return `${Date.now().toString(36)}-${part()}-${part()}-${part()}`;
}
