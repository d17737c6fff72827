// The vocabulary of the runtime: messages in, decisions out. All of it is plain data that survives
// structured cloning and msgpackr: discriminated unions on `kind`, no classes, no functions.

import type { Millis, Ordinal } from '../base/brand.ts';
import type { Fault } from '../base/fault.ts';
import type { Rng } from '../base/rng.ts';
import type { TurnRoom } from './turn-room.ts';

/** A request to an owner's actor. Areas narrow this with their own unions. */
export interface Message {
  readonly kind: string;
}

/**
 * A fact, written to the log and folded into memory by `apply`. `owner` is the org or app it
 * belongs to.
 */
export interface Entry {
  readonly kind: string;
  readonly owner: Ordinal;
}

/**
 * Express passes before bulk: transactional sends, opt-outs and callbacks before campaigns, imports
 * and sweeps.
 */
export type Lane = 'express' | 'bulk';

/**
 * A message to another actor, at least once, handled in the same turn when it lives in the same
 * partition.
 */
export interface Tell {
  readonly to: Ordinal;
  readonly message: Message;
}

/** A document after the turn. `value: undefined` removes it. */
export interface DocumentWrite {
  readonly table: TableRef;
  /** Parts after the owner: strings, unsigned integers or bytes. */
  readonly key: readonly KeyPart[];
  readonly value: object | undefined;
}

export type KeyPart = string | number | Uint8Array;

/** What the runtime needs to know about a table; `storage/table.ts` declares the real ones. */
export interface TableRef {
  readonly id: number;
  readonly name: string;
}

/**
 * Something to do outside once the turn is durable: a grant to a dispatcher, a notice to the front.
 * It is not durable itself: what must survive a crash is an entry, and recovery derives the effect
 * from it again.
 */
export interface Effect {
  /** The target: a dispatcher by number, the front, or the thread that hosts the partition. */
  readonly port: number | 'front' | 'host';
  readonly message: Message;
}

/**
 * The result of a message. `decide` only reads; the runtime performs all of this, in this order, or
 * none of it.
 */
export type Decision<Reply = unknown> =
  | {
      readonly outcome: 'accepted';
      readonly reply: Reply;
      readonly entries?: readonly Entry[];
      readonly documents?: readonly DocumentWrite[];
      readonly tells?: readonly Tell[];
      readonly effects?: readonly Effect[];
      /**
       * What deciding cost beyond the usual, counted and never timed, in bytes of messages that
       * take as long: some 15 ns each. A turn ends once it has used its budget, so that a few
       * expensive questions cannot starve other callers.
       */
      readonly work?: number;
    }
  | { readonly outcome: 'refused'; readonly fault: Fault };

/** Reads over one owner's documents, including everything this turn has written so far. */
export interface DocumentReader {
  get<Row extends object>(table: TypedTable<Row>, key: readonly KeyPart[]): Row | undefined;
  /**
   * Lends the record of a row, as it is or will be at rest, to copy it undecoded: the bytes are
   * invalid after `use`. False if there is none.
   */
  lend(table: TableRef, key: readonly KeyPart[], use: (record: Uint8Array) => void): boolean;
  /**
   * Rows in key order; `from` and `to` are key parts after the owner, `to` excluded. At most 10,000
   * rows.
   */
  range<Row extends object>(table: TypedTable<Row>, options: RangeOptions): DocumentRow<Row>[];
}

export interface RangeOptions {
  readonly from?: readonly KeyPart[];
  readonly to?: readonly KeyPart[];
  readonly reverse?: boolean;
  readonly limit: number;
  /**
   * Called for each record that cannot be read, which counts towards `limit`; without it one
   * throws.
   */
  readonly damaged?: (key: readonly KeyPart[]) => void;
}

export interface DocumentRow<Row> {
  readonly key: readonly KeyPart[];
  readonly value: Row;
}

/** A table that knows its row type. */
export interface TypedTable<Row extends object> extends TableRef {
  readonly row?: Row;
}

/** What `decide` may use beside its state and message. One instant per message. */
export interface Context {
  readonly owner: Ordinal;
  readonly nowMs: Millis;
  readonly rng: Rng;
  /** Bound to `owner`: no code can name another tenant's key. */
  readonly documents: DocumentReader;
  /** The raw body that came with the message, for kinds that accept one. */
  readonly bytes: Uint8Array | undefined;
  /** Where the bytes of entries may be written. */
  readonly room: TurnRoom;
}

/** The answer to an ask. */
export type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: Fault };

/** A message on its way to a partition. */
export interface Envelope {
  readonly to: Ordinal;
  readonly lane: Lane;
  /** Absolute wall-clock instant after which the message is dropped unhandled. */
  readonly deadlineMs: Millis;
  readonly message: Message;
  readonly bytes: Uint8Array | undefined;
  /**
   * About how many bytes the message holds beside `bytes`; turns and mailboxes are bounded by both
   * together.
   */
  readonly weight?: number;
  /** Called once, with the answer, when everything it depends on is durable. Absent for a tell. */
  readonly answer: ((answer: Answer) => void) | undefined;
}

/** The size of an envelope, for bounds in bytes. */
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
