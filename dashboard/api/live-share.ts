// What the tabs of a browser share of an app's live stream. The tab that holds the lock has the
// stream and tells the others what arrives; each tab says what it wants. A tab that is hidden for a
// minute lets go of both, and a browser without locks has no stream: it asks instead.

import { asApiError } from './errors.ts';
import type { LiveFeed } from './live.ts';
import { type LiveItem, LiveStream, type OpenStream } from './live-stream.ts';

const hiddenMs = 60_000;
/** How often a tab repeats what it wants, and after which the tab with the stream forgets it. */
const repeatMs = 20_000;
const forgetMs = 70_000;

type Told =
  | { readonly kind: 'want'; readonly tab: string; readonly topics: readonly string[] }
  | { readonly kind: 'who' }
  | { readonly kind: 'served'; readonly topics: readonly string[] }
  | { readonly kind: 'item'; readonly item: LiveItem }
  | { readonly kind: 'missed' };

interface ShareOptions {
  readonly appId: string;
  readonly open: OpenStream;
  onItem(item: LiveItem): void;
  /** What this tab shows may be old: it was hidden, or nobody may have the stream any more. */
  onMissed(): void;
}

export class LiveShare implements LiveFeed {
  readonly #options: ShareOptions;
  readonly #tab = crypto.randomUUID();
  readonly #name: string;
  readonly #counts = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  readonly #others = new Map<string, { topics: readonly string[]; untilMs: number }>();
  readonly #stream: LiveStream;
  #channel: BroadcastChannel | undefined;
  #served: ReadonlySet<string> = new Set();
  /** Ends the wait for the lock, or gives it back. */
  #letGo: (() => void) | undefined;
  #hasLock = false;
  #isAway = false;
  #hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  #repeatTimer: ReturnType<typeof setInterval> | undefined;

  constructor(options: ShareOptions) {
    this.#options = options;
    this.#name = `engage.live.${options.appId}`;
    this.#stream = new LiveStream({
      open: (topics, lastId, signal) =>
        options.open(topics, lastId, signal).catch((error: unknown) => {
          if (asApiError(error).status === 401) this.#endSession();
          throw error;
        }),
      onItem: (item) => {
        this.#tell({ kind: 'item', item });
        options.onItem(item);
      },
      onServed: (topics) => {
        this.#tell({ kind: 'served', topics });
        this.#setServed(topics);
      },
      random: Math.random,
    });
  }

  want(topic: string): () => void {
    this.#counts.set(topic, (this.#counts.get(topic) ?? 0) + 1);
    if (this.#counts.size === 1) this.#begin();
    this.#say();
    return () => {
      const left = (this.#counts.get(topic) ?? 1) - 1;
      if (left > 0) this.#counts.set(topic, left);
      else this.#counts.delete(topic);
      this.#say();
      if (this.#counts.size === 0) this.#end();
    };
  }

  isServed(topic: string): boolean {
    return this.#served.has(topic);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #begin(): void {
    if (navigator.locks === undefined || this.#channel !== undefined) return;
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = ({ data }) => this.#hear(data as Told);
    document.addEventListener('visibilitychange', this.#look);
    addEventListener('pagehide', this.#leave);
    addEventListener('pageshow', this.#look);
    this.#repeatTimer = setInterval(() => this.#repeat(), repeatMs);
    this.#isAway = false;
    this.#takeLock();
    this.#look();
  }

  #end(): void {
    document.removeEventListener('visibilitychange', this.#look);
    removeEventListener('pagehide', this.#leave);
    removeEventListener('pageshow', this.#look);
    clearTimeout(this.#hiddenTimer);
    clearInterval(this.#repeatTimer);
    this.#dropLock();
    this.#channel?.close();
    this.#channel = undefined;
    this.#setServed([]);
  }

  readonly #look = (): void => {
    clearTimeout(this.#hiddenTimer);
    if (document.visibilityState === 'hidden')
      this.#hiddenTimer = setTimeout(this.#leave, hiddenMs);
    else if (this.#isAway) {
      this.#isAway = false;
      this.#takeLock();
      this.#say();
      this.#options.onMissed();
    }
  };

  readonly #leave = (): void => {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#say();
    this.#dropLock();
    this.#setServed([]);
  };

  #takeLock(): void {
    if (this.#letGo !== undefined) return;
    const abort = new AbortController();
    const held = new Promise<void>((resolve) => {
      this.#letGo = () => {
        abort.abort();
        resolve();
      };
    });
    navigator.locks
      .request(this.#name, { signal: abort.signal }, () => {
        if (abort.signal.aborted) return undefined;
        this.#hasLock = true;
        this.#tell({ kind: 'who' });
        this.#serve();
        return held;
      })
      .catch(() => undefined); // it let go before it had the lock
  }

  #dropLock(): void {
    const hadLock = this.#hasLock;
    this.#hasLock = false;
    this.#stream.stop();
    this.#others.clear();
    if (hadLock) this.#tell({ kind: 'served', topics: [] });
    this.#letGo?.();
    this.#letGo = undefined;
  }

  #hear(told: Told): void {
    if (told.kind === 'want') {
      if (!this.#hasLock) return;
      this.#others.set(told.tab, { topics: told.topics, untilMs: Date.now() + forgetMs });
      this.#tell({ kind: 'served', topics: [...this.#served] });
      this.#serve();
    } else if (told.kind === 'who') this.#say();
    else if (this.#isAway) return;
    else if (told.kind === 'served') this.#setServed(told.topics);
    else if (told.kind === 'missed') this.#options.onMissed();
    else this.#options.onItem(told.item);
  }

  /** What this tab wants, to the tab with the stream. */
  #say(): void {
    if (this.#hasLock) this.#serve();
    else this.#tell({ kind: 'want', tab: this.#tab, topics: this.#own() });
  }

  #repeat(): void {
    for (const [tab, { untilMs }] of this.#others)
      if (untilMs < Date.now()) this.#others.delete(tab);
    if (!this.#isAway) this.#say();
  }

  /** Every tab asks at once, hears that the session ended, and says so. */
  #endSession(): void {
    this.#tell({ kind: 'missed' });
    this.#options.onMissed();
  }

  #serve(): void {
    const topics = new Set([
      ...this.#own(),
      ...[...this.#others.values()].flatMap((other) => other.topics),
    ]);
    this.#stream.want([...topics]);
  }

  #own(): readonly string[] {
    return this.#isAway ? [] : [...this.#counts.keys()];
  }

  #tell(told: Told): void {
    this.#channel?.postMessage(told);
  }

  #setServed(topics: readonly string[]): void {
    if (topics.length === this.#served.size && topics.every((one) => this.#served.has(one))) return;
    this.#served = new Set(topics);
    for (const listener of [...this.#listeners]) listener();
  }
}
