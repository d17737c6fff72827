// A route as one value: its path, access, parameters, responses and handler. Matching,
// authentication, lanes, validation, errors and the OpenAPI description all follow from it.

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

/** A successful response. */
export interface Reply {
  readonly status: number;
  /** Turned into JSON; `undefined` sends no body. */
  readonly body?: unknown;
  /** A page, instead of `body`; for the few routes that people open in a browser. */
  readonly html?: string;
  /** Text, instead of `body`; its type is among `headers`. */
  readonly text?: string;
  /** The same for bytes. */
  readonly bytes?: Uint8Array;
  /**
   * Sent piece by piece, instead of `body`, with its type among `headers`. For responses too long
   * to hold in memory.
   */
  readonly stream?: Pieces;
  readonly headers?: readonly (readonly [string, string])[];
}

/** One status of a route, for the reference. */
export interface RouteResponse {
  readonly description: string;
  /** The JSON body. */
  readonly schema?: z.ZodType;
  /** Set if the body is not JSON; several if a parameter chooses. */
  readonly contentType?: string | readonly string[];
  /** Headers beyond those of every response. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route<Query extends z.ZodType = z.ZodType, Body extends z.ZodType = z.ZodType> {
  /** Its operation id, from the list of routes. */
  readonly name?: string;
  readonly method: Method;
  /** OpenAPI's form with colons: `/v1/apps/:appId/subscribers/:id`. */
  readonly path: string;
  readonly summary: string;
  /** A longer text for the reference. */
  readonly description?: string;
  /** Its chapter in the reference. */
  readonly tag: string;
  readonly access: Access;
  /**
   * The rate lane it is charged to; `address` for keyless calls under the limit per address; `none`
   * for no limit.
   */
  readonly lane: RateLane | 'address' | 'none';
  /**
   * The price of a call in units of its lane, if its body sets it: charged all or nothing once the
   * body is read. An invalid body costs one unit. Other calls cost one unit, charged before the
   * body is read.
   */
  unitsOf?(body: z.output<Body>): number;
  readonly query?: Query;
  readonly body?: Body;
  /** Descriptions of path parameters whose names do not explain them. */
  readonly params?: Readonly<Record<string, string>>;
  /** Request headers it reads, for the reference. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** Responses by status. */
  readonly responses: Readonly<Record<number, RouteResponse>>;
  /** Public to API keys: a client token is in its Authorization header. */
  readonly clientToken?: true;
  /** Refusals beyond those that follow from access and validation. */
  readonly refusals?: readonly number[];
  /**
   * The most JSON values in its body, if it may have more than others: each object, list, text,
   * number and literal is one.
   */
  readonly valuesMax?: number;
  /** The body is not JSON: the handler gets the bytes. */
  readonly rawBody?: boolean;
  /**
   * An empty body counts as an empty object, so that paths without parameters are easy to call from
   * a shell.
   */
  readonly optionalBody?: true;
  /** Its handler checks for invalid Unicode itself, to refuse only a part of the body. */
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

/** A key with any of these scopes. */
export function key(...anyOf: readonly Scope[]): Access {
  return { kind: 'key', anyOf };
}

export const bootstrap: Access = { kind: 'bootstrap' };
export const anybody: Access = { kind: 'public' };
