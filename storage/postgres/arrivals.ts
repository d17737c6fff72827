// Hints that a log has grown, between processes: `LISTEN` and `NOTIFY`. They go out after a commit,
// in a transaction of their own: `NOTIFY` within an append would let one commit of the whole server
// wait for the other. One that is lost costs a reader time and nothing else.

import type { Millis } from '../../engine/base/brand.ts';
import type { PostgresSession, Statement, StatementOutcome } from './session.ts';

const againMs: Millis = 500;
/** A payload has at most 8,000 bytes. */
const logsAtOnce = 500;

const notify: Statement = { name: 'notify', text: 'select pg_notify($1, $2)' };

/** What it needs of the connections. */
interface Carrier {
  /** Names the channel. */
  readonly schema: string;
  readonly isClosed: boolean;
  run(statement: Statement, values: readonly unknown[]): Promise<StatementOutcome>;
  listen(channel: string, take: (payload: string) => void): Promise<PostgresSession | undefined>;
  pause(ms: Millis): Promise<void>;
}

export class Arrivals {
  readonly #postgres: Carrier;
  readonly #watchers = new Map<number, Set<() => void>>();
  #grown = new Set<number>();
  #isTelling = false;
  #session: PostgresSession | undefined;
  #listening: Promise<void> | undefined;

  constructor(postgres: Carrier) {
    this.#postgres = postgres;
  }

  /** Hints come; otherwise a reader looks by itself. */
  get isListening(): boolean {
    return this.#session?.isDead === false;
  }

  /** Calls `arrived` when the log may have grown. */
  watch(log: number, arrived: () => void): () => void {
    this.#listening ??= this.#listen();
    const watchers = this.#watchers.get(log) ?? new Set();
    this.#watchers.set(log, watchers.add(arrived));
    return () => watchers.delete(arrived);
  }

  /** Tells all processes, soon. */
  tell(log: number): void {
    this.#grown.add(log);
    if (!this.#isTelling) void this.#tellAll();
  }

  async #tellAll(): Promise<void> {
    this.#isTelling = true;
    while (this.#grown.size > 0 && !this.#postgres.isClosed) {
      const logs = [...this.#grown].slice(0, logsAtOnce);
      for (const log of logs) this.#grown.delete(log);
      await this.#postgres.run(notify, [this.#postgres.schema, logs.join(' ')]);
    }
    this.#isTelling = false;
  }

  async #listen(): Promise<void> {
    while (!this.#postgres.isClosed) {
      this.#session = await this.#postgres.listen(this.#postgres.schema, (payload) => {
        for (const log of payload.split(' ')) this.#wake(this.#watchers.get(Number(log)));
      });
      // Some may have been missed.
      for (const watchers of this.#watchers.values()) this.#wake(watchers);
      await this.#session?.ended;
      await this.#postgres.pause(againMs);
    }
  }

  #wake(watchers: ReadonlySet<() => void> = new Set()): void {
    for (const arrived of watchers) arrived();
  }
}
