// The surface on the web: what every platform has, web push, and in-app messages that show
// themselves. All of it loads when it is needed, but for what a page must know at once.

import { type CoreModules, EngageCore, type InitOptions } from './core.ts';
import { Emitter } from './emitter.ts';
import type { FeedMessage } from './feed.ts';
import type { InAppHost, InAppShow } from './in-app/in-app.ts';
import type { PushEventName, PushNews } from './notification.ts';
import type { Platform } from './platform.ts';
import { problem } from './problem.ts';
import type { Push, WorkerPlace } from './push.ts';
import type { Props } from './queue.ts';
import type { Session } from './session.ts';
import { currentOf } from './state.ts';

interface WebInitOptions extends InitOptions {
  /** Where the site has the worker of Engage; by default `/engage-sw.js` for `/engage/`. */
  readonly serviceWorker?: WorkerPlace;
  /** Whether in-app messages show themselves. Default true. */
  readonly autoShow?: boolean;
}

interface WebModules extends CoreModules {
  push(): Promise<{ readonly Push: typeof Push }>;
  inApp(): Promise<{ readonly InAppShow: new (host: InAppHost) => InAppShow }>;
}

type MayShow = (message: FeedMessage) => boolean | undefined;

const happenedMax = 200;

export class WebEngage extends EngageCore<WebModules> {
  readonly push = {
    isSupported: () => support() === 'supported',
    /** `needs-install`: Safari on iOS takes push only from a site on the home screen. */
    support,
    permission: () => (support() === 'supported' ? Notification.permission : 'denied'),
    /** Asks for permission and registers this browser. Call it from a click. */
    subscribe: async () => {
      mustHave();
      // At once, because a browser asks only while it handles the click.
      const asked = Notification.requestPermission();
      await (await this.#push()).subscribe(asked);
    },
    /** This browser gets nothing more. */
    unsubscribe: async () => {
      mustHave();
      await (await this.#push()).unsubscribe();
    },
    /** `received`, `clicked`, `dismissed`; all are reported without a listener too. */
    on: (name: PushEventName, listener: (news: PushNews) => void) =>
      this.#pushEvents.on(name, listener),
  };
  readonly inApp = {
    /** Nothing shows itself until `resume`. */
    pause: () => {
      this.#isPaused = true;
      this.#shown?.hide();
    },
    resume: () => {
      this.#isPaused = false;
      this.#shown?.look();
    },
    /** A listener that returns false shows the message in its own way. */
    on: (_name: 'show', listener: MayShow) => {
      this.#mayShow.add(listener);
      return () => this.#mayShow.delete(listener);
    },
    /** Asks the server for new messages. */
    refresh: () => this.#showMessages(),
  };
  readonly #pushEvents = new Emitter<{ readonly [Name in PushEventName]: PushNews }>();
  readonly #happened: { readonly name: string; readonly props?: Props | undefined }[] = [];
  readonly #mayShow = new Set<MayShow>();
  #options: WebInitOptions | undefined;
  #shown: InAppShow | undefined;
  #loading: Promise<void> | undefined;
  #isPaused = false;

  constructor(platform: Platform, modules: WebModules) {
    super(platform, modules);
    this.events.on('told', (message) => {
      const { push } = (message ?? {}) as Partial<PushNews>;
      if (push) this.#pushEvents.emit(push, message as PushNews);
    });
    // Where elements find it, in whichever order the scripts of a page run.
    Object.assign(globalThis, { [Symbol.for('engage')]: this });
    globalThis.dispatchEvent?.(new Event('engage'));
  }

  override init(options: WebInitOptions): Promise<void> {
    this.#options = options;
    return super.init(options);
  }

  override async track(name: string, props?: Props): Promise<string> {
    const id = await super.track(name, props);
    this.#happened.push({ name, props });
    if (this.#happened.length > happenedMax) this.#happened.shift();
    this.#shown?.look();
    return id;
  }

  protected override async begun(): Promise<void> {
    const { device } = currentOf((await this.started).state);
    if (device?.channel === 'webpush' && this.push.permission() === 'granted')
      await this.#push()
        .then((push) => push.refresh())
        .catch(this.failed);
  }

  protected override personChanged(isKnown: boolean): void {
    super.personChanged(isKnown);
    if (!isKnown) this.#shown?.clear();
    else if (this.#options?.autoShow !== false) void this.#showMessages().catch(this.failed);
  }

  protected override async forgotten(session: Session): Promise<void> {
    this.#shown?.stop();
    this.#shown = this.#loading = undefined;
    this.#happened.length = 0;
    // Without its subscription this browser gets nothing more, whatever the server knows.
    if (currentOf(session.state).device?.channel === 'webpush')
      await this.#pushOf(session)
        .then((push) => push.forget())
        .catch(this.failed);
  }

  async #push(): Promise<Push> {
    return this.#pushOf(await this.settled());
  }

  async #pushOf(session: Session): Promise<Push> {
    const { Push } = await this.loaded(this.modules.push());
    return new Push(session, this.#options?.serviceWorker);
  }

  async #showMessages(): Promise<void> {
    const feed = await this.feed();
    const messages = await feed.messages();
    if (!this.#shown && messages.every(({ display }) => display?.kind === 'none')) return;
    this.#loading ??= this.loaded(this.modules.inApp()).then(async ({ InAppShow }) => {
      const session = await this.settled();
      this.#shown = new InAppShow({
        session,
        happened: this.#happened,
        messages: () => feed.messages(),
        mayShow: (message) => [...this.#mayShow].every((may) => may(message) !== false),
        isPaused: () => this.#isPaused,
        canSubscribe: () =>
          this.push.permission() !== 'denied' &&
          currentOf(session.state).device?.channel !== 'webpush',
        subscribe: () => this.push.subscribe().catch(this.failed),
      });
    });
    this.#loading.catch(() => (this.#loading = undefined));
    await this.#loading;
    await this.#shown?.refresh();
  }
}

function mustHave(): void {
  const found = support();
  if (found === 'needs-install')
    throw problem('needs_install', 'add the site to the home screen first; iOS asks for that');
  if (found === 'unsupported') throw problem(found, 'this browser has no web push');
}

function support(): 'supported' | 'needs-install' | 'unsupported' {
  const { serviceWorker, userAgent, maxTouchPoints, standalone } = navigator as Navigator & {
    readonly standalone?: boolean;
  };
  if ('PushManager' in globalThis && 'Notification' in globalThis && serviceWorker)
    return 'supported';
  const isApple = /iP(hone|ad|od)/.test(userAgent) || maxTouchPoints > 1;
  return isApple && standalone === false ? 'needs-install' : 'unsupported';
}
