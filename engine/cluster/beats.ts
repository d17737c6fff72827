// The port by which members of a cluster hear each other, and its twin in memory for tests: what is
// said may get lost, come late or come twice.

import type { Beat } from './beat.ts';

export interface Beats {
  say(beat: Beat): void;
  onHear(callback: (beat: Beat) => void): void;
  close(): Promise<void>;
}

/** All members of one process; each gets `Beats` of its own. */
export class MemoryBeats {
  readonly #listeners = new Set<(beat: Beat) => void>();

  /** `isCut`: whether it is cut off from the others at the moment. */
  open(isCut: () => boolean = () => false): Beats {
    const own = new Set<(beat: Beat) => void>();
    return {
      say: (beat) => {
        if (isCut()) return;
        const copy = structuredClone(beat);
        for (const hear of this.#listeners) queueMicrotask(() => hear(copy));
      },
      onHear: (callback) => {
        const hear = (beat: Beat) => {
          if (own.has(hear) && !isCut()) callback(beat);
        };
        own.add(hear);
        this.#listeners.add(hear);
      },
      close: async () => {
        for (const hear of own) this.#listeners.delete(hear);
        own.clear();
      },
    };
  }
}
