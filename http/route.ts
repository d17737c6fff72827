// A route: one value that says how it is called, who may call it, what it takes and gives, and what
// it does. Matching, authentication, lanes, validation, errors and the OpenAPI description all
// follow from it.

import type { z } from 'zod';
import type { Scope } from '../actors/tenants/accounts/records.ts';
import type { Call } from './call.ts';
import type { RateLane } from './rate-lane.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call: a key with one of the scopes, the operator with the bootstrap token, or anybody.
 */
type Access =
  | { readonly kind: 'key'; readonly anyOf: readonly Scope[] }
  | { readonly kind: 'bootstrap' }
  | { readonly kind: 'public' };

/**
 * The body of a streamed answer. A reader that stops early calls `return` on its iterator, as
 * `for await` does.
 */
export type Pieces = AsyncIterable<string | Uint8Array>;

/** What a successful call answers with. */
export interface Reply {
  readonly status: number;
  /** Turned into JSON; `undefined` sends no body. */
  readonly body?: unknown;
  /** A page, sent in place of `body` by the few routes that people open in a browser. */
  readonly html?: string;
  /** Sent as it is in place of `body`; its type is among `headers`. */
  readonly text?: string;
  /** The same of what is no text. */
  readonly bytes?: Uint8Array;
  /**
   * Sent piece by piece in place of `body`, whose type is then among `headers`. For answers too
   * long to be held.
   */
  readonly stream?: Pieces;
  readonly headers?: readonly (readonly [string, string])[];
}

/** What one status of a route answers with, for the reference. */
export interface RouteResponse {
  readonly description: string;
  /** The JSON body. */
  readonly schema?: z.ZodType;
  /** Set where the body is not JSON; several where a parameter chooses. */
  readonly contentType?: string | readonly string[];
  /** Headers of its own, beside those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route<Query extends z.ZodType = z.ZodType, Body extends z.ZodType = z.ZodType> {
  /** Its operation id; the list of routes gives it. */
  readonly name?: string;
  readonly method: Method;
  /** OpenAPI's form with colons: `/v1/apps/:appId/subscribers/:id`. */
  readonly path: string;
  readonly summary: string;
  /** Longer words for the reference. */
  readonly description?: string;
  /** The chapter it stands in. */
  readonly tag: string;
  readonly access: Access;
  /**
   * The rate lane it is charged to; `address` for keyless calls, which their address's ceiling
   * covers; `none` for neither.
   */
  readonly lane: RateLane | 'address' | 'none';
  /**
   * How many units of its lane a call takes, where its body says it: all of them or none, once it
   * is read. One that cannot be read takes one. Everything else takes one before its body is looked
   * at.
   */
  unitsOf?(body: z.output<Body>): number;
  readonly query?: Query;
  readonly body?: Body;
  /** What a path parameter is, where its name does not say it. */
  readonly params?: Readonly<Record<string, string>>;
  /** Request headers it reads, for the reference. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** Bodies by status. `undefined` for an answer without one. */
  readonly responses: Readonly<Record<number, RouteResponse>>;
  /** Public to API keys: a client token stands in its Authorization header. */
  readonly clientToken?: true;
  /** Refusals beyond those that access and validation bring by themselves. */
  readonly refusals?: readonly number[];
  /**
   * Values that its body may hold, where that is more than others may: each object, list, text,
   * number and literal is one.
   */
  readonly valuesMax?: number;
  /** The body is not JSON: the route takes the bytes as they are. */
  readonly rawBody?: boolean;
  /**
   * A call without any bytes is one with an empty object: paths that say it all are called so from
   * a shell.
   */
  readonly optionalBody?: true;
  /**
   * It looks for texts that are no Unicode itself, as only a part of its body is refused for one.
   */
  readonly judgesTexts?: boolean;
  handle(call: Call<z.output<Query>, z.output<Body>>): Promise<Reply>;
}

/** Declares a route; the types of query and body follow from its schemas. */
export function route<
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(declaration: Route<Query, Body>): Route {
  return declaration as unknown as Route;
}

/** Any of these scopes. */
export function key(...anyOf: readonly Scope[]): Access {
  return { kind: 'key', anyOf };
}

export const bootstrap: Access = { kind: 'bootstrap' };
export const anybody: Access = { kind: 'public' };
