// What the core needs of the machine it runs on. A browser fills it in `browser.ts`, tests in Node
// fill it with stand-ins, and a React Native or Capacitor bridge would fill it the same way.

/** One table of a store. Keys of one table are all numbers or all texts. */
export type Table = 'state' | 'queue';

/** The view of a store inside one atomic step. */
export interface Rows {
  get(table: Table, key: string | number): Promise<unknown>;
  put(table: Table, key: string | number, value: unknown): Promise<unknown>;
  remove(table: Table, key: string | number): Promise<unknown>;
  /** The rows with the lowest keys, in their order. */
  first(table: Table, limit: number): Promise<(readonly [key: number, value: unknown])[]>;
}

export interface Store {
  /**
   * Runs a step that no other step of this store interrupts, in any tab. What it writes is there
   * whole, or not at all if the step fails. A step awaits nothing but the rows.
   */
  run<Value>(step: (rows: Rows) => Promise<Value>): Promise<Value>;
  /** Writes rows of the queue at once, without waiting: for a page that is about to end. */
  putNow(rows: readonly (readonly [key: number, value: unknown])[]): void;
  /** Forgets everything. The store can be used again afterwards. */
  erase(): Promise<void>;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The call outlives the page. */
  readonly keepalive?: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  header(name: string): string | null;
}

export interface Platform {
  /**
   * Opened when it is first used, so that nothing is stored before consent. `full` is called when
   * the device has no room: from then on it lasts as long as the page.
   */
  store(name: string, full?: () => void): Store;
  /** Rejects if nobody answered. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Runs one after the other what all tabs run under this name. */
  locked<Value>(name: string, work: () => Promise<Value>): Promise<Value>;
  /** Tells the other tabs; `listen` is called with what they told. Returns how to stop. */
  tell(name: string, message: unknown): void;
  listen(name: string, heard: (message: unknown) => void): () => void;
  /** Milliseconds since 1970 by a clock that people may set. */
  now(): number;
  /** Milliseconds by a clock that nobody sets; it begins anew with the page. */
  monotonic(): number;
  /** At least 122 random bits. */
  uuid(): string;
  /** A number from 0 up to 1. */
  random(): number;
  /** Calls back once after so many milliseconds. Returns how to cancel. */
  after(ms: number, callback: () => void): () => void;
  /** Calls back when the page may be about to end, and when the network is back. Returns a stop. */
  watch(told: { hidden(): void; online(): void; shown(): void }): () => void;
  readonly isOffline: boolean;
  readonly timezone: string | undefined;
  readonly language: string | undefined;
}
