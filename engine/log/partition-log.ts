// The port to a log that several machines share: one for each partition, kept in three copies by
// software that exists. Engage trusts it for one thing, that a position is given once. What it
// loses or changes is found by the chain of frames (`log-reader.ts`).

import type { Bytes } from '../base/brand.ts';

/** From 1, without gaps; 0 is before the first. */
export type Position = number;

export interface LoggedFrame {
  readonly position: Position;
  readonly bytes: Uint8Array;
}

export type Appended =
  /** A majority of the copies has it on its disk. */
  | { readonly state: 'appended'; readonly position: Position }
  /** Something else is at the position, or may be soon. */
  | { readonly state: 'refused' }
  /** No answer: it may be in the log, or come in later. */
  | { readonly state: 'unknown'; readonly reason: string }
  /** The log takes no more. Nothing was appended. */
  | { readonly state: 'full' };

/** From the oldest to the newest. */
export interface LogRange {
  readonly oldest: Position;
  readonly newest: Position;
  /** Of all of it, where the log tells. */
  readonly bytes?: Bytes;
}

/** A reader that goes on, and leaves nothing out. */
export interface LogTail {
  /** What came behind the last call's, as `read` gives it. */
  next(): Promise<readonly LoggedFrame[] | undefined>;
  close(): void;
}

/** The log of one partition, as one process reaches it. Never rejects for what the log does. */
export interface PartitionLog {
  /** Appends right behind `after`, or not at all. At most one at a time. */
  append(frame: Uint8Array, after: Position): Promise<Appended>;
  /** Appends wherever the end is: for claims only. */
  appendAnywhere(frame: Uint8Array): Promise<Appended>;
  /**
   * The frames behind `after`, oldest first, at most so many bytes but at least one, from whoever
   * leads. Empty: there are none yet, as far as the answer knows. `undefined`: nobody answered, or
   * the log no longer has them.
   */
  read(after: Position, bytesMax: Bytes): Promise<readonly LoggedFrame[] | undefined>;
  /** For reading on and on. Calls `arrived` when there may be more: a hint that may be missing. */
  tail(after: Position, arrived: () => void): LogTail;
  /** What it can still give; `undefined`: nobody answered. */
  range(): Promise<LogRange | undefined>;
  /** Drops frames up to and including `through`. Best effort. */
  trim(through: Position): Promise<void>;
  close(): Promise<void>;
}

/** Whether it no longer has what comes behind `after`. False as well if nobody answers. */
export async function hasDropped(log: PartitionLog, after: Position): Promise<boolean> {
  const range = await log.range();
  return range !== undefined && range.oldest > after + 1;
}
