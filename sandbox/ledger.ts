// The newest messages in memory: a ring of at most 2,000 messages and 64 MiB, oldest out first.
// With a file it also keeps them there, and starts with the file's messages. The call counts
// (call-counts.ts) still include dropped messages. Listeners are notified at most every 100 ms and
// only about messages still held, so a benchmark cannot flood an open page.

import type { Clock } from '../engine/time/clock.ts';
import { CallCounts } from './call-counts.ts';
import type { InboxFile } from './inbox-file.ts';
import type { Content, Message, ReceivedMessage } from './message.ts';

/** Messages held at most. */
export const messagesHeldMax = 2_000;
/** Bytes of request bodies held at most, whatever the number of messages. */
const bytesHeldMax = 64 * 1024 * 1024;
const announceEveryMs = 100;
/** Counted for each message beside its body: headers, response and the objects around them. */
const overheadBytes = 1_024;

/** The news for a listener: messages arrived (all above this id), or all were removed. */
export type LedgerNews =
  | { readonly kind: 'arrived'; readonly afterId: number }
  | { readonly kind: 'cleared' };

/** The messages of one sandbox, and the listeners for new ones. */
export class Ledger {
  readonly counts = new CallCounts();
  /** Off: calls are answered and counted per channel, but not kept. For benchmarks. */
  recording = true;

  readonly #clock: Clock;
  readonly #capacity: number;
  readonly #file: InboxFile | undefined;
  readonly #slots: (Message | undefined)[];
  readonly #contents = new WeakMap<Message, Promise<Content>>();
  readonly #listeners = new Set<(news: LedgerNews) => void>();
  #oldestId = 1;
  #nextId = 1;
  #bytes = 0;
  #announcedId = 0;
  #announcing: NodeJS.Timeout | undefined;

  /** `capacity` is the largest number of messages held; smaller only in tests. */
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

  /** Counts a call and, while recording is on, keeps it. */
  record(received: ReceivedMessage): void {
    this.counts.add(received, this.recording);
    if (!this.recording) return;
    const message: Message = { id: this.#nextId++, atMs: this.#clock.now(), ...received };
    this.#hold(message);
    this.#keep(message);
    this.#announceSoon();
  }

  /** The number of messages held now. */
  get held(): number {
    return this.#nextId - this.#oldestId;
  }

  /** The message with this number, or `undefined` if it never existed or is no longer held. */
  get(id: number): Message | undefined {
    if (id < this.#oldestId || id >= this.#nextId) return undefined;
    return this.#slots[id % this.#capacity];
  }

  /** The messages held with an id above `afterId`, newest first. */
  *newestFirst(afterId = 0): Generator<Message> {
    for (let id = this.#nextId - 1; id >= this.#oldestId && id > afterId; id--) {
      const message = this.#slots[id % this.#capacity];
      if (message) yield message;
    }
  }

  /** The message as its recipient sees it, read once. */
  contentOf(message: Message): Promise<Content> {
    let content = this.#contents.get(message);
    if (!content) {
      content = Promise.resolve(message.read());
      this.#contents.set(message, content);
    }
    return content;
  }

  /** Removes every message; ids continue. */
  clear(): void {
    this.#file?.clear();
    this.#slots.fill(undefined);
    this.#oldestId = this.#nextId;
    this.#announcedId = this.#nextId - 1;
    this.#bytes = 0;
    for (const listener of this.#listeners) listener({ kind: 'cleared' });
  }

  /** Calls `listener` with news until the returned function is called. */
  listen(listener: (news: LedgerNews) => void): () => void {
    if (this.#listeners.size === 0) this.#announcedId = this.#nextId - 1;
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stops notifying listeners. */
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

  /**
   * A mail is read in a moment and then written to the file; all others are written before this
   * returns.
   */
  #keep(message: Message): void {
    const file = this.#file;
    if (file === undefined) return;
    const content = message.read();
    this.#contents.set(message, Promise.resolve(content));
    const add = (read: Content) => {
      if (this.get(message.id) === message) file.add(message, read);
    };
    if (content instanceof Promise) void content.then(add);
    else add(content);
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
