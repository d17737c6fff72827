// The runtime's vocabulary: messages in, decisions out. Plain data that survives structured cloning
// and msgpackr: unions on `kind`, no classes, no functions.

import type { Bytes, Millis, Ordinal } from '../base/brand.ts';
import type { Fault } from '../base/fault.ts';
import type { Rng } from '../base/rng.ts';

/** A request to an owner's actor. Areas narrow it to their unions. */
export interface Message {
  readonly kind: string;
}

/** A logged fact that `apply` folds into memory. `owner` is its org or app. */
export interface Entry {
  readonly kind: string;
  readonly owner: Ordinal;
}

/** Express (transactional sends, opt-outs, callbacks) goes before bulk (campaigns, imports). */
export type Lane = 'express' | 'bulk';

/** A message to another actor, at least once; in the same turn within one partition. */
export interface Tell {
  readonly to: Ordinal;
  readonly message: Message;
}

/** A document after the turn. `value: undefined` removes it. */
export interface DocumentWrite {
  readonly table: TableRef;
  /** After the owner: strings, unsigned integers or bytes. */
  readonly key: readonly KeyPart[];
  readonly value: object | undefined;
}

/** A document after the turn, as the record that its table would make of it, if any. */
export interface RecordWrite {
  readonly table: TableRef;
  readonly key: readonly KeyPart[];
  /** `undefined` removes it. */
  readonly record: Uint8Array | undefined;
}

export type KeyPart = string | number | Uint8Array;

/** What the runtime knows of a table; see `storage/table.ts`. */
export interface TableRef {
  readonly id: number;
  readonly name: string;
}

/** An outside action once the turn is durable. Not durable: recovery derives it from entries. */
export interface Effect {
  /** A dispatcher by number, the front, or the partition's host thread. */
  readonly port: number | 'front' | 'host';
  readonly message: Message;
}

/** A message's result. `decide` only reads; the runtime performs all in this order, or none. */
export type Decision<Reply = unknown> =
  | {
      readonly outcome: 'accepted';
      readonly reply: Reply;
      readonly entries?: readonly Entry[];
      readonly documents?: readonly DocumentWrite[];
      /** After the documents. */
      readonly records?: readonly RecordWrite[];
      readonly tells?: readonly Tell[];
      readonly effects?: readonly Effect[];
      /**
       * Extra cost, counted and never timed, in message bytes that take as long (some 15 ns each).
       * A turn ends at its budget, so expensive questions cannot starve other callers.
       */
      readonly work?: number;
    }
  | { readonly outcome: 'refused'; readonly fault: Fault };

/** Reads one owner's documents, including this turn's writes. */
export interface DocumentReader {
  get<Row extends object>(table: TypedTable<Row>, key: readonly KeyPart[]): Row | undefined;
  /** Lends an undecoded record for copying; the bytes are invalid after `use`. False if none. */
  lend(table: TableRef, key: readonly KeyPart[], use: (record: Uint8Array) => void): boolean;
  /** Rows in key order between key parts after the owner; `to` is excluded. At most 10,000. */
  range<Row extends object>(table: TypedTable<Row>, options: RangeOptions): DocumentRow<Row>[];
}

export interface RangeOptions {
  readonly from?: readonly KeyPart[];
  readonly to?: readonly KeyPart[];
  readonly reverse?: boolean;
  readonly limit: number;
  /** Called for unreadable records, which count toward `limit`; without it they throw. */
  readonly damaged?: (key: readonly KeyPart[]) => void;
}

export interface DocumentRow<Row> {
  readonly key: readonly KeyPart[];
  readonly value: Row;
}

export interface TypedTable<Row extends object> extends TableRef {
  readonly row?: Row;
}

/** How old instants are, without time that no clock confirmed (`engine/time/age-clock.ts`). */
export interface Ages {
  /** An instant is certainly older than `windowMs` at `nowMs` if it is before this. */
  cutMs(nowMs: Millis, windowMs: Millis): Millis;
  /** Whether the age of an instant is in doubt. */
  isUnsure(atMs: Millis): boolean;
}

/** What `decide` may use. One instant per message. */
export interface Context {
  readonly owner: Ordinal;
  /** For stamps and delays. Never runs backwards. */
  readonly nowMs: Millis;
  /** For schedules in local or absolute time: `nowMs`, or less while the wall clock is behind. */
  readonly wallMs: Millis;
  /** For what expires. */
  readonly ages: Ages;
  readonly rng: Rng;
  /** Bound to `owner`: code cannot name another tenant's key. */
  readonly documents: DocumentReader;
  /** The message's raw body, for kinds that accept one. */
  readonly bytes: Uint8Array | undefined;
  /** Room for the bytes of entries, valid until the turn's block is packed (`turn-room.ts`). */
  readonly room: { take(bytes: Bytes): Buffer };
}

export type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: Fault };

export interface Envelope {
  readonly to: Ordinal;
  readonly lane: Lane;
  /** Wall-clock instant after which the message is dropped unhandled. */
  readonly deadlineMs: Millis;
  readonly message: Message;
  readonly bytes: Uint8Array | undefined;
  /** Approximate bytes beside `bytes`; turns and mailboxes bound the sum. */
  readonly weight?: number;
  /** The outcome of a grant: on a full disk it waits, because it does not come again. */
  readonly isOutcome?: boolean;
  /** Called once, when all it depends on is durable. Absent for a tell. */
  readonly answer: ((answer: Answer) => void) | undefined;
}

/** Size for bounds in bytes. */
export function weightOf({ bytes, weight }: Pick<Envelope, 'bytes' | 'weight'>): number {
  return (bytes?.byteLength ?? 0) + (weight ?? 0);
}

export function accepted<Reply>(
  reply: Reply,
  rest: Omit<Extract<Decision, { outcome: 'accepted' }>, 'outcome' | 'reply'> = {},
): Decision<Reply> {
  return { outcome: 'accepted', reply, ...rest };
}

export function refused(fault: Fault): Decision<never> {
  return { outcome: 'refused', fault };
}
