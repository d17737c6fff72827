// In-app messages that show themselves. The core loads this module when there is one to show.

import type { FeedMessage } from '../feed.ts';
import type { Props } from '../queue.ts';
import type { Session } from '../session.ts';
import { draw } from './draw.ts';
import { type Happened, nextLookMs, nextMessage } from './which-next.ts';

export interface InAppHost {
  readonly session: Session;
  messages(): Promise<readonly FeedMessage[]>;
  /** What the person did on this page so far. */
  readonly happened: readonly Happened[];
  /** False if the site shows it in its own way, or not at all. */
  mayShow(message: FeedMessage): boolean;
  isPaused(): boolean;
  /** Whether this browser could have push, has none yet, and was not told no for good. */
  canSubscribe(): boolean;
  subscribe(): Promise<void>;
}

const showsMax = 200;
const accentDefault = '#2f5fe0';

export class InAppShow {
  readonly #host: InAppHost;
  readonly #openedMs = performance.now();
  #messages: readonly FeedMessage[] = [];
  /** Not again on this page. */
  readonly #done = new Set<string>();
  #isOver = false;
  #shownId: string | undefined;
  #removeShown: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: InAppHost) {
    this.#host = host;
  }

  /** The feed may have changed. */
  async refresh(): Promise<void> {
    const messages = await this.#host.messages();
    if (this.#isOver) return;
    this.#messages = messages;
    if (!messages.some(({ id }) => id === this.#shownId)) this.hide();
    this.look();
  }

  /** Something happened, or time passed: shows what is due now. */
  look(): void {
    clearTimeout(this.#timer);
    if (this.#host.isPaused() || this.#removeShown !== undefined) return;
    const openMs = performance.now() - this.#openedMs;
    const { happened, session } = this.#host;
    const canSubscribe = this.#host.canSubscribe();
    const showsOf = (id: string) => session.state.shows?.[id];
    const left = this.#messages.filter(({ id }) => !this.#done.has(id));
    const next = nextMessage(left, { nowMs: Date.now(), openMs, happened, showsOf, canSubscribe });
    if (next !== undefined) {
      this.#show(next);
      return;
    }
    const waitMs = nextLookMs(left, { openMs });
    if (waitMs !== undefined) this.#timer = setTimeout(() => this.look(), waitMs);
  }

  /** The person left. */
  clear(): void {
    this.#messages = [];
    this.hide();
    this.look();
  }

  /** For good: the person took their consent back. */
  stop(): void {
    this.#isOver = true;
    this.clear();
  }

  /** Takes away what is shown; it is not dismissed. */
  hide(): void {
    this.#removeShown?.();
  }

  #show(message: FeedMessage): void {
    const { id, display } = message;
    this.#done.add(id);
    this.#shownId = id;
    if (!this.#host.mayShow(message)) {
      this.look();
      return;
    }
    void this.#noteShow(id);
    this.#removeShown = draw({
      message,
      accent: this.#accent(),
      viewed: () => this.#report('inapp_viewed', id),
      clicked: (button) => {
        this.#report('inapp_clicked', id, button === undefined ? undefined : { button });
        // The first button of a prompt is the yes that the browser is then asked for.
        const [yes] = message.buttons;
        if (display?.kind === 'push-prompt' && button === (yes?.id ?? 'button-1'))
          this.#host.subscribe().catch(() => undefined); // the core reports it
      },
      dismissed: () => this.#report('inapp_dismissed', id),
      closed: () => {
        this.#removeShown = undefined;
        setTimeout(() => this.look());
      },
    });
  }

  #accent(): string {
    const accent = this.#host.session.config?.branding['accentColor'] ?? '';
    return /^#[0-9a-f]{6}$/i.test(accent) ? accent : accentDefault;
  }

  #report(name: string, messageId: string, props?: Props): void {
    void this.#host.session.track(name, props, { messageId });
  }

  /** Stores that it was shown once more. */
  #noteShow(id: string): Promise<void> {
    return this.#host.session.change((state) => {
      const { [id]: before, ...others } = state.shows ?? {};
      const shown = { count: (before?.count ?? 0) + 1, lastMs: Date.now() };
      const kept = Object.entries(others).slice(1 - showsMax);
      state.shows = Object.fromEntries([...kept, [id, shown]]);
    });
  }
}
