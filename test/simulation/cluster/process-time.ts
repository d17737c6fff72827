// Time as one process has it. A process that is stopped, as by SIGSTOP, runs nothing; what was due
// meanwhile happens when it is woken, in the same order.

import type { Timeline } from '../timeline.ts';

export class ProcessTime {
  readonly #timeline: Timeline;
  #isStopped = false;
  #held: (() => void)[] = [];

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  get nowMs(): number {
    return this.#timeline.nowMs;
  }

  after(delayMs: number, task: () => void): void {
    this.#timeline.after(delayMs, () => this.run(task));
  }

  /** Now, or once it is woken. */
  run(task: () => void): void {
    if (this.#isStopped) this.#held.push(task);
    else task();
  }

  stop(): void {
    this.#isStopped = true;
  }

  wake(): void {
    this.#isStopped = false;
    for (const task of this.#held.splice(0)) this.after(0, task);
  }
}
