// Threads for long, read-only work, started on demand. Tasks cannot be killed, because ending a
// thread with LMDB open aborts the process: give long ones a stop flag.

import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Millis } from '../base/brand.ts';

interface PoolOptions {
  /** A module exporting `run(task)`; plain data in and out. */
  readonly entry: URL;
  readonly maxThreads: number;
  /** Idle time before a thread ends. 10 seconds. */
  readonly idleMs?: Millis;
}

/** First come, first served. */
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
      // Waiting in Atomics would block asynchronous closing in the thread.
      atomics: 'disabled',
      // Turns go first; Linux threads have their own niceness.
      niceIncrement: process.platform === 'linux' ? 5 : 0,
    });
  }

  /** Rejects with what the task threw. `own`: buffers to transfer rather than copy. */
  run(task: Task, own: readonly ArrayBuffer[] = []): Promise<Result> {
    const transferList = [...own];
    return this.#threads.run({ entry: this.#entry, task }, { transferList }) as Promise<Result>;
  }

  get waiting(): number {
    return this.#threads.queueSize;
  }

  /** Waits for running tasks, then ends the threads. */
  async close(): Promise<void> {
    await this.#threads.close();
  }
}
