// How much of a partition's log its owner lets the servers drop: what is older than two hours, or
// the oldest of a log that is half full. A copy that is behind reads it first, unless the log is
// about to be full: then it is made anew from another copy.

import { type Bytes, hourMs, type Millis, minuteMs } from '../../../engine/base/brand.ts';
import type { Position } from '../../../engine/log/partition-log.ts';

const keptMs: Millis = 2 * hourMs;
const noteMs: Millis = minuteMs;
/** Of the log's most bytes: from here on the oldest goes, until a quarter is left. */
const halfFull = 1 / 2;
const leftFull = 1 / 4;
/** From here on nobody is waited for. */
const nearlyFull = 3 / 4;

interface TrimView {
  readonly nowMs: Millis;
  readonly oldest: Position;
  readonly newest: Position;
  /** Of the log now; unknown where it does not tell. */
  readonly bytes?: Bytes | undefined;
  readonly bytesMax: Bytes;
  /** The owner's files have all up to here. */
  readonly stored: Position;
  /** How far live copies have read. */
  readonly read: readonly Position[];
}

/** Of one partition. */
export class LogTrim {
  readonly #noted: { readonly atMs: Millis; readonly position: Position }[] = [];

  /** Up to where the log may be dropped, or `undefined`: nothing. */
  through(view: TrimView): Position | undefined {
    const { nowMs, oldest, bytes = 0, bytesMax, stored, read } = view;
    this.#note(nowMs, view.newest);
    const wanted = Math.max(this.#agedPosition(nowMs), excess(view));
    const isUrgent = bytes >= bytesMax * nearlyFull;
    const through = Math.min(wanted, stored, ...(isUrgent ? [] : read));
    return through >= oldest ? through : undefined;
  }

  #note(nowMs: Millis, position: Position): void {
    const last = this.#noted.at(-1);
    if (last !== undefined && nowMs - last.atMs < noteMs) return;
    this.#noted.push({ atMs: nowMs, position });
  }

  /** The newest position that is as old as the log is kept. */
  #agedPosition(nowMs: Millis): Position {
    const noted = this.#noted;
    while (noted[1] !== undefined && noted[1].atMs <= nowMs - keptMs) noted.shift();
    const [first] = noted;
    return first !== undefined && first.atMs <= nowMs - keptMs ? first.position : 0;
  }
}

/** Frames are taken as of one size. */
function excess({ oldest, newest, bytes = 0, bytesMax }: TrimView): Position {
  if (bytes < bytesMax * halfFull) return 0;
  const dropped = 1 - (bytesMax * leftFull) / bytes;
  return oldest + Math.floor((newest - oldest) * dropped);
}
