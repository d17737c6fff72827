// Reads a log on and on, for a copy that owns nothing: every valid frame once, in order.

import type { Millis } from '../base/brand.ts';
import type { Frame } from './frame.ts';
import { type LogPlace, LogReader } from './log-reader.ts';
import { hasDropped, type LogTail, type PartitionLog } from './partition-log.ts';

/** Where nobody says that there is more, and after an answer that did not come. */
const againMs: Millis = 250;

interface LogFollowerOptions {
  readonly log: PartitionLog;
  readonly from: LogPlace;
  /** Takes a frame; the next one waits for it. */
  readonly fold: (frame: Frame, place: LogPlace) => Promise<void> | void;
  readonly wait: (ms: Millis) => Promise<void>;
  /** The log has dropped what comes next: this copy must be made anew. Called once, and it ends. */
  readonly onGone: () => void;
  /** The log is damaged, or `fold` threw. Called once, and it ends. */
  readonly onFailed: (error: unknown) => void;
}

export class LogFollower {
  readonly #options: LogFollowerOptions;
  readonly #reader: LogReader;
  #isStopped = false;
  #woken: (() => void) | undefined;
  #ended: Promise<void> | undefined;

  constructor(options: LogFollowerOptions) {
    this.#options = options;
    this.#reader = new LogReader(options.from);
  }

  get place(): LogPlace {
    return this.#reader.place;
  }

  start(): void {
    this.#ended ??= this.#run();
  }

  /** Resolves once nothing is folded any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#woken?.();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { log, onFailed } = this.#options;
    const tail = log.tail(this.place.position, () => this.#woken?.());
    try {
      while (!this.#isStopped) if (!(await this.#readOn(tail))) await this.#rest();
    } catch (error) {
      this.#isStopped = true;
      onFailed(error);
    } finally {
      tail.close();
    }
  }

  /** False if there was no more. */
  async #readOn(tail: LogTail): Promise<boolean> {
    const { fold } = this.#options;
    const frames = await tail.next();
    const [next] = frames ?? [];
    // A log that has dropped frames goes on with the oldest it has.
    if (frames === undefined || (next !== undefined && next.position > this.place.position + 1))
      if (await this.#isGone()) return false;
    if (frames === undefined) return false;
    for (const { position, bytes } of frames) {
      if (this.#isStopped) break;
      const frame = this.#reader.take(position, bytes);
      if (frame !== undefined) await fold(frame, this.place);
    }
    return frames.length > 0;
  }

  async #isGone(): Promise<boolean> {
    if (!(await hasDropped(this.#options.log, this.place.position))) return false;
    if (!this.#isStopped) this.#options.onGone();
    this.#isStopped = true;
    return true;
  }

  async #rest(): Promise<void> {
    if (this.#isStopped) return;
    await Promise.race([
      this.#options.wait(againMs),
      new Promise<void>((resolve) => {
        this.#woken = resolve;
      }),
    ]);
    this.#woken = undefined;
  }
}
