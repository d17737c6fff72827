// The log's twin in memory, for tests and the simulator: one `MemoryStream` for all processes, and
// a `MemoryLog` for each of them, whose calls and answers a test delays, drops, repeats or cuts
// off.

import type { Bytes } from '../base/brand.ts';
import type {
  Appended,
  LoggedFrame,
  LogRange,
  LogTail,
  PartitionLog,
  Position,
} from './partition-log.ts';

/** What the copies of the log hold, as one. */
export class MemoryStream {
  readonly #frames: Buffer[] = [];
  #oldest: Position = 1;
  readonly #watchers = new Set<() => void>();
  isFull = false;

  get newest(): Position {
    return this.#oldest + this.#frames.length - 1;
  }

  get oldest(): Position {
    return this.#oldest;
  }

  /** `after` absent: wherever the end is. */
  append(frame: Uint8Array, after?: Position): Appended {
    if (after !== undefined && after !== this.newest) return { state: 'refused' };
    if (this.isFull) return { state: 'full' };
    this.#frames.push(Buffer.from(frame));
    for (const arrived of this.#watchers) arrived();
    return { state: 'appended', position: this.newest };
  }

  read(after: Position, bytesMax: Bytes): readonly LoggedFrame[] | undefined {
    if (after + 1 < this.#oldest) return undefined;
    const found: LoggedFrame[] = [];
    let bytes = 0;
    for (let position = after + 1; position <= this.newest; position++) {
      const frame = this.#frames[position - this.#oldest] as Buffer;
      bytes += frame.length;
      if (found.length > 0 && bytes > bytesMax) break;
      found.push({ position, bytes: Buffer.from(frame) });
    }
    return found;
  }

  watch(arrived: () => void): () => void {
    this.#watchers.add(arrived);
    return () => this.#watchers.delete(arrived);
  }

  trim(through: Position): void {
    while (this.#oldest <= through && this.#frames.length > 0) {
      this.#frames.shift();
      this.#oldest++;
    }
  }

  /** For tests of damage: what a disk or a bug did to a frame. */
  change(position: Position, change: (frame: Buffer) => void): void {
    change(this.#frames[position - this.#oldest] as Buffer);
  }

  /** For tests of damage: the newest frames are gone. */
  lose(count: number): void {
    this.#frames.splice(this.#frames.length - count, count);
  }
}

/**
 * How a call reaches the stream and its answer comes back: runs `call` now, later, more than once
 * or never. An answer that does not come back within the caller's patience is `undefined`.
 */
export type Network = <T>(call: () => T) => Promise<T | undefined>;

/** Of each step of a tail. */
const tailBytes: Bytes = 1024 * 1024;

const atOnce: Network = async (call) => call();

export class MemoryLog implements PartitionLog {
  readonly #stream: MemoryStream;
  readonly #carry: Network;

  constructor(stream: MemoryStream, carry: Network = atOnce) {
    this.#stream = stream;
    this.#carry = carry;
  }

  append(frame: Uint8Array, after: Position): Promise<Appended> {
    return this.#answered(() => this.#stream.append(frame, after));
  }

  appendAnywhere(frame: Uint8Array): Promise<Appended> {
    return this.#answered(() => this.#stream.append(frame));
  }

  read(after: Position, bytesMax: Bytes): Promise<readonly LoggedFrame[] | undefined> {
    return this.#carry(() => this.#stream.read(after, bytesMax));
  }

  range(): Promise<LogRange | undefined> {
    return this.#carry(() => ({ oldest: this.#stream.oldest, newest: this.#stream.newest }));
  }

  tail(after: Position, arrived: () => void): LogTail {
    const close = this.#stream.watch(arrived);
    let read = after;
    return {
      next: async () => {
        const frames = await this.read(read, tailBytes);
        read = frames?.at(-1)?.position ?? read;
        return frames;
      },
      close,
    };
  }

  async trim(through: Position): Promise<void> {
    await this.#carry(() => this.#stream.trim(through));
  }

  async close(): Promise<void> {}

  async #answered(call: () => Appended): Promise<Appended> {
    return (await this.#carry(call)) ?? { state: 'unknown', reason: 'timeout' };
  }
}
