// A device without a browser, for the core of the SDK: its storage outlives its pages, a page ends
// at any moment, the network fails before or after the server has heard, and time passes at once.

import type {
  HttpAnswer,
  HttpRequest,
  Platform,
  Rows,
  Store,
} from '../../../../sdk/web/src/platform.ts';

/** What the network does with the next calls. */
export type Network = 'up' | 'down' | 'loses answers' | 'busy';

type Tables = Record<'state' | 'queue', Map<string | number, unknown>>;

const never = new Promise<never>(() => undefined);

export class StandInDevice {
  network: Network = 'up';
  /** What a person set the clock off by. */
  skewMs = 0;
  /** Whether tabs do not hear each other. */
  isDeaf = false;
  /** What a busy server says. */
  retryAfter: string | null = null;
  /** Calls, as `POST /e`. */
  readonly calls: string[] = [];
  readonly #chance: () => number;
  readonly #tables: Tables = { state: new Map(), queue: new Map() };
  #stepping: Promise<unknown> = Promise.resolve();
  #lock: Promise<unknown> = Promise.resolve();
  #passedMs = 0;
  #pages = new Set<StandInPage>();
  #underWay = 0;

  constructor(chance: () => number) {
    this.#chance = chance;
  }

  /** How many events wait. */
  get waiting(): number {
    return this.#tables.queue.size;
  }

  /** Whether nothing is stored at all. */
  get isEmpty(): boolean {
    return this.#tables.state.size + this.#tables.queue.size === 0;
  }

  /** Resolves when no step and no call is under way, and none followed those. */
  async idle(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet = this.#underWay === 0 ? quiet + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
  }

  open(): StandInPage {
    const page = new StandInPage(this.#platformOf(() => page));
    this.#pages.add(page);
    return page;
  }

  /** Lets time pass: timers that are due call back. */
  pass(ms: number): void {
    this.#passedMs += ms;
    for (const page of this.#pages) page.ring(this.#passedMs);
  }

  #platformOf(pageOf: () => StandInPage): Platform {
    const isDead = () => pageOf().isDead;
    return {
      store: () => this.#store(pageOf()),
      send: async (request) => {
        pageOf().step();
        this.#underWay++;
        const answer = await this.#send(request, isDead).finally(() => this.#underWay--);
        pageOf().step();
        return isDead() ? never : answer;
      },
      locked: async (_name, work) => {
        const before = this.#lock;
        let release: () => void = () => undefined;
        this.#lock = new Promise<void>((resolve) => {
          release = resolve;
        });
        pageOf().whenDead(release);
        await before;
        if (isDead()) return never;
        return work().finally(release);
      },
      tell: (_name, message) => {
        if (this.isDeaf) return;
        for (const other of this.#pages) if (other !== pageOf()) other.hear(message);
      },
      listen: (_name, heard) => pageOf().listen(heard),
      now: () => Date.now() + this.#passedMs + this.skewMs,
      monotonic: () => this.#passedMs,
      uuid: () => crypto.randomUUID(),
      random: () => this.#chance(),
      after: (ms, callback) => pageOf().after(this.#passedMs + ms, callback),
      watch: (told) => pageOf().watch(told),
      isOffline: false,
      timezone: 'Asia/Ho_Chi_Minh',
      language: 'vi',
    };
  }

  #store(page: StandInPage): Store {
    const { died } = page;
    const isDead = () => page.isDead;
    const stepped = () => page.step();
    return {
      run: (step) => {
        const result = this.#stepping.then(async () => {
          stepped();
          if (isDead()) return never;
          const copy: Tables = {
            state: structuredClone(this.#tables.state),
            queue: new Map(this.#tables.queue),
          };
          const value = await step(rowsOf(copy));
          // A page that ends within a step leaves nothing of it, and one that ends behind it all.
          if (isDead()) return never;
          Object.assign(this.#tables, copy);
          stepped();
          return isDead() ? never : value;
        });
        this.#stepping = Promise.race([result, died]).catch(() => undefined);
        return result;
      },
      putNow: (rows) => {
        for (const [key, value] of rows) this.#tables.queue.set(key, value);
      },
      erase: async () => {
        this.#tables.state.clear();
        this.#tables.queue.clear();
      },
    };
  }

  async #send(
    { method, url, headers, body }: HttpRequest,
    isDead: () => boolean,
  ): Promise<HttpAnswer> {
    if (isDead()) return never;
    this.calls.push(`${method} ${new URL(url).pathname}`);
    const { network } = this;
    if (network === 'down') throw new TypeError('Failed to fetch');
    if (network === 'busy') {
      const header = (name: string) => (name === 'retry-after' ? this.retryAfter : null);
      return { status: 503, text: '', header };
    }
    const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await answer.text();
    if (network === 'loses answers') throw new TypeError('Failed to fetch');
    return { status: answer.status, text, header: (name) => answer.headers.get(name) };
  }
}

function rowsOf(tables: Tables): Rows {
  return {
    get: async (table, key) => tables[table].get(key),
    put: async (table, key, value) => tables[table].set(key, structuredClone(value)),
    remove: async (table, key) => tables[table].delete(key),
    first: async (table, limit) =>
      [...tables[table]]
        .sort(([one], [other]) => (one as number) - (other as number))
        .slice(0, limit)
        .map(([key, value]) => [key as number, value] as const),
  };
}

type Watched = Parameters<Platform['watch']>[0];

export class StandInPage {
  isDead = false;
  readonly platform: Platform;
  readonly #timers = new Set<{ readonly dueMs: number; readonly callback: () => void }>();
  readonly #listeners = new Set<(message: unknown) => void>();
  readonly #watching = new Set<Watched>();
  readonly #deaths: (() => void)[] = [];
  readonly died: Promise<void>;
  #stepsLeft = Number.POSITIVE_INFINITY;

  constructor(platform: Platform) {
    this.platform = platform;
    this.died = new Promise((resolve) => this.#deaths.push(resolve));
  }

  /** The page ends when it has called the store or the network so often. */
  crashAfter(steps: number): void {
    this.#stepsLeft = steps;
  }

  step(): void {
    if (this.#stepsLeft-- <= 0) this.crash();
  }

  /** The page ends at once: what it awaits never comes. */
  crash(): void {
    this.isDead = true;
    for (const died of this.#deaths) died();
  }

  /** The page is in front again. */
  show(): void {
    for (const { shown } of this.#watching) shown();
  }

  /** The page goes into the background, as it does before it is closed. */
  hide(): void {
    for (const { hidden } of this.#watching) hidden();
  }

  comeOnline(): void {
    for (const { online } of this.#watching) online();
  }

  whenDead(died: () => void): void {
    if (this.isDead) died();
    else this.#deaths.push(died);
  }

  ring(nowMs: number): void {
    if (this.isDead) return;
    for (const timer of [...this.#timers]) {
      if (timer.dueMs > nowMs) continue;
      this.#timers.delete(timer);
      timer.callback();
    }
  }

  after(dueMs: number, callback: () => void): () => void {
    const timer = { dueMs, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  hear(message: unknown): void {
    if (this.isDead) return;
    for (const heard of this.#listeners) queueMicrotask(() => heard(structuredClone(message)));
  }

  listen(heard: (message: unknown) => void): () => void {
    this.#listeners.add(heard);
    return () => this.#listeners.delete(heard);
  }

  watch(told: Watched): () => void {
    this.#watching.add(told);
    return () => this.#watching.delete(told);
  }
}
