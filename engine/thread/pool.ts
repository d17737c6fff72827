// Threads for long, read-only work beside the shards: they come when there is something to do and
// go when there is not. A task cannot be killed, because ending a thread that has LMDB open aborts
// the process: give long ones a stop flag.

import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Millis } from '../base/brand.ts';

interface PoolOptions {
  /** URL of a module exporting `run(task)`; plain data in, plain data out. */
  readonly entry: URL;
  readonly maxThreads: number;
  /** How long an idle thread stays. 10 seconds. */
  readonly idleMs?: Millis;
}

/** Runs tasks in threads of their own, first come, first served. */
export class Pool<Task extends object, Result> {
  readonly #entry: string;
  readonly #threads: Piscina;

  constructor({ entry, maxThreads, idleMs = 10_000 }: PoolOptions) {
    this.#entry = entry.href;
    this.#threads = new Piscina({
      filename: fileURLToPath(new URL('./pool-boot.mjs', import.meta.url)),
      minThreads: 0,
      maxThreads,
      idleTimeout: idleMs,
      // Waiting in Atomics would hold up what closes asynchronously in the thread.
      atomics: 'disabled',
      // What a turn needs comes first; on Linux a thread has a niceness of its own.
      niceIncrement: process.platform === 'linux' ? 5 : 0,
    });
  }

  /**
   * Runs a task; rejects with what it threw. `own`: buffers of the task that are given away rather
   * than copied.
   */
  run(task: Task, own: readonly ArrayBuffer[] = []): Promise<Result> {
    const transferList = [...own];
    return this.#threads.run({ entry: this.#entry, task }, { transferList }) as Promise<Result>;
  }

  /** Tasks that wait for a thread. */
  get waiting(): number {
    return this.#threads.queueSize;
  }

  /** Waits for running tasks, then ends the threads. */
  async close(): Promise<void> {
    await this.#threads.close();
  }
}
