// What every reader of a partition's log makes of it, the owner included: which frames are valid. A
// frame is one of the current term's owner and follows the frame before, or it is void or damage.
// The log itself is not trusted: only this decides.

import type { Seq } from '../base/brand.ts';
import { DamagedFrame, decodeFrame, type Frame } from './frame.ts';
import type { Position } from './partition-log.ts';

/** Where a reader stands: the newest position it has read, and what was valid up to there. */
export interface LogPlace {
  readonly position: Position;
  readonly term: number;
  /** Of the newest valid turn. */
  readonly seq: Seq;
  /** Of the newest valid frame. */
  readonly sum: number;
  /** Who has the term. */
  readonly writer: number;
}

export const beginning: LogPlace = { position: 0, term: 0, seq: 0, sum: 0, writer: 0 };

/** The log lost or changed something: nobody may go on with it. */
export class LogDamaged extends Error {
  override readonly name = 'LogDamaged';
}

export class LogReader {
  #place: LogPlace;
  /** Frames that count for nobody: of an owner of before, or of a claim that came second. */
  voids = 0;

  constructor(place: LogPlace = beginning) {
    this.#place = place;
  }

  get place(): LogPlace {
    return this.#place;
  }

  /** The next frame of the log, or `undefined` for one that is void. Throws `LogDamaged`. */
  take(position: Position, bytes: Uint8Array): Frame | undefined {
    const { position: last } = this.#place;
    if (position !== last + 1)
      throw new LogDamaged(`the log has position ${position} where ${last + 1} should be`);
    const frame = this.#decoded(position, bytes);
    const isValid = frame.kind === 'claim' ? this.#isNewTerm(frame) : this.#follows(frame);
    if (!isValid) {
      this.voids++;
      this.#place = { ...this.#place, position };
      return undefined;
    }
    const { term, seq, sum, writer } = frame;
    this.#place =
      frame.kind === 'claim'
        ? { ...this.#place, position, term, sum, writer }
        : { position, term, seq, sum, writer };
    return frame;
  }

  #decoded(position: Position, bytes: Uint8Array): Frame {
    try {
      return decodeFrame(bytes);
    } catch (error) {
      if (!(error instanceof DamagedFrame)) throw error;
      throw new LogDamaged(`position ${position} of the log: ${error.message}`);
    }
  }

  #isNewTerm({ term }: Frame): boolean {
    return term > this.#place.term;
  }

  /** False for a frame of an owner of before. */
  #follows({ kind, term, writer, before, seq }: Frame): boolean {
    const { position: last, ...newest } = this.#place;
    if (term < newest.term) return false;
    const next = newest.seq + (kind === 'turn' ? 1 : 0);
    const isNext = before === newest.sum && seq === next;
    if (term === newest.term && writer === newest.writer && isNext) return true;
    throw new LogDamaged(
      `position ${last + 1} of the log has turn ${seq} of term ${term}, which does not follow turn ${newest.seq} of term ${newest.term}: frames are missing or were changed`,
    );
  }
}
