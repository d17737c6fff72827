// A route as one value. Matching, authentication, lanes, validation, errors and the OpenAPI
// description all follow from it.

import type { z } from 'zod';
import type { Scope } from '../../actors/tenants/accounts/records.ts';
import type { Fault } from '../../engine/base/fault.ts';
import type { IdPrefix } from '../../engine/base/id.ts';
import type { RateLane } from './admission/rate-lane.ts';
import type { Call } from './call.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * A key or session with one of the scopes, the operator with the bootstrap token, or anyone.
 * `session`: anyone, with the session they have, if any; writes must come from the dashboard.
 */
export type Access =
  | { readonly kind: 'key'; readonly anyOf: readonly Scope[] }
  | { readonly kind: 'bootstrap' }
  | { readonly kind: 'session' }
  | { readonly kind: 'public' };

/**
 * What a tenant has, as far as one call's answer grows old by another call. Whoever keeps answers
 * (the dashboard's cache) asks again for those that read what a call has changed.
 */
export type Noun =
  | 'app'
  | 'asset'
  | 'audit-entry'
  | 'billing'
  | 'branding'
  | 'bulk-change'
  | 'campaign'
  | 'client'
  | 'credential'
  | 'dead-letter'
  | 'device'
  | 'doubtful-opt-out'
  | 'dry-run'
  | 'email-domain'
  | 'enrollment'
  | 'event'
  | 'event-name'
  | 'flag'
  | 'form'
  | 'relay'
  | 'in-app-message'
  | 'integration'
  | 'journey'
  | 'key'
  | 'live-activity'
  | 'mail-stop'
  | 'member'
  | 'message'
  | 'message-template'
  | 'notification'
  | 'org'
  | 'org-limits'
  /** What became of sends: receipts, opens, clicks, conversions. */
  | 'outcome'
  | 'segment'
  | 'session'
  | 'settings'
  | 'sign-in-link'
  | 'subscriber'
  | 'suppression'
  | 'tag-name'
  | 'topic'
  | 'usage'
  | 'warm-up'
  | 'webhook-delivery';

/** A route says at least one of them, if only that it reads nothing that changes: `reads: []`. */
export type Nouns =
  | { readonly reads: readonly Noun[]; readonly changes?: readonly Noun[] }
  | { readonly reads?: readonly Noun[]; readonly changes: readonly Noun[] };

/** A streamed body. A reader that stops early calls `return`, as `for await` does. */
export interface Pieces extends AsyncIterable<string | Uint8Array> {
  /** Called when the client disconnects, while the next piece may still be awaited. */
  stop?(): void;
}

export interface Reply {
  readonly status: number;
  /** Sent as JSON; `undefined` sends no body. */
  readonly body?: unknown;
  /** A page, instead of `body`; for the few routes that people open in a browser. */
  readonly html?: string;
  /** Text, instead of `body`; its type is among `headers`. */
  readonly text?: string;
  /** The same for bytes. */
  readonly bytes?: Uint8Array;
  /** Instead of `body`, sent by piece; its type is among `headers`. For responses beyond memory. */
  readonly stream?: Pieces;
  readonly headers?: readonly (readonly [string, string])[];
}

export interface RouteResponse {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Unless JSON, or beside the JSON of `schema`; several if a parameter or header chooses. */
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
  readonly description?: string;
  readonly tag: string;
  readonly access: Access;
  /** The nouns that its answer shows. */
  readonly reads?: readonly Noun[];
  /** The nouns that a successful call changes. */
  readonly changes?: readonly Noun[];
  /** The rate lane; `address` for keyless calls under the limit per address; `none`: no limit. */
  readonly lane: RateLane | 'address' | 'none';
  /**
   * The price in lane units, if the body sets it: charged all or nothing after reading the body; an
   * invalid body costs one. Other calls cost one unit, charged before the body.
   */
  unitsOf?(body: z.output<Body>): number;
  readonly query?: Query;
  readonly body?: Body;
  /** The schema of the body's members, if a path parameter decides about it. */
  membersOf?(params: Readonly<Record<string, string>>): z.ZodType | undefined;
  /**
   * With an idempotency key a repeated call answers with the object that the first one created:
   * what this message makes, with ids of this prefix, as GET on `read` shows it. Without `read` the
   * first answer had a secret and cannot be given again.
   */
  readonly creates?: {
    readonly kind: string;
    readonly prefix: IdPrefix;
    readonly read?: string;
    /** Another field of the answer that has the id. */
    readonly alias?: string;
  };
  /**
   * The message that changes what the path names; `If-Match` is checked by the actor that gets it.
   * Without it, PATCH, PUT and DELETE refuse the header.
   */
  readonly edits?: string;
  /** Path parameters whose names do not explain them. */
  readonly params?: Readonly<Record<string, string>>;
  /** Request headers it reads, for the reference. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly responses: Readonly<Record<number, RouteResponse>>;
  /** A route of another service's form: its libraries show the key in other schemes, too. */
  readonly keyForm?: 'anyScheme';
  /** What its errors say beside our members, in that service's form. */
  errorMembers?(refusal: Fault): object;
  /** Public to API keys; the Authorization header has a client token. */
  readonly clientToken?: true;
  /** Refusals beyond those of access, validation and path. */
  readonly refusals?: readonly number[];
  /** The most JSON values in its body, if above the default. Keys do not count. */
  readonly valuesMax?: number;
  /** Its answers last as long as somebody reads: no slot of an export, no duration to measure. */
  readonly endless?: true;
  /** Of a visitor: a right link or key in the body passes a full limit per address. */
  readonly judgesFirst?: true;
  /** The longest body, if above the default. */
  readonly bodyBytesMax?: number;
  /** Not JSON: the handler gets the bytes. */
  readonly rawBody?: boolean;
  /** The body is a file of one of these types, and the handler gets its bytes. */
  readonly fileTypes?: readonly string[];
  /** An empty body counts as `{}`, so that calls without parameters are easy from a shell. */
  readonly optionalBody?: true;
  /**
   * Reads the body from its bytes, faster than by the schema, if it has a form that needs no
   * warning and no refusal; `undefined` for all others. The schema would read the same.
   */
  readBytes?(bytes: Uint8Array): z.output<Body> | undefined;
  /** Its handler checks for invalid Unicode and inexact numbers, and refuses parts of the body. */
  readonly judgesTexts?: boolean;
  /** The list in its body whose items fail alone for an inexact number: `inexact` in the call. */
  readonly judgesNumbersOf?: string;
  handle(call: Call<z.output<Query>, z.output<Body>>): Promise<Reply>;
}

/** The types of query and body follow from its schemas; the lane is `standard` unless it says. */
export function route<
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(declaration: Declared<Query, Body> & Nouns): Route {
  return { lane: 'standard', ...declaration } as unknown as Route;
}

type Declared<Query extends z.ZodType, Body extends z.ZodType> = Omit<Route<Query, Body>, 'lane'> &
  Partial<Pick<Route, 'lane'>>;

export function key(...anyOf: readonly Scope[]): Access {
  return { kind: 'key', anyOf };
}

export const bootstrap: Access = { kind: 'bootstrap' };
export const visitor: Access = { kind: 'session' };
export const anybody: Access = { kind: 'public' };
