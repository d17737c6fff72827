// The in-app messages that the person is to be shown now, without a look; `in-app/` draws them. It
// loads when a page asks for them.

import { EngageError } from './problem.ts';
import type { Session } from './session.ts';
import { currentOf } from './state.ts';

/** How a message shows itself; without it as a modal, at once. */
interface Display {
  readonly kind: 'modal' | 'banner' | 'card' | 'push-prompt' | 'none';
  readonly position?: 'top' | 'bottom';
  readonly trigger?:
    | { readonly event: string; readonly where?: Readonly<Record<string, unknown>> }
    | { readonly afterSeconds: number };
  readonly maxShows?: number;
  readonly everyHours?: number;
  readonly dismissible?: boolean;
}

export interface FeedMessage {
  readonly id: string;
  readonly title: string | null;
  readonly body: string;
  readonly image: string | null;
  readonly deepLink: string | null;
  readonly buttons: readonly {
    readonly id?: string;
    readonly label: string;
    readonly url?: string;
  }[];
  readonly data: Readonly<Record<string, string>>;
  readonly priority: number;
  readonly since: string;
  readonly endAt: string | null;
  readonly display?: Display | null;
}

/** As the feed has it; the inbox's calls read the rest. */
interface FeedPage {
  readonly messages: readonly FeedMessage[];
}

export class Feed {
  readonly #ready: () => Promise<Session>;
  #newest:
    | { readonly n: number; readonly etag: string | null | undefined; readonly page: FeedPage }
    | undefined;

  constructor(ready: () => Promise<Session>) {
    this.#ready = ready;
  }

  /** In-app messages to show now, the most important first. */
  async messages(): Promise<readonly FeedMessage[]> {
    const session = await this.#ready();
    const { n, token } = currentOf(session.state);
    const known = this.#newest?.n === n ? this.#newest : undefined;
    const query = new URLSearchParams({ appId: session.appId });
    const answer = await session.call('GET', `/v1/sdk/feed?${query}`, { token, etag: known?.etag });
    if (answer.status === 304 && known !== undefined) return known.page.messages;
    if (answer.status === 401) {
      // A login may be under way, which ends the token of before.
      await session.round();
      if (currentOf(session.state).token !== token) return this.messages();
    }
    if (answer.problem) throw new EngageError(answer.problem);
    const page = answer.body as FeedPage;
    this.#newest = { n, etag: answer.etag, page };
    return page.messages;
  }
}
