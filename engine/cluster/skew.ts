// How far this machine's wall clock differs from those of the other members, and whether it is this
// one that is wrong: more than half of the others say so. Time on the way makes another's clock
// look late, so of the newest beats the one that came fastest counts.

import type { Millis } from '../base/brand.ts';

/** From here on the operator gets an alert. */
const skewAlarmMs: Millis = 500;
/** A member whose clock is this wrong claims no partition. */
const skewWrongMs: Millis = 5_000;
/** Beats that are kept of each member. */
const beatsKept = 8;

interface SkewOptions {
  readonly monotonic: () => Millis;
  readonly wall: () => Millis;
}

export class Skew {
  readonly #options: SkewOptions;
  /**
   * By member: its wall clock less our monotonic one, at the newest beats. So it holds when our own
   * wall clock jumps, and for members that are dead by now: they are still witnesses.
   */
  readonly #bases = new Map<string, Millis[]>();

  constructor(options: SkewOptions) {
    this.#options = options;
  }

  hear(name: string, wallMs: Millis): void {
    const bases = this.#bases.get(name) ?? [];
    bases.push(wallMs - this.#options.monotonic());
    if (bases.length > beatsKept) bases.shift();
    this.#bases.set(name, bases);
  }

  forget(name: string): void {
    this.#bases.delete(name);
  }

  /** By so much, or more, it differs from more than half of the others; 0 without others. */
  get ms(): Millis {
    const base = this.#options.wall() - this.#options.monotonic();
    const apart = [...this.#bases.values()]
      .map((bases) => Math.abs(Math.max(...bases) - base))
      .sort((one, other) => one - other);
    return apart[Math.floor((apart.length - 1) / 2)] ?? 0;
  }

  get isAlarming(): boolean {
    return this.ms >= skewAlarmMs;
  }

  get isWrong(): boolean {
    return this.ms >= skewWrongMs;
  }
}
