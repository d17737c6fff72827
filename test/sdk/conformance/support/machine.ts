// A device without a browser whose time and network the runner holds: what the TypeScript SDKs run
// on under the conformance scripts. Its storage outlives its processes.

import { memoryStore } from '../../../../sdk/web/src/memory-store.ts';
import type { HttpAnswer, HttpRequest, Platform, Store } from '../../../../sdk/web/src/platform.ts';
import type { GivenAnswer, MadeRequest, Report } from './driver.ts';

/** Turns of the event loop after which code that waits for neither time nor network has ended. */
const turns = 12;

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

export class Machine {
  readonly zone = 'Asia/Bangkok';
  readonly language = 'th';
  isOnline = true;
  readonly #startMs: number;
  readonly #waiting = new Map<number, (answer: GivenAnswer | null) => void>();
  #clockMs = 0;
  #passedMs = 0;
  #timers: Timer[] = [];
  #lock: Promise<unknown> = Promise.resolve();
  #watching: Parameters<Platform['watch']>[0][] = [];
  #nextId = 1;
  #store: Store | undefined;
  #report: { -readonly [Name in keyof Report]: Report[Name][number][] } = emptyReport();

  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  /** The process of before ends: its timers and calls never come back. */
  restart(): void {
    this.#timers = [];
    this.#waiting.clear();
    this.#watching = [];
    this.#lock = Promise.resolve();
    this.#report = emptyReport();
  }

  now(): number {
    return this.#startMs + this.#clockMs + this.#passedMs;
  }

  monotonic(): number {
    return this.#passedMs;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { dueMs: this.#passedMs + ms, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  setClock(byMs: number): void {
    this.#clockMs = byMs;
  }

  setOnline(isOnline: boolean): void {
    this.isOnline = isOnline;
    if (isOnline) for (const { online } of this.#watching) online();
  }

  setHidden(isHidden: boolean): void {
    for (const { hidden, shown } of this.#watching) (isHidden ? hidden : shown)();
  }

  async pass(ms: number): Promise<void> {
    const endMs = this.#passedMs + ms;
    for (;;) {
      await this.settled();
      const next = this.#nextTimer(endMs);
      if (next === undefined) break;
      this.#passedMs = next.dueMs;
    }
    this.#passedMs = endMs;
  }

  #nextTimer(endMs: number): Timer | undefined {
    const due = this.#timers.filter(({ dueMs }) => dueMs <= endMs);
    return due.toSorted((one, other) => one.dueMs - other.dueMs)[0];
  }

  /** Resolves when nothing more happens without time or an answer. */
  async settled(): Promise<void> {
    for (;;) {
      for (let turn = 0; turn < turns; turn++)
        await new Promise((resolve) => setImmediate(resolve));
      const next = this.#nextTimer(this.#passedMs);
      if (next === undefined) return;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      next.callback();
    }
  }

  ended(as: string, outcome: Omit<Report['ends'][number], 'as'>): void {
    this.#report.ends.push({ as, ...outcome });
  }

  heard(name: string, value: Report['heard'][number]['value']): void {
    this.#report.heard.push({ name, value });
  }

  /** What happened since it was last taken, once the machine is settled. */
  async report(): Promise<Report> {
    await this.settled();
    const report = this.#report;
    this.#report = emptyReport();
    return report;
  }

  send({ method, url, headers, body }: HttpRequest): Promise<HttpAnswer> {
    const id = this.#nextId++;
    const request: MadeRequest = {
      id,
      method,
      url,
      headers,
      ...(body === undefined ? {} : { body }),
    };
    this.#report.requests.push(request);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, (answer) => {
        if (answer === null) reject(new TypeError('nobody answers'));
        else
          resolve({
            status: answer.status,
            text: answer.text,
            header: (name) => answer.headers[name] ?? null,
          });
      });
    });
  }

  answer(id: number, answer: GivenAnswer | null): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }

  locked<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = this.#lock.then(work);
    this.#lock = result.catch(() => undefined);
    return result;
  }

  watch(told: Parameters<Platform['watch']>[0]): () => void {
    this.#watching.push(told);
    return () => {
      this.#watching = this.#watching.filter((one) => one !== told);
    };
  }

  /** As the core asks for it. */
  platform(): Platform {
    const machine = this;
    return {
      store: () => (machine.#store ??= memoryStore()),
      send: (request) => machine.send(request),
      locked: (_name, work) => machine.locked(work),
      tell: () => undefined,
      listen: () => () => undefined,
      now: () => machine.now(),
      monotonic: () => machine.monotonic(),
      uuid: () => crypto.randomUUID(),
      random: () => 0.5,
      after: (ms, callback) => machine.after(ms, callback),
      watch: (told) => machine.watch(told),
      get isOffline() {
        return !machine.isOnline;
      },
      timezone: machine.zone,
      language: machine.language,
    };
  }

  /** What the core has stored. */
  store(): Store {
    return (this.#store ??= memoryStore());
  }
}

function emptyReport() {
  return { requests: [], ends: [], heard: [] } as {
    -readonly [Name in keyof Report]: Report[Name][number][];
  };
}
