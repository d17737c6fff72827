// The surface of the SDK, the same on every platform: who the person is, what they do, and what
// they are shown. Every call may be made before `init` has ended; it then waits for it. What a page
// may never need is in modules that load when it is first used.

import { Emitter } from './emitter.ts';
import type { Feed } from './feed.ts';
import { Flags } from './flags.ts';
import { claimPerson, leavePerson } from './identity.ts';
import type { InboxAsk, InboxCalls, InboxView } from './inbox/inbox-calls.ts';
import type { Platform } from './platform.ts';
import { EngageError, invalid, type Problem, problem } from './problem.ts';
import type { AddedAddress, PreferenceChange, Profile, SignUp } from './profile.ts';
import { bytesOf, type Props } from './queue.ts';
import { type RareWork, Session, type SessionEvents } from './session.ts';
import { currentOf, personOf, type State, type Tags } from './state.ts';

export interface InitOptions {
  readonly appId: string;
  /** Where Engage answers: `https://engage.example.com`. */
  readonly baseUrl: string;
  /** `pending`: nothing is stored or sent before `setConsent(true)`. */
  readonly consent?: 'granted' | 'pending';
}

/**
 * How to load what loads on first use. A page may have an older core than the server has modules:
 * what they know of each other is only added to, and anything else takes a new file name.
 */
export interface CoreModules {
  rare(): Promise<RareWork>;
  feed(): Promise<{ readonly Feed: typeof Feed }>;
  profile(): Promise<{ readonly Profile: typeof Profile }>;
  inboxCalls(): Promise<{ readonly InboxCalls: typeof InboxCalls }>;
}

interface User {
  /** Null until the server has answered for the first time. */
  readonly subscriberId: string | null;
  readonly externalUserId: string | null;
}

const nameCharsMax = 128;
const propsBytesMax = 8_192;

