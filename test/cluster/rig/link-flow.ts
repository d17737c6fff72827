// One direction of one connection through a link: takes bytes from a socket and gives them to the
// other in order, later or not at all.

import type { Socket } from 'node:net';

/** More is left in the sender's socket, so that a held sender stops as over a real network. */
const queuedBytesMax = 256 * 1024;

interface FlowRules {
  isHeld(): boolean;
  delayMs(): number;
  /** Whether these bytes may pass now; those that may not stay first in the queue. */
  judge(bytes: Buffer): boolean;
}

export class Flow {
  readonly #to: Socket;
  readonly #from: Socket;
  readonly #rules: FlowRules;
  /** Bytes and the instant from which they may pass; `undefined` is the end of the stream. */
  readonly #queue: { readonly bytes: Buffer | undefined; readonly dueMs: number }[] = [];
  #queuedBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(from: Socket, to: Socket, rules: FlowRules) {
    this.#from = from;
    this.#to = to;
    this.#rules = rules;
    from.on('data', (bytes) => this.#take(Buffer.from(bytes)));
    from.on('end', () => this.#take(undefined));
    to.on('drain', () => this.pump());
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  /** Gives what may pass. */
  pump(): void {
    clearTimeout(this.#timer);
    while (!this.#isOver && !this.#rules.isHeld()) {
      const [first] = this.#queue;
      if (first === undefined || this.#to.writableNeedDrain) break;
      const waitMs = first.dueMs - performance.now();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.pump(), waitMs);
        return;
      }
      if (first.bytes !== undefined && !this.#rules.judge(first.bytes)) break;
      this.#queue.shift();
      this.#queuedBytes -= first.bytes?.length ?? 0;
      if (first.bytes === undefined) this.#to.end();
      else this.#to.write(first.bytes);
    }
    if (this.#queuedBytes < queuedBytesMax) this.#from.resume();
  }

  #take(bytes: Buffer | undefined): void {
    this.#queue.push({ bytes, dueMs: performance.now() + this.#rules.delayMs() });
    this.#queuedBytes += bytes?.length ?? 0;
    if (this.#queuedBytes >= queuedBytesMax) this.#from.pause();
    this.pump();
  }
}
