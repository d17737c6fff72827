// Commits in flight, settled strictly in the order they were given, and the watchdog over them. One
// failure ends it all: after a rejected commit the content of the disk is unknown, so nothing later
// may be acknowledged either.

import type { Millis } from '../engine/base/brand.ts';

const ticksToLimit = 10;

interface Pending {
  readonly settled: () => void;
  isDone: boolean;
  ticks: number;
}

/** See the head of this file. */
export class CommitQueue {
  readonly #limitMs: Millis;
  readonly #onFatal: (error: Error) => void;
  #pending: Pending[] = [];
  #watch: NodeJS.Timeout | undefined;
  #idle: (() => void)[] = [];
  #failed = false;

  /** `limitMs`: how long the oldest commit may take before it counts as hung. */
  constructor(limitMs: Millis, onFatal: (error: Error) => void) {
    this.#limitMs = limitMs;
    this.#onFatal = onFatal;
  }

  get length(): number {
    return this.#pending.length;
  }

  /** True from the first failure on; `onFatal` has been called. */
  get failed(): boolean {
    return this.#failed;
  }

  /**
   * Calls `settled` once `written` has resolved (`false` is a failure) and everything given before
   * it has settled.
   */
  push(written: Promise<unknown>, settled: () => void): void {
    const pending: Pending = { settled, isDone: false, ticks: 0 };
    this.#pending.push(pending);
    this.#watch ??= setInterval(() => this.#tick(), this.#limitMs / ticksToLimit);
    written.then(
      (kept) => {
        if (kept === false)
          return this.#fail(
            new Error('a commit was abandoned because the one before it is missing'),
          );
        pending.isDone = true;
        this.#settle();
      },
      (error: unknown) => this.#reject(error),
    );
  }

  /** Resolves when nothing is in flight, or when a commit has failed. */
  idle(): Promise<void> {
    if (this.#failed || this.#pending.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #settle(): void {
    while (!this.#failed && this.#pending[0]?.isDone) {
      const { settled } = this.#pending.shift() as Pending;
      try {
        settled();
      } catch (error) {
        this.#fail(error instanceof Error ? error : new Error(String(error)));
      }
    }
    if (this.#pending.length === 0) this.#rest();
  }

  // Counts ticks, not time: after a suspended machine wakes up one tick fires, not ten, and the
  // commit can settle before the next.
  #tick(): void {
    const oldest = this.#pending[0];
    if (oldest !== undefined && ++oldest.ticks >= ticksToLimit)
      this.#fail(new Error(`a commit did not finish within ${this.#limitMs} ms`));
  }

  // lmdb-js rejects with a bare sentence and puts the reason in a separate promise, which would be
  // an unhandled rejection if it were ignored. A full disk shows as EIO there, so the reason is
  // only logged, never acted on.
  #reject(rejection: unknown): void {
    if (!this.#stop()) return;
    const report = (cause: unknown) =>
      this.#onFatal(
        new Error('a commit failed; only a restart can show what was written', { cause }),
      );
    const reason = (rejection as { readonly commitError?: unknown } | null)?.commitError;
    // The reason follows at once or never.
    const silent = new Promise((resolve) => setImmediate(resolve, rejection));
    Promise.race(reason instanceof Promise ? [reason, silent] : [silent]).then(report, report);
  }

  #fail(error: Error): void {
    if (this.#stop()) this.#onFatal(error);
  }

  /** From here on nothing settles. False if it had stopped before. */
  #stop(): boolean {
    if (this.#failed) return false;
    this.#failed = true;
    this.#pending = [];
    this.#rest();
    return true;
  }

  #rest(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
