// In-app messages that show themselves. The core loads this module when there is one to show.

import type { FeedMessage } from '../feed.ts';
import { draw } from './draw.ts';
import { type Happened, nextLookMs, nextMessage, type Shows } from './which-next.ts';

export interface InAppHost {
  readonly accent: string;
  messages(): Promise<readonly FeedMessage[]>;
  /** What the person did on this page so far. */
  readonly happened: readonly Happened[];
  showsOf(id: string): Shows | undefined;
  /** Stores that it was shown once more. */
  noteShow(id: string): Promise<void>;
  report(name: string, id: string, props?: Readonly<Record<string, unknown>>): void;
  /** False if the site shows it in its own way, or not at all. */
  mayShow(message: FeedMessage): boolean;
  readonly isPaused: boolean;
  subscribe(): Promise<void>;
}

export class InAppShow {
  readonly #host: InAppHost;
  readonly #openedMs = performance.now();
  #messages: readonly FeedMessage[] = [];
  /** Not again on this page. */
  readonly #done = new Set<string>();
  #removeShown: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: InAppHost) {
    this.#host = host;
  }

  /** The feed may have changed. */
  async refresh(): Promise<void> {
    this.#messages = await this.#host.messages();
    this.look();
  }

  /** Something happened, or time passed: shows what is due now. */
  look(): void {
    clearTimeout(this.#timer);
    if (this.#host.isPaused || this.#removeShown !== undefined) return;
    const openMs = performance.now() - this.#openedMs;
    const { happened, showsOf } = this.#host;
    const left = this.#messages.filter(({ id }) => !this.#done.has(id));
    const next = nextMessage(left, { nowMs: Date.now(), openMs, happened, showsOf });
    if (next !== undefined) {
      this.#show(next);
      return;
    }
    const waitMs = nextLookMs(left, { openMs });
    if (waitMs !== undefined) this.#timer = setTimeout(() => this.look(), waitMs);
  }

  /** Takes away what is shown; it is not dismissed. */
  hide(): void {
    this.#removeShown?.();
  }

  #show(message: FeedMessage): void {
    const { id, display } = message;
    this.#done.add(id);
    if (!this.#host.mayShow(message)) {
      this.look();
      return;
    }
    void this.#host.noteShow(id);
    this.#removeShown = draw({
      message,
      accent: this.#host.accent,
      viewed: () => this.#host.report('inapp_viewed', id),
      clicked: (button) => {
        this.#host.report('inapp_clicked', id, button === undefined ? undefined : { button });
        // The first button of a prompt is the yes that the browser is then asked for.
        const [yes] = message.buttons;
        if (display?.kind === 'push-prompt' && button === (yes?.id ?? 'button-1'))
          this.#host.subscribe().catch(() => undefined); // the core reports it
      },
      dismissed: () => this.#host.report('inapp_dismissed', id),
      closed: () => {
        this.#removeShown = undefined;
        setTimeout(() => this.look());
      },
    });
  }
}
