// Commits in flight, settled in order, and their watchdog. After one failure nothing may be
// acknowledged, because the disk's content is unknown.

import type { Millis } from '../engine/base/brand.ts';

const ticksToLimit = 10;

interface Pending {
  readonly settled: () => void;
  isDone: boolean;
  ticks: number;
}

export class CommitQueue {
  readonly #limitMs: Millis;
  readonly #onFatal: (error: Error) => void;
  #pending: Pending[] = [];
  #watch: NodeJS.Timeout | undefined;
  #idle: (() => void)[] = [];
  #failed = false;

  /** `limitMs`: after this the oldest commit counts as hung. */
  constructor(limitMs: Millis, onFatal: (error: Error) => void) {
    this.#limitMs = limitMs;
    this.#onFatal = onFatal;
  }

  get length(): number {
    return this.#pending.length;
  }

  /** True from the first failure; `onFatal` was called. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Calls `settled` once `written` and all before it settled; `false` is a failure. */
  push(written: Promise<unknown>, settled: () => void): void {
    const pending: Pending = { settled, isDone: false, ticks: 0 };
    this.#pending.push(pending);
    this.#watch ??= setInterval(() => this.#tick(), this.#limitMs / ticksToLimit);
    written.then(
      (kept) => {
        if (kept === false)
          return this.#fail(
            new Error('a commit was abandoned because the previous commit is missing'),
          );
        pending.isDone = true;
        this.#settle();
      },
      (error: unknown) => this.#reject(error),
    );
  }

  /** Resolves when nothing is in flight or a commit failed. */
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

  // Ticks, not time: a machine that wakes up fires one tick, so the commit can settle first.
  #tick(): void {
    const oldest = this.#pending[0];
    if (oldest !== undefined && ++oldest.ticks >= ticksToLimit)
      this.#fail(new Error(`a commit did not finish within ${this.#limitMs} ms`));
  }

  // lmdb-js rejects with a bare sentence and a second promise for the reason, which must be
  // handled. A full disk shows as EIO there, so only log it.
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

  /** Nothing settles afterwards. False if already stopped. */
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
