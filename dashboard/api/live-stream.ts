// One stream of an app from the server, opened again for as long as it is wanted: with jitter,
// later and later while it fails, and with other topics when others are wanted.

import { asApiError } from './errors.ts';
import { EventStreamReader } from './event-stream.ts';

/** At most in one stream, as the server has it. */
const topicsMax = 16;
/** The server says something every 15 seconds; after this a proxy holds it back or it is gone. */
const silentMs = 40_000;
const firstWordMs = 5_000;
const againMs = 500;
const againMaxMs = 30_000;
/** Topics that nobody wants any more stay for a while, because people go back and forth. */
const excessMs = 10_000;
const missingMs = 60;

export interface LiveItem {
  readonly topic: string;
  /** The kind of the topic, or `gone` or `reset`. */
  readonly event: string;
  readonly data: unknown;
}

/** Throws an `ApiError`. */
export type OpenStream = (
  topics: readonly string[],
  lastId: string | undefined,
  signal: AbortSignal,
) => Promise<Response>;

interface LiveStreamOptions {
  readonly open: OpenStream;
  onItem(item: LiveItem): void;
  /** Topics that arrive by the stream now. */
  onServed(topics: readonly string[]): void;
  random(): number;
}

export class LiveStream {
  readonly #options: LiveStreamOptions;
  #wanted: readonly string[] = [];
  #opened: readonly string[] = [];
  /** The server does not know them. */
  readonly #unknown = new Set<string>();
  #lastId: string | undefined;
  #failures = 0;
  #abort: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LiveStreamOptions) {
    this.#options = options;
  }

  want(topics: readonly string[]): void {
    this.#wanted = topics;
    for (const topic of this.#unknown) if (!topics.includes(topic)) this.#unknown.delete(topic);
    const next = this.#next();
    const isOpen = this.#abort !== undefined;
    const lacks = next.some((topic) => !this.#opened.includes(topic));
    // A stream that failed comes back at its own time.
    if (!isOpen && this.#failures > 0 && this.#timer !== undefined) return;
    if (lacks) this.#openIn(missingMs);
    else if (isOpen && next.length < this.#opened.length) this.#openIn(excessMs);
  }

  stop(): void {
    this.#close();
    this.#failures = 0;
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#abort?.abort();
    this.#abort = undefined;
    this.#opened = [];
  }

  #next(): readonly string[] {
    return this.#wanted.filter((topic) => !this.#unknown.has(topic)).slice(0, topicsMax);
  }

  #openIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#open(), ms);
  }

  async #open(): Promise<void> {
    this.#close();
    const topics = this.#next();
    if (topics.length === 0) return this.#options.onServed([]);
    const abort = new AbortController();
    this.#abort = abort;
    this.#opened = topics;
    try {
      await this.#follow(topics, abort);
      this.#failures = 0;
    } catch (error) {
      if (abort !== this.#abort) return;
      if (asApiError(error).status === 404) this.#forget(topics);
      else this.#failures++;
    }
    if (abort !== this.#abort) return;
    this.#close();
    this.#options.onServed([]);
    if (this.#next().length > 0) this.#openIn(this.#waitMs());
  }

  /** Resolves when the server ends it; throws when it breaks off or is refused. */
  async #follow(topics: readonly string[], abort: AbortController): Promise<void> {
    const silence = new Silence(abort);
    silence.within(firstWordMs);
    try {
      const response = await this.#options.open(topics, this.#lastId, abort.signal);
      const body = response.body?.getReader();
      const decoder = new TextDecoder();
      const reader = new EventStreamReader();
      for (let isFirst = true; body !== undefined; isFirst = false) {
        const { done, value } = await body.read();
        if (done) return;
        if (abort !== this.#abort) return;
        silence.within(silentMs);
        if (isFirst) {
          this.#failures = 0;
          this.#options.onServed(topics);
        }
        for (const { event, data, id } of reader.read(decoder.decode(value, { stream: true }))) {
          this.#lastId = id ?? this.#lastId;
          const parsed = JSON.parse(data) as { readonly topic: string };
          this.#options.onItem({ topic: parsed.topic, event, data: parsed });
        }
      }
    } finally {
      silence.end();
    }
  }

  /**
   * One of them does not exist, and the server does not say which: those with an id are left out.
   */
  #forget(topics: readonly string[]): void {
    const suspects = topics.filter((topic) => topic.includes(':'));
    for (const topic of suspects.length > 0 ? suspects : topics) this.#unknown.add(topic);
  }

  /** So that browsers do not come back all at once. */
  #waitMs(): number {
    const mostMs = Math.min(againMs * 2 ** this.#failures, againMaxMs);
    return mostMs * (0.5 + this.#options.random() / 2);
  }
}

/** Breaks a stream off that says nothing. */
class Silence {
  readonly #abort: AbortController;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(abort: AbortController) {
    this.#abort = abort;
  }

  within(ms: number): void {
    this.end();
    this.#timer = setTimeout(() => this.#abort.abort(), ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
