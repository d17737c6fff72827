// What a copy read where, for the newest frames: two copies that stand at one position of the log
// must have read the same.

import type { LogPlace } from '../log/log-reader.ts';
import type { Position } from '../log/partition-log.ts';
import type { CopySaid } from './beat.ts';

/** Of a copy: more than an owner commits between two beats. */
const kept = 1_024;

export class ReadSums {
  readonly #sums = new Map<Position, number>();
  #toldAt: Position | undefined;

  note({ position, sum }: LogPlace): void {
    this.#sums.set(position, sum);
    for (const oldest of this.#sums.keys()) {
      if (this.#sums.size <= kept) return;
      this.#sums.delete(oldest);
    }
  }

  /** True once for each position at which another copy has read something else. */
  differs({ position, sum }: Pick<CopySaid, 'position' | 'sum'>): boolean {
    const own = this.#sums.get(position);
    if (own === undefined || own === sum || this.#toldAt === position) return false;
    this.#toldAt = position;
    return true;
  }
}
