// One reader's stream of server-sent events. It is pulled: whatever happened since the last piece
// is made when the connection has room again, so nothing waits in line.

import type { Clock } from '../../engine/time/clock.ts';
import { type LiveFeed, tailRows } from './feed.ts';

const heartbeatMs = 15_000;
/** How often a reader without news looks whether its time is over. */
const lookMs = 1_000;

interface Followed {
  readonly topic: string;
  readonly event: string;
  readonly feed: LiveFeed;
  version: number;
  total: number;
  isGone: boolean;
}

interface LiveStreamOptions {
  readonly clock: Clock;
  readonly followed: readonly {
    readonly topic: string;
    readonly event: string;
    readonly feed: LiveFeed;
  }[];
  readonly untilMs: number;
  /** The newest seq that the reader has, when it comes back. */
  readonly afterSeq: number | undefined;
  /** False once the server drains. */
  isServing(): boolean;
  /** Called once, when it is over. */
  onOver(): void;
}

export class LiveStream implements AsyncIterator<string> {
  readonly #options: LiveStreamOptions;
  readonly #followed: Followed[];
  readonly #unfollow: (() => void)[] = [];
  #wake: () => void = () => undefined;
  #isWoken = false;
  #isOver = false;
  #hasBegun = false;
  #spokeMs: number;

  constructor(options: LiveStreamOptions) {
    this.#options = options;
    this.#spokeMs = options.clock.monotonic();
    this.#followed = options.followed.map((one) => ({
      ...one,
      version: 0,
      total: -1,
      isGone: false,
    }));
  }

  get pieces(): AsyncIterable<string> & { stop(): void } {
    return { [Symbol.asyncIterator]: () => this, stop: () => this.stop() };
  }

  /** Ends it: the client is gone, or may not read any more. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const unfollow of this.#unfollow) unfollow();
    this.#options.onOver();
    this.#ring();
  }

  async next(): Promise<IteratorResult<string>> {
    if (!this.#hasBegun) return { done: false, value: this.#begin() };
    const { clock, untilMs, isServing } = this.#options;
    for (;;) {
      if (clock.monotonic() >= untilMs || !isServing()) this.stop();
      if (this.#isOver) return { done: true, value: undefined };
      this.#isWoken = false;
      const text = this.#news() || this.#heartbeat();
      if (text !== '') {
        this.#spokeMs = clock.monotonic();
        return { done: false, value: text };
      }
      await this.#rest();
    }
  }

  return(): Promise<IteratorResult<string>> {
    this.stop();
    return Promise.resolve({ done: true, value: undefined });
  }

  #begin(): string {
    this.#hasBegun = true;
    if (!this.#isOver)
      for (const { feed } of this.#followed) this.#unfollow.push(feed.follow(() => this.#ring()));
    return 'retry: 3000\n\n';
  }

  #ring(): void {
    this.#isWoken = true;
    this.#wake();
  }

  #rest(): Promise<void> {
    if (this.#isWoken) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lookMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #heartbeat(): string {
    return this.#options.clock.monotonic() - this.#spokeMs >= heartbeatMs ? ': still here\n\n' : '';
  }

  #news(): string {
    return this.#followed.map((one) => changeOf(one, this.#options.afterSeq)).join('');
  }
}

/** What changed since the last piece; empty without news. */
function changeOf(one: Followed, afterSeq: number | undefined): string {
  const { feed, topic, event } = one;
  let text = '';
  if (feed.version > one.version) {
    one.version = feed.version;
    text += eventText(event, feed.json);
  }
  if (feed.total > Math.max(0, one.total)) text += tailText(one, afterSeq);
  if (feed.gone !== undefined && !one.isGone) {
    one.isGone = true;
    const { code, message } = feed.gone;
    text += eventText('gone', JSON.stringify({ topic, error: message, code }));
  }
  return text;
}

/**
 * The rows since the last piece. A reader who comes back goes on after the last row that it has; if
 * rows between are not kept any more, it hears `reset` first.
 */
function tailText(one: Followed, afterSeq: number | undefined): string {
  const { feed, event, topic } = one;
  const isFirst = one.total < 0;
  const since = isFirst ? feed.rows.length : Math.min(tailRows, feed.total - one.total);
  const newest = feed.rows.slice(-since);
  const rows =
    isFirst && afterSeq !== undefined ? newest.filter(({ seq }) => seq > afterSeq) : newest;
  const leftOut = isFirst ? 0 : feed.total - one.total - rows.length;
  one.total = feed.total;
  const last = rows.at(-1);
  if (last === undefined) return '';
  const isGap = isFirst && afterSeq !== undefined && rows.length === tailRows;
  const reset = isGap ? eventText('reset', JSON.stringify({ topic })) : '';
  const items = rows.map(({ json }) => json).join(',');
  const json = `{"topic":${JSON.stringify(topic)},"items":[${items}],"leftOut":${leftOut}}`;
  return reset + eventText(event, json, last.seq);
}

function eventText(event: string, json: string, seq?: number): string {
  return `event: ${event}\n${seq === undefined ? '' : `id: ${seq}\n`}data: ${json}\n\n`;
}
