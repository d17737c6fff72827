// The surface of the SDK, the same on every platform: who the person is, what they do, and what
// they are shown. Every call may be made before `init` has ended; it then waits for it.

import { Emitter } from './emitter.ts';
import { Feed, type InboxView } from './feed.ts';
import { Flags, type FlagValues } from './flags.ts';
import { claimPerson } from './identity.ts';
import type { Platform } from './platform.ts';
import { EngageError, type Problem } from './problem.ts';
import type { Props } from './queue.ts';
import { Session, type SessionEvents } from './session.ts';
import { type Claim, currentOf, type State, type Tags } from './state.ts';

export interface InitOptions {
  readonly appId: string;
  /** Where Engage answers: `https://engage.example.com`. */
  readonly baseUrl: string;
  /** `pending`: nothing is stored or sent before `setConsent(true)`. */
  readonly consent?: 'granted' | 'pending';
}

interface User {
  /** Null until the server has answered for the first time. */
  readonly subscriberId: string | null;
  readonly externalUserId: string | null;
}

const nameCharsMax = 128;
const propsBytesMax = 8_192;

export class EngageCore {
  readonly flags: Flags;
  readonly inbox: Feed;
  readonly #platform: Platform;
  protected readonly events = new Emitter<SessionEvents>();
  readonly #flagEvents = new Emitter<{ change: FlagValues }>();
  readonly #inboxEvents = new Emitter<{ change: InboxView }>();
  #options: InitOptions | undefined;
  #session: Session | undefined;
  /** Resolves when there is a session: after `init`, and after consent. */
  protected started: Promise<Session>;
  #start: (session: Session) => void = () => undefined;
  #isDebugging = false;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.started = this.#nextStart();
    this.flags = new Flags(() => this.#session, this.#flagEvents);
    this.inbox = new Feed(() => this.settled(), this.#inboxEvents);
    this.events.on('call', ({ line, answer }) => {
      if (this.#isDebugging) console.debug(`engage: ${line} → ${answer.status}`, answer.body ?? '');
    });
    let known = '';
    this.events.on('person', (state) => {
      const { n, token = '' } = currentOf(state);
      if (`${n} ${token}` === known || token === '') return;
      known = `${n} ${token}`;
      void this.flags.refresh();
    });
  }

  #nextStart(): Promise<Session> {
    return new Promise((resolve) => {
      this.#start = resolve;
    });
  }

  /** Restores the person of this device and logs in. Resolves after the first try. */
  async init(options: InitOptions): Promise<void> {
    for (const field of ['appId', 'baseUrl'] as const)
      if (typeof options?.[field] !== 'string' || options[field] === '')
        throw invalid(field, 'expected a text');
    if (!/^https?:\/\//.test(options.baseUrl))
      throw invalid('baseUrl', 'expected an address that begins with https:// or http://');
    if (this.#options !== undefined) {
      if (this.#options.appId !== options.appId)
        throw invalid('appId', 'init was called with another one; call reset() first');
      return;
    }
    this.#options = options;
    if (options.consent !== 'pending') await this.#begin();
  }

  async #begin(): Promise<void> {
    if (this.#session !== undefined || this.#options === undefined) return;
    const session = new Session(this.#options, this.#platform, this.events);
    this.#session = session;
    await session.begin();
    this.#start(session);
    this.#platform.after(1_000, () => {
      session.isNeeded = true;
      session.wakeIn(0);
    });
    if (currentOf(session.state).token !== undefined) session.isNeeded = true;
    await session.round();
    void this.begun();
  }

  /** What a platform does once the session has begun. */
  protected async begun(): Promise<void> {}

  protected failed(error: unknown): void {
    const { code = 'internal', message } = error as Partial<Problem> & Error;
    this.events.emit('error', { code, message });
  }

  /** Gives or takes back what `init({consent: 'pending'})` waits for. */
  async setConsent(granted: boolean): Promise<void> {
    if (granted) {
      await this.#begin();
      return;
    }
    if (this.#options !== undefined) this.#options = { ...this.#options, consent: 'pending' };
    await this.#forget();
  }

  /** Forgets everything on this device. `init` begins anew. */
  async reset(): Promise<void> {
    await this.#forget();
    this.#options = undefined;
  }

  async #forget(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    this.started = this.#nextStart();
    await session?.erase();
  }

  /** Makes this device's person the one with your id. What an anonymous person had moves along. */
  async login(externalUserId: string, { identityHash }: { identityHash?: string } = {}) {
    if (typeof externalUserId !== 'string' || externalUserId === '')
      throw invalid('externalUserId', 'expected a text; call logout() for nobody');
    const claim: Claim = { externalUserId, ...(identityHash ? { identityHash } : {}) };
    const session = await this.started;
    session.isNeeded = true;
    const n = await session.change((state) => {
      claimPerson(state, claim);
      return currentOf(state).n;
    });
    session.wakeIn(0);
    await this.#until(session, (state) => {
      const person = state.people.find((one) => one.n === n);
      // They logged out, or the token is another person's by now: `user` says who.
      if (person === undefined) return true;
      const { refused, wants } = person;
      if (refused?.externalUserId === externalUserId) throw new EngageError(explained(refused));
      return wants === undefined;
    });
    return this.user();
  }

