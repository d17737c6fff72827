// Bounds the bytes of one answer as they come off the connection. HTTP lets a server send bytes
// that are neither header nor body: an endless reason phrase, extensions of chunks, informational
// answers. The HTTP client reads those without a limit, for as long as the deadline lasts.

import type { Socket } from 'node:net';
import type { Bytes } from '../../../engine/base/brand.ts';

/** An answer had more bytes than the budget; its connection is closed. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
  constructor() {
    super('the answer has too many bytes');
  }
}

/** Watches the connections of one client, which has one call at a time on each. */
export class ReadBudget {
  readonly #bytesMax: Bytes;
  /** The connection whose bytes the client is reading right now. */
  #reading: { bytes: Bytes } | undefined;

  constructor(bytesMax: Bytes) {
    this.#bytesMax = bytesMax;
  }

  /** Counts what the client reads from a new connection. */
  watch(socket: Socket): void {
    const counted = { bytes: 0 };
    const read = socket.read.bind(socket);
    socket.read = (size?: number): unknown => {
      const chunk: Buffer | null = read(size);
      this.#reading = chunk === null ? undefined : counted;
      if (chunk === null) return null;
      counted.bytes += chunk.length;
      if (counted.bytes <= this.#bytesMax) return chunk;
      socket.destroy(new AnswerTooLarge());
      return null;
    };
  }

  /** The answer that is being read is whole: the next one counts from zero. */
  answered(): void {
    if (this.#reading !== undefined) this.#reading.bytes = 0;
  }
}
