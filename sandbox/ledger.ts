// The newest messages: a ring of at most 2,000 messages and 64 MiB, also in a file if given. Call
// counts (call-counts.ts) include dropped messages. Listeners get news at most every 100 ms and
// only of held messages, so a benchmark cannot flood an open page.

import type { Clock } from '../engine/time/clock.ts';
import { CallCounts } from './call-counts.ts';
import type { InboxFile } from './inbox-file.ts';
import type { Content, Message, ReceivedMessage } from './message.ts';

export const messagesHeldMax = 2_000;
/** Request bodies held at most, in bytes. */
const bytesHeldMax = 64 * 1024 * 1024;
const announceEveryMs = 100;
/** Per message beside its body: headers, response, objects. */
const overheadBytes = 1_024;

/** New messages (all above this id), or all removed. */
export type LedgerChange =
  | { readonly kind: 'arrived'; readonly afterId: number }
  | { readonly kind: 'cleared' };

export class Ledger {
  readonly counts = new CallCounts();
  /** Off: calls are answered and counted, but not kept. For benchmarks. */
  recording = true;

  readonly #clock: Clock;
  readonly #capacity: number;
  readonly #file: InboxFile | undefined;
  readonly #slots: (Message | undefined)[];
  readonly #contents = new WeakMap<Message, Promise<Content>>();
  readonly #listeners = new Set<(news: LedgerChange) => void>();
  #oldestId = 1;
  #nextId = 1;
  #bytes = 0;
  #announcedId = 0;
  #announcing: NodeJS.Timeout | undefined;

  /** `capacity`: messages held; smaller only in tests. */
  constructor(clock: Clock, capacity = messagesHeldMax, file?: InboxFile) {
    this.#clock = clock;
    this.#capacity = capacity;
    this.#file = file;
    this.#slots = new Array<Message | undefined>(capacity).fill(undefined);
    for (const kept of file?.read() ?? []) {
      this.counts.add(kept, true);
      this.#hold({ id: this.#nextId++, ...kept });
    }
  }

  /**
   * Counts a call and, while recording is on, keeps it. A mail takes a moment to be read; it is in
   * the file once the promise resolves.
   */
  record(received: ReceivedMessage): Promise<void> | undefined {
    this.counts.add(received, this.recording);
    if (!this.recording) return undefined;
    const message: Message = { id: this.#nextId++, atMs: this.#clock.now(), ...received };
    this.#hold(message);
    const kept = this.#keep(message);
    this.#announceSoon();
    return kept;
  }

  get held(): number {
    return this.#nextId - this.#oldestId;
  }

  /** `undefined` if it never existed or is no longer held. */
  get(id: number): Message | undefined {
    if (id < this.#oldestId || id >= this.#nextId) return undefined;
    return this.#slots[id % this.#capacity];
  }

  /** Held messages above `afterId`, newest first. */
  *newestFirst(afterId = 0): Generator<Message> {
    for (let id = this.#nextId - 1; id >= this.#oldestId && id > afterId; id--) {
      const message = this.#slots[id % this.#capacity];
      if (message) yield message;
    }
  }

  /** As the recipient sees it, read once. */
  contentOf(message: Message): Promise<Content> {
    let content = this.#contents.get(message);
    if (!content) {
      content = Promise.resolve(message.read());
      this.#contents.set(message, content);
    }
    return content;
  }

  clear(): void {
    this.#file?.clear();
    this.#slots.fill(undefined);
    this.#oldestId = this.#nextId;
    this.#announcedId = this.#nextId - 1;
    this.#bytes = 0;
    for (const listener of this.#listeners) listener({ kind: 'cleared' });
  }

  /** Calls `listener` until the returned function is called. */
  listen(listener: (news: LedgerChange) => void): () => void {
    if (this.#listeners.size === 0) this.#announcedId = this.#nextId - 1;
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    clearTimeout(this.#announcing);
    this.#listeners.clear();
    this.#file?.close();
  }

  #hold(message: Message): void {
    if (message.id - this.#oldestId >= this.#capacity) this.#dropOldest();
    this.#slots[message.id % this.#capacity] = message;
    this.#bytes += heldBytes(message);
    while (this.#bytes > bytesHeldMax && this.#oldestId < message.id) this.#dropOldest();
  }

  /** Reads a mail shortly and then writes it; writes all others before returning. */
  #keep(message: Message): Promise<void> | undefined {
    const file = this.#file;
    if (file === undefined) return undefined;
    const content = message.read();
    this.#contents.set(message, Promise.resolve(content));
    const add = (read: Content) => {
      if (this.get(message.id) === message) file.add(message, read);
    };
    if (content instanceof Promise) return content.then(add);
    add(content);
    return undefined;
  }

  #announceSoon(): void {
    if (this.#announcing !== undefined || this.#listeners.size === 0) return;
    this.#announcing = setTimeout(() => {
      this.#announcing = undefined;
      const afterId = this.#announcedId;
      this.#announcedId = this.#nextId - 1;
      if (afterId === this.#announcedId) return;
      for (const listener of this.#listeners) listener({ kind: 'arrived', afterId });
    }, announceEveryMs);
    this.#announcing.unref();
  }

  #dropOldest(): void {
    const slot = this.#oldestId++ % this.#capacity;
    const message = this.#slots[slot];
    if (message) this.#bytes -= heldBytes(message);
    this.#slots[slot] = undefined;
  }
}

function heldBytes(message: Message): number {
  return message.exchange.requestBody.length + overheadBytes;
}