  /** Ends the person's session on this device, and begins an anonymous one. */
  async logout(): Promise<void> {
    const session = await this.started;
    if (await session.leave()) session.wakeIn(0);
  }

  /** Who uses this device. */
  async user(): Promise<User> {
    const session = await this.started;
    const { id, externalUserId } = currentOf(session.state);
    if (id === undefined) {
      session.isNeeded = true;
      await session.round();
    }
    const now = id === undefined ? currentOf(session.state) : { id, externalUserId };
    return { subscriberId: now.id ?? null, externalUserId: now.externalUserId ?? null };
  }

  /** Merges tags into the person's; sent once a second at most. Null removes one. */
  async setTags(tags: Tags): Promise<void> {
    if (typeof tags !== 'object' || tags === null || Array.isArray(tags))
      throw invalid('tags', 'expected an object of names and values');
    const plain = asJson('tags', tags) as Tags;
    const session = await this.started;
    await session.change((state) => {
      const person = currentOf(state);
      person.tags = { ...person.tags, ...plain };
    });
    session.wakeIn(0);
  }

  async removeTags(names: readonly string[]): Promise<void> {
    await this.setTags(Object.fromEntries(names.map((name) => [name, null])));
  }

  /**
   * Notes that the person did something. Resolves to the event's id once it is stored; it is sent
   * within a second, or when the network is back.
   */
  async track(name: string, props?: Props): Promise<string> {
    if (typeof name !== 'string' || name === '' || name.length > nameCharsMax)
      throw invalid('name', `expected 1 to ${nameCharsMax} characters`);
    if (
      props !== undefined &&
      (typeof props !== 'object' || props === null || Array.isArray(props))
    )
      throw invalid('props', 'expected an object');
    const plain = asJson('props', props) as Props | undefined;
    if (new TextEncoder().encode(JSON.stringify(plain) ?? '').length > propsBytesMax)
      throw invalid('props', `expected at most ${propsBytesMax} bytes as JSON`);
    if (this.#session === undefined && this.#options?.consent === 'pending')
      throw new EngageError({ code: 'no_consent', message: 'call setConsent(true) first' });
    return (await this.started).track(name, plain);
  }

  /** Sends what waits now. Resolves after the try, whether the server answered or not. */
  async flush(): Promise<void> {
    await (await this.started).round();
  }

  /** `error`: what went wrong in the background. Returns how to stop listening. */
  on(name: 'error', listener: (problem: Problem) => void): () => void {
    return this.events.on(name, listener);
  }

  /** Prints each call to the console. */
  debug(isOn: boolean): void {
    this.#isDebugging = isOn;
  }

  /** The session once its person is logged in. */
  protected async settled(): Promise<Session> {
    const session = await this.started;
    if (currentOf(session.state).token === undefined) {
      session.isNeeded = true;
      session.wakeIn(0);
      await this.#until(session, (state) => currentOf(state).token !== undefined);
    }
    return session;
  }

  #until(session: Session, isSo: (state: State) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const stops: (() => void)[] = [];
      const look = () => {
        try {
          if (!isSo(session.state)) return;
          resolve();
        } catch (error) {
          reject(error);
        }
        for (const stop of stops) stop();
      };
      stops.push(this.events.on('person', look), this.events.on('round', look));
      look();
    });
  }
}

/** As it will be sent. */
function asJson(field: string, value: unknown): unknown {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch (error) {
    throw invalid(field, `cannot be written as JSON: ${(error as Error).message}`);
  }
}

function invalid(field: string, expected: string): EngageError {
  return new EngageError({ code: 'invalid', message: `${field}: ${expected}`, field });
}

/** What to do about it, where the server's words do not say. */
function explained(problem: Problem): Problem {
  if (problem.code !== 'identity_required') return problem;
  const advice = 'compute identityHash on your server and pass it to login()';
  return { ...problem, message: `${problem.message}; ${advice}` };
}
