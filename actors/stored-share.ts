// What an area counts for the storage quota of an org: rows of its tables, and what memory knows.
// Every table of an app is either named here or bounded by something else
// (`test/actors/runtime/stored-tables.test.ts`).

import type { TypedTable } from '../engine/actor/message.ts';
import type { Bytes, Millis } from '../engine/base/brand.ts';

/** As `GET /v1/org/limits` lists them. */
export const storedKinds = ['people', 'events', 'content', 'pictures', 'webhooks'] as const;
export type StoredKind = (typeof storedKinds)[number];

/** `copies`: made of content by sending it, and dry runs. */
export const rowKinds = ['people', 'content', 'copies', 'webhooks'] as const;
export type RowKind = (typeof rowKinds)[number];

/** Bytes of rows by kind; a kind without any is absent. */
export type RowBytes = { readonly [Kind in RowKind]?: Bytes };

export interface StoredShare<App> {
  /** Tables whose rows count with the length of their records. */
  readonly tables?: readonly (readonly [RowKind, TypedTable<object>])[];
  /** Sums that memory has, each without a walk over what it sums. */
  readonly sums?: readonly (readonly [StoredKind, (app: App, nowMs: Millis) => Bytes])[];
  /** By entry: how many bytes its record adds to a sum of memory. */
  readonly growth?: Readonly<Record<string, (app: App, entry: never) => Bytes>>;
}