export class EngageCore<Modules extends CoreModules = CoreModules> {
  readonly flags = new Flags(() => this.#session);
  readonly inbox = {
    /** A page of the inbox, newest first. */
    list: async (ask?: InboxAsk) => (await this.#inbox()).list(ask),
    unread: async () => (await this.#inbox()).unread(),
    markRead: async (id: string) => (await this.#inbox()).markRead(id),
    markAllRead: async () => (await this.#inbox()).markAllRead(),
    archive: async (id: string) => (await this.#inbox()).archive(id),
    /** Asks the server again; tells who listens if something is new. */
    refresh: async () => (await this.#inbox()).refresh(),
    /** From now on it is kept fresh as well. */
    on: (_name: 'change', listener: (view: InboxView) => void) => {
      this.#inbox().then((inbox) => inbox.follow(), this.failed);
      return this.#inboxEvents.on('change', listener);
    },
  };
  readonly preferences = {
    get: async () => (await this.#profile()).preferences(),
    /** What is left out stays. Resolves to the preferences as they are now. */
    set: async (change: PreferenceChange) => (await this.#profile()).setPreferences(change),
  };
  /** Activities on a lock screen, which iOS has. */
  readonly liveActivity = { register: this.unsupported, rotate: this.unsupported };
  protected readonly events = new Emitter<SessionEvents>();
  protected readonly modules: Modules;
  readonly #platform: Platform;
  readonly #inboxEvents = new Emitter<{ change: InboxView }>();
  #options: InitOptions | undefined;
  #session: Session | undefined;
  /** Resolves when there is a session: after `init`, and after consent. */
  protected started!: Promise<Session>;
  #start!: (session: Session) => void;
  #feed: Promise<Feed> | undefined;
  #inboxCalls: Promise<InboxCalls> | undefined;
  #isDebugging = false;

  constructor(platform: Platform, modules: Modules) {
    this.#platform = platform;
    this.modules = modules;
    this.#renew();
    this.events.on('call', ({ line, answer }) => {
      if (this.#isDebugging) console.debug(`engage: ${line} → ${answer.status}`, answer.body);
    });
    let known = '';
    this.events.on('person', (state) => {
      const { n, token = '' } = currentOf(state);
      if (known === n + token) return;
      known = n + token;
      this.personChanged(token !== '');
    });
  }

  #renew(): void {
    this.started = new Promise((resolve) => (this.#start = resolve));
  }

  /** Restores the person of this device and logs in. Resolves after the first try. */
  async init(options: InitOptions): Promise<void> {
    const { appId, baseUrl, consent } = options ?? {};
    if (!isText(appId)) throw invalid('appId', 'expected a text');
    if (!isText(baseUrl) || !/^https?:\/\//.test(baseUrl))
      throw invalid('baseUrl', 'expected an address that begins with https:// or http://');
    if (this.#options && this.#options.appId !== appId)
      throw invalid('appId', 'init was called with another one; call reset() first');
    if (this.#options) return;
    this.#options = options;
    if (consent !== 'pending') await this.#begin();
  }

  async #begin(): Promise<void> {
    if (this.#session || !this.#options) return;
    const session = new Session(this.#options, this.#platform, this.events, this.modules.rare);
    this.#session = session;
    await session.begin();
    if (this.#session !== session) return; // Consent was taken back meanwhile.
    this.#start(session);
    this.#platform.after(1_000, () => this.#need(session));
    if (currentOf(session.state).token) session.isNeeded = true;
    await session.round();
    void this.begun();
  }

  /** Another person, or the same with another token. One who is not known has nothing to show. */
  protected personChanged(isKnown: boolean): void {
    if (isKnown) void this.flags.refresh();
  }

  /** What a platform does once the session has begun. */
  protected async begun(): Promise<void> {}

  /** What a platform forgets with a session. */
  protected async forgotten(_session: Session): Promise<void> {}

  protected failed = ({ code = 'internal', message }: Partial<Problem> & Error): void => {
    this.events.emit('error', { code, message });
  };

  /** Gives or takes back what `init({consent: 'pending'})` waits for. */
  async setConsent(granted: boolean): Promise<void> {
    if (granted) return this.#begin();
    if (this.#options) this.#options = { ...this.#options, consent: 'pending' };
    await this.#forget();
  }

  /** Forgets everything on this device. `init` begins anew. */
  async reset(): Promise<void> {
    await this.#forget();
    this.#options = undefined;
  }

  async #forget(): Promise<void> {
    const session = this.#session;
    this.#session = this.#feed = undefined;
    this.#renew();
    if (!session) return;
    await session.erase();
    await this.forgotten(session);
  }

  #need(session: Session): void {
    session.isNeeded = true;
    session.wakeIn(0);
  }

  /** Makes this device's person the one with your id. What an anonymous person had moves along. */
  async login(externalUserId: string, { identityHash }: { identityHash?: string } = {}) {
    if (!isText(externalUserId))
      throw invalid('externalUserId', 'expected a text; call logout() for nobody');
    const claim = { externalUserId, ...(identityHash ? { identityHash } : {}) };
    const session = await this.started;
    const n = await session.change((state) => {
      claimPerson(state, claim);
      return currentOf(state).n;
    });
    this.#need(session);
    await this.#until(session, (state) => {
      // They logged out, or the token is another person's by now: `user` says who.
      const { refused, wants } = personOf(state, n) ?? {};
      if (refused?.externalUserId === externalUserId) throw new EngageError(refused);
      return !wants;
    });
    return this.user();
  }

  /** Ends the person's session on this device, and begins an anonymous one. */
  async logout(): Promise<void> {
    const session = await this.started;
    if (await session.change(leavePerson)) session.wakeIn(0);
  }

  /** Who uses this device. */
  async user(): Promise<User> {
    const session = await this.started;
    // Another tab may have changed it a moment ago.
    await session.read();
    if (!currentOf(session.state).id) {
      session.isNeeded = true;
      await session.round();
    }
    const { id = null, externalUserId = null } = currentOf(session.state);
    return { subscriberId: id, externalUserId };
  }

  /** Merges tags into the person's; sent once a second at most. Null removes one. */
  async setTags(tags: Tags): Promise<void> {
    const plain = plainObject('tags', tags) as Tags;
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
    if (!isText(name) || name.length > nameCharsMax)
      throw invalid('name', `expected 1 to ${nameCharsMax} characters`);
    const plain = props === undefined ? props : plainObject('props', props);
    if (plain && bytesOf(plain) > propsBytesMax)
      throw invalid('props', `expected at most ${propsBytesMax} bytes as JSON`);
    if (!this.#session && this.#options?.consent === 'pending')
      throw problem('no_consent', 'call setConsent(true) first');
    return (await this.started).track(name, plain);
  }

  /**
   * Gives the person an email address. Where the app or a topic asks for a double opt-in, a mail
   * asks its owner first. The answer is the same for an address that is somebody else's.
   */
  async addEmail(address: string, signUp?: SignUp): Promise<AddedAddress> {
    return (await this.#profile()).addEmail(address, signUp);
  }

  /** Gives the person a phone number, in any form that people write. */
  async addPhone(number: string): Promise<AddedAddress> {
    return (await this.#profile()).addPhone(number);
  }

  /** The person is not reached there any more. The channel is `email` or `sms`. */
  async removeAddress(channel: string, address: string): Promise<void> {
    await (await this.#profile()).removeAddress(channel, address);
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
  protected settled = async (): Promise<Session> => {
    const session = await this.started;
    if (!currentOf(session.state).token) this.#need(session);
    await this.#until(session, (state) => currentOf(state).token);
    return session;
  };

  protected feed(): Promise<Feed> {
    this.#feed ??= this.loaded(this.modules.feed()).then(({ Feed }) => new Feed(this.settled));
    this.#feed.catch(() => (this.#feed = undefined));
    return this.#feed;
  }

  async #profile(): Promise<Profile> {
    const session = await this.settled();
    const { Profile } = await this.loaded(this.modules.profile());
    return new Profile(session);
  }

  /** A call that this platform lacks. */
  protected async unsupported(): Promise<never> {
    throw problem('unsupported', 'this platform has no live activities');
  }

  #inbox(): Promise<InboxCalls> {
    this.#inboxCalls ??= this.loaded(this.modules.inboxCalls()).then(
      ({ InboxCalls }) => new InboxCalls(this.settled, this.events, this.#inboxEvents),
    );
    this.#inboxCalls.catch(() => (this.#inboxCalls = undefined));
    return this.#inboxCalls;
  }

  /** A module that is loading. What a browser says when it cannot is no words for a page. */
  protected loaded<Module>(module: Promise<Module>): Promise<Module> {
    return module.catch(({ message }: Error) => {
      throw problem('unreachable', message);
    });
  }

  #until(session: Session, isSo: (state: State) => unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        try {
          if (!isSo(session.state)) return;
          resolve();
        } catch (error) {
          reject(error);
        }
        for (const stop of stops) stop();
      };
      const stops = [this.events.on('person', look), this.events.on('round', look)];
      look();
    });
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** As it will be sent. */
function plainObject(field: string, value: object): Props {
  let plain: unknown;
  try {
    plain = JSON.parse(JSON.stringify(value));
  } catch (error) {
    throw invalid(field, `cannot be written as JSON: ${(error as Error).message}`);
  }
  if (Object(plain) !== plain || Array.isArray(plain)) throw invalid(field, 'expected an object');
  return plain as Props;
}
