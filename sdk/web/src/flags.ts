// Feature flags: read when the person changes, kept for the next start, and asked without waiting.

import type { Emitter } from './emitter.ts';
import type { Session } from './session.ts';
import { currentOf, type Flag, type State } from './state.ts';

export type FlagValues = Readonly<Record<string, Flag>>;

export class Flags {
  readonly #session: () => Session | undefined;
  readonly #events: Emitter<{ change: FlagValues }>;
  #reading: Promise<void> | undefined;

  constructor(session: () => Session | undefined, events: Emitter<{ change: FlagValues }>) {
    this.#session = session;
    this.#events = events;
  }

  /** Whether the flag is on, by the last answer; `fallback` if there is none. */
  get(key: string, fallback: boolean): boolean {
    return this.#values()[key]?.enabled ?? fallback;
  }

  /** Which variant the person has; undefined if the flag is off or has none. */
  variant(key: string): string | undefined {
    return this.#values()[key]?.variant;
  }

  on(_name: 'change', listener: (values: FlagValues) => void): () => void {
    return this.#events.on('change', listener);
  }

  /** Asks the server, for a person who is logged in. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  #values(): FlagValues {
    const state = this.#session()?.state;
    return (state && valuesOf(state)) ?? {};
  }

  async #read(): Promise<void> {
    const session = this.#session();
    if (session === undefined) return;
    const { n, token } = currentOf(session.state);
    if (token === undefined) return;
    const known = session.state.flags?.n === n ? session.state.flags.etag : undefined;
    const path = `/v1/sdk/flags?appId=${encodeURIComponent(session.appId)}`;
    const answer = await session.call('GET', path, { token, etag: known });
    if (answer.status !== 200) return;
    const of = answer.body as FlagValues;
    const isChanged = await session.change((state) => {
      if (currentOf(state).n !== n) return false;
      const before = JSON.stringify(state.flags?.of);
      state.flags = { n, etag: answer.etag, of };
      return before !== JSON.stringify(of);
    });
    if (!isChanged) return;
    session.tell('changed');
    this.#events.emit('change', of);
  }
}

/** None of somebody else's. */
function valuesOf(state: State): FlagValues | undefined {
  return state.flags?.n === currentOf(state).n ? state.flags.of : undefined;
}
