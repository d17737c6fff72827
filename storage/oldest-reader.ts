// How long the oldest reader of a file has kept its pages: while one reads an old version, the file
// grows and never shrinks again.

import type { Millis } from '../engine/base/brand.ts';

/** Asked by whoever reads metrics: an age begins when a reader is first found behind. */
export class OldestReader {
  #behind = new Map<string, Millis>();

  /** `lines` is LMDB's list of readers; 0 if none is behind the newest commit. */
  look(lines: string, newest: number, nowMs: Millis): Millis {
    const behind = new Map<string, Millis>();
    for (const line of lines.split('\n')) {
      const [process, thread, version] = line.trim().split(/\s+/);
      if (version === undefined || !(Number(version) < newest)) continue;
      const reader = `${process} ${thread} ${version}`;
      behind.set(reader, this.#behind.get(reader) ?? nowMs);
    }
    this.#behind = behind;
    return nowMs - Math.min(nowMs, ...behind.values());
  }
}
