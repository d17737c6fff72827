// A bounded line in front of something scarce. Owners take turns, so that one with many tasks
// delays another by one task at most. A full line makes room for a newcomer: it drops the newest
// task of the owner with the most.

import type { Millis } from './brand.ts';

export interface FairLineOptions {
  /** Tasks that run at once, and of one owner. */
  readonly runningMax: number;
  readonly runningOfOwnerMax: number;
  /** Tasks that wait, and of one owner. */
  readonly waitingMax: number;
  readonly waitingOfOwnerMax: number;
  /** How long a task may wait. */
  readonly waitMs: Millis;
  /** Runs a task later, and returns a function that cancels it. */
  readonly after: (ms: Millis, task: () => void) => () => void;
}

/** Why a task does not run: its owner's places are taken, or there is no room for its owner. */
export type FairLineRefusal = 'owner' | 'line' | 'stopped';

interface Task {
  readonly owner: number;
  /** A part of the owner: the parts take turns within the owner's turns. */
  readonly part: number;
  /** Runs it. It must call `end` when it is done; further calls do nothing. */
  readonly begin: (end: () => void) => void;
  readonly refuse: (why: FairLineRefusal) => void;
}

interface Waiting extends Task {
  readonly forget: () => void;
}

export class FairLine {
  readonly #options: FairLineOptions;
  /** In the order of arrival. */
  readonly #waiting: Waiting[] = [];
  readonly #running = new Map<number, number>();
  #runningCount = 0;
  /** The numbers of the last turns of owners, and of their parts. */
  readonly #turns = new Map<string, number>();
  #turn = 0;
  #isStopped = false;

  constructor(options: FairLineOptions) {
    this.#options = options;
  }

  /** Tasks that wait, for tests and metrics. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Calls `begin` or `refuse`, once: at once or later. */
  enter(task: Task): void {
    const refusal = this.#makeRoom(task.owner);
    if (refusal !== undefined) {
      task.refuse(refusal);
      return;
    }
    const forget = this.#options.after(this.#options.waitMs, () => {
      this.#remove(waiting);
      task.refuse('line');
    });
    const waiting: Waiting = { ...task, forget };
    this.#waiting.push(waiting);
    this.#next();
  }

  /** Refuses what waits and what comes. */
  stop(): void {
    this.#isStopped = true;
    for (const { refuse, forget } of this.#waiting.splice(0)) {
      forget();
      refuse('stopped');
    }
  }

  #makeRoom(owner: number): FairLineRefusal | undefined {
    if (this.#isStopped) return 'stopped';
    const { waitingMax, waitingOfOwnerMax } = this.#options;
    const counts = new Map<number, number>();
    for (const one of this.#waiting) counts.set(one.owner, (counts.get(one.owner) ?? 0) + 1);
    const own = counts.get(owner) ?? 0;
    if (own >= waitingOfOwnerMax) return 'owner';
    if (this.#waiting.length < waitingMax) return undefined;
    const most = Math.max(...counts.values());
    if (most <= own + 1) return 'line';
    const dropped = this.#waiting.findLast((one) => counts.get(one.owner) === most);
    if (dropped === undefined) return 'line';
    this.#remove(dropped);
    dropped.forget();
    dropped.refuse('line');
    return undefined;
  }

  #remove(waiting: Waiting): void {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
  }

  #next(): void {
    while (this.#runningCount < this.#options.runningMax) {
      const next = this.#takeNext();
      if (next === undefined) return;
      next.forget();
      this.#run(next);
    }
  }

  /** The longest wait of the owner, then of the part, whose last turn is the longest ago. */
  #takeNext(): Waiting | undefined {
    if (this.#waiting.length === 0) {
      this.#turns.clear(); // nobody waits, so nobody is behind
      return undefined;
    }
    let next: Waiting | undefined;
    for (const one of this.#waiting) {
      if ((this.#running.get(one.owner) ?? 0) >= this.#options.runningOfOwnerMax) continue;
      if (next === undefined || this.#isBefore(one, next)) next = one;
    }
    if (next === undefined) return undefined;
    this.#remove(next);
    this.#turns.set(ownerKey(next), ++this.#turn);
    this.#turns.set(partKey(next), this.#turn);
    return next;
  }

  #isBefore(one: Waiting, other: Waiting): boolean {
    const turnOf = (key: string) => this.#turns.get(key) ?? 0;
    const owners = turnOf(ownerKey(one)) - turnOf(ownerKey(other));
    if (owners !== 0 || one.owner !== other.owner) return owners < 0;
    return turnOf(partKey(one)) < turnOf(partKey(other));
  }

  #run({ owner, begin }: Waiting): void {
    this.#runningCount++;
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
    let hasEnded = false;
    begin(() => {
      if (hasEnded) return;
      hasEnded = true;
      this.#runningCount--;
      const left = (this.#running.get(owner) ?? 1) - 1;
      if (left === 0) this.#running.delete(owner);
      else this.#running.set(owner, left);
      this.#next();
    });
  }
}

function ownerKey({ owner }: Task): string {
  return String(owner);
}

function partKey({ owner, part }: Task): string {
  return `${owner} ${part}`;
}
