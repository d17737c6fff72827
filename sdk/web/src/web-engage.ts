// The surface on the web: what every platform has, web push, and in-app messages that show
// themselves. Their look is a module of its own, which loads when there is something to show.

import { EngageCore, type InitOptions } from './core.ts';
import { Emitter } from './emitter.ts';
import type { FeedMessage } from './feed.ts';
import type { InAppHost, InAppShow } from './in-app/in-app.ts';
import type { Platform } from './platform.ts';
import { Push, type PushEvents, type WorkerPlace } from './push.ts';
import type { Props } from './queue.ts';
import type { Session } from './session.ts';

interface WebInitOptions extends InitOptions {
  /** Where the site has the worker of Engage; by default `/engage-sw.js` for `/engage/`. */
  readonly serviceWorker?: WorkerPlace;
  /** Whether in-app messages show themselves. Default true. */
  readonly autoShow?: boolean;
}

type LoadLook = () => Promise<{ readonly InAppShow: new (host: InAppHost) => InAppShow }>;
type MayShow = (message: FeedMessage) => boolean | undefined;

const showsMax = 200;
const happenedMax = 200;
const accentDefault = '#2f5fe0';

export class WebEngage extends EngageCore {
  readonly push: Push;
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
  readonly #load: LoadLook;
  readonly #happened: { readonly name: string; readonly props?: Props | undefined }[] = [];
  readonly #mayShow = new Set<MayShow>();
  #options: WebInitOptions | undefined;
  #shown: InAppShow | undefined;
  #loading: Promise<void> | undefined;
  #isPaused = false;

  constructor(platform: Platform, load: LoadLook) {
    super(platform);
    this.#load = load;
    this.push = new Push(
      () => this.settled(),
      new Emitter<PushEvents>(),
      () => this.#options?.serviceWorker,
    );
    this.events.on('told', (message) => this.push.heard(message));
  }

  override async init(options: WebInitOptions): Promise<void> {
    this.#options = options;
    await super.init(options);
  }

  override async track(name: string, props?: Props): Promise<string> {
    const id = await super.track(name, props);
    this.#happened.push({ name, props });
    if (this.#happened.length > happenedMax) this.#happened.shift();
    this.#shown?.look();
    return id;
  }

  protected override async begun(): Promise<void> {
    const session = await this.started;
    await this.push.refresh(session).catch((error: unknown) => this.failed(error));
    if (this.#options?.autoShow === false) return;
    await this.#showMessages().catch((error: unknown) => this.failed(error));
  }

  async #showMessages(): Promise<void> {
    const session = await this.settled();
    const messages = await this.inbox.messages();
    if (this.#shown === undefined && messages.every(({ display }) => display?.kind === 'none'))
      return;
    this.#loading ??= this.#load().then(({ InAppShow }) => {
      this.#shown = new InAppShow(this.#hostOf(session));
    });
    await this.#loading;
    await this.#shown?.refresh();
  }

  #hostOf(session: Session): InAppHost {
    const accent = session.config?.branding['accentColor'] ?? '';
    const engage = this;
    return {
      accent: /^#[0-9a-f]{6}$/i.test(accent) ? accent : accentDefault,
      happened: this.#happened,
      messages: () => this.inbox.messages(),
      showsOf: (id) => session.state.shows?.[id],
      noteShow: (id) =>
        session.change((state) => {
          const { [id]: before, ...others } = state.shows ?? {};
          const shown = { count: (before?.count ?? 0) + 1, lastMs: Date.now() };
          const kept = Object.entries(others).slice(1 - showsMax);
          state.shows = Object.fromEntries([...kept, [id, shown]]);
        }),
      report: (name, id, props) => void session.track(name, props, { messageId: id }),
      mayShow: (message) => [...this.#mayShow].every((may) => may(message) !== false),
      get isPaused() {
        return engage.#isPaused;
      },
      subscribe: () => this.push.subscribe().catch((error: unknown) => this.failed(error)),
    };
  }
}
