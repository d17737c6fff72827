// One topic of one app, read once for all who follow it: at most twice a second, once a second
// while nothing changes, and not at all while nobody follows. It keeps the newest alone, so a slow
// reader gets that and never a queue.

import { statusOf } from '../../actors/faults.ts';
import type { Millis } from '../../engine/base/brand.ts';
import { type Fault, FaultError } from '../../engine/base/fault.ts';
import type { Log } from '../../engine/observe/log.ts';

/** Reads that one unit of the org's standard lane pays for: a minute of a quiet topic. */
const readsOfUnit = 60;
const changedMs: Millis = 500;
const quietMs: Millis = 1_000;
/** Rows of a tail that are kept, and that a reader gets at a time. */
export const tailRows = 50;

/** A row of a tail, and its place in the app's events. */
interface TailRow {
  readonly seq: number;
  readonly json: string;
}

/** What one read found. `undefined`: nothing new. */
export type Reading =
  | {
      readonly kind: 'state';
      readonly json: string /** What has to differ. */;
      readonly key: string;
    }
  | {
      readonly kind: 'tail';
      /** Oldest first, at most `tailRows`. */
      readonly rows: readonly TailRow[];
      /** How many more there were before them. */
      readonly leftOut: number;
    }
  | undefined;

/** Reads a topic; `after` is the newest seq that a tail has. Throws what a call would answer. */
export type ReadTopic = () => Promise<Reading>;

export class LiveFeed {
  /** Rises with every change of a state. */
  version = 0;
  json = '';
  /** The newest rows of a tail, and how many there were in all. */
  rows: readonly TailRow[] = [];
  total = 0;
  /** Set when the topic is gone for good. */
  gone: Fault | undefined;
  readonly #read: ReadTopic;
  readonly #pay: () => boolean;
  #readsPaid = 0;
  readonly #log: Log;
  readonly #readers = new Set<() => void>();
  readonly #onIdle: () => void;
  #key: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isReading = false;

  /** `pay` charges one unit and returns whether there was room; without, nothing is read. */
  constructor(read: ReadTopic, pay: () => boolean, log: Log, onIdle: () => void) {
    this.#read = read;
    this.#pay = pay;
    this.#log = log;
    this.#onIdle = onIdle;
  }

  /** `wake` is called after every change. Returns the function that ends it. */
  follow(wake: () => void): () => void {
    this.#readers.add(wake);
    if (this.#timer === undefined && !this.#isReading) void this.#poll();
    return () => {
      this.#readers.delete(wake);
      if (this.#readers.size > 0) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#onIdle();
    };
  }

  async #poll(): Promise<void> {
    this.#timer = undefined;
    this.#isReading = true;
    let waitMs = quietMs;
    try {
      if (this.#isPaid() && this.#take(await this.#read())) {
        waitMs = changedMs;
        this.#wakeAll();
      }
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#isReading = false;
    }
    if (this.#readers.size > 0 && this.gone === undefined)
      this.#timer = setTimeout(() => void this.#poll(), waitMs);
  }

  #isPaid(): boolean {
    if (this.#readsPaid === 0 && this.#pay()) this.#readsPaid = readsOfUnit;
    if (this.#readsPaid === 0) return false;
    this.#readsPaid--;
    return true;
  }

  /** Whether it is news. */
  #take(reading: Reading): boolean {
    if (reading === undefined) return false;
    if (reading.kind === 'state') {
      if (reading.key === this.#key) return false;
      this.#key = reading.key;
      this.json = reading.json;
      this.version++;
      return true;
    }
    if (reading.rows.length === 0) return false;
    this.rows = [...this.rows, ...reading.rows].slice(-tailRows);
    this.total += reading.rows.length + reading.leftOut;
    return true;
  }

  /** What does not exist any more ends; anything else may pass. */
  #failed(error: unknown): void {
    const status = error instanceof FaultError ? statusOf(error.fault) : 500;
    if (status === 500)
      this.#log.error({ evt: 'live.failed', err: error }, 'a live topic could not be read');
    if (!(error instanceof FaultError) || status >= 500 || status === 429) return;
    this.gone = error.fault;
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const wake of [...this.#readers]) wake();
  }
}
