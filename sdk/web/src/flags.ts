// Feature flags: read when the person changes, kept for the next start, and asked without waiting.

import { Emitter } from './emitter.ts';
import type { Session } from './session.ts';
import { currentOf, type Flag } from './state.ts';

type FlagValues = Readonly<Record<string, Flag>>;

export class Flags {
  readonly #session: () => Session | undefined;
  readonly #events = new Emitter<{ change: FlagValues }>();
  #reading: Promise<void> | undefined;

  constructor(session: () => Session | undefined) {
    this.#session = session;
  }

  /** Whether the flag is on, by the last answer; `fallback` if there is none. */
  get(key: string, fallback: boolean): boolean {
    return this.#flag(key)?.enabled ?? fallback;
  }

  /** Which variant the person has; undefined if the flag is off or has none. */
  variant(key: string): string | undefined {
    return this.#flag(key)?.variant;
  }

  on(_name: 'change', listener: (values: FlagValues) => void): () => void {
    return this.#events.on('change', listener);
  }

  /** Asks the server, for a person who is logged in. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /** None of somebody else's. */
  #flag(key: string): Flag | undefined {
    const state = this.#session()?.state;
    return state?.flags?.n === (state && currentOf(state).n) ? state?.flags?.of[key] : undefined;
  }

  async #read(): Promise<void> {
    const session = this.#session();
    if (!session) return;
    const { n, token } = currentOf(session.state);
    if (!token) return;
    await this.#readOf(session, n, token);
    // A login meanwhile ended the token, or made it another person's.
    if (currentOf(session.state).token !== token) await this.#read();
  }

  async #readOf(session: Session, n: number, token: string): Promise<void> {
    const { flags } = session.state;
    const path = `/v1/sdk/flags?appId=${encodeURIComponent(session.appId)}`;
    const { status, body, etag } = await session.call('GET', path, {
      token,
      etag: flags?.n === n ? flags.etag : null,
    });
    if (status !== 200) return;
    const of = body as FlagValues;
    const isChanged = await session.change((state) => {
      if (currentOf(state).n !== n) return false;
      const before = JSON.stringify(state.flags?.of);
      state.flags = { n, etag: etag ?? null, of };
      return before !== JSON.stringify(of);
    });
    if (!isChanged) return;
    session.tell('changed');
    this.#events.emit('change', of);
  }
}
