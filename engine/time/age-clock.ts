// How old an instant is, without time that nobody confirmed. A start that finds the wall clock far
// past the newest instant of the log cannot tell a long downtime from a wrong clock. Until someone
// can, that gap ages nothing: retention, idempotency keys and event ids wait. Folded from the log,
// so that folds may ask, too. The log holds no instant inside a gap that a start made.

import type { Gap, GapMemory } from '../actor/machine.ts';
import { assert } from '../base/assert.ts';
import type { Millis } from '../base/brand.ts';

/** More starts in doubt than this join the two oldest gaps, which ages things less. */
const gapsMax = 16;

export class AgeClock implements GapMemory {
  /** Oldest first, apart from each other. */
  #gaps: Gap[] = [];

  get gaps(): readonly Gap[] {
    return this.#gaps;
  }

  /** Time in all gaps. */
  get unconfirmedMs(): Millis {
    return this.#gaps.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  }

  /** An instant is certainly older than `windowMs` at `nowMs` if it is before this. */
  cutMs(nowMs: Millis, windowMs: Millis): Millis {
    let cut = nowMs - windowMs;
    for (let i = this.#gaps.length - 1; i >= 0; i--) {
      const { fromMs, toMs } = this.#gaps[i] as Gap;
      if (cut >= toMs) break;
      cut -= toMs - fromMs;
    }
    return cut;
  }

  /** Whether an instant lies before a gap that `nowMs` is behind: its age is unknown. */
  isUnsure(atMs: Millis): boolean {
    const newest = this.#gaps.at(-1);
    return newest !== undefined && atMs < newest.toMs;
  }

  doubt(gap: Gap): void {
    assert(gap.fromMs < gap.toMs, 'age clock: a gap has a length');
    const last = this.#gaps.at(-1);
    // A jump inside a gap: the wall clock came back and left again.
    const fromMs = last === undefined ? gap.fromMs : Math.max(gap.fromMs, last.toMs);
    if (fromMs < gap.toMs) this.#gaps.push({ fromMs, toMs: gap.toMs });
    while (this.#gaps.length > gapsMax) {
      const [first, second] = this.#gaps.splice(0, 2) as [Gap, Gap];
      this.#gaps.unshift({ fromMs: first.fromMs, toMs: second.toMs });
    }
  }

  confirm(): void {
    this.#gaps = [];
  }

  restore(gaps: readonly Gap[]): void {
    this.#gaps = [...gaps];
  }
}
