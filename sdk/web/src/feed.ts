// What the person is shown inside the page: in-app messages, and the inbox of kept ones. Without a
// look of its own; `inbox/` and `in-app/` draw it. It loads when somebody asks for either.

import type { Emitter } from './emitter.ts';
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

interface InboxItem extends FeedMessage {
  readonly read: boolean;
}

interface FeedPage {
  readonly messages: readonly FeedMessage[];
  readonly inbox: {
    readonly items: readonly InboxItem[];
    readonly unread: number;
    readonly nextCursor: string | null;
  };
}

export interface InboxView {
  readonly items: readonly InboxItem[];
  readonly unread: number;
}

export class Feed {
  readonly #ready: () => Promise<Session>;
  readonly #events: Emitter<{ change: InboxView }>;
  #newest:
    | { readonly n: number; readonly etag: string | null; readonly page: FeedPage }
    | undefined;
  /** Read by this page, before the server's answer says so. */
  readonly #read = new Set<string>();

  constructor(ready: () => Promise<Session>, events: Emitter<{ change: InboxView }>) {
    this.#ready = ready;
    this.#events = events;
  }

  /** In-app messages to show now, the most important first. */
  async messages(): Promise<readonly FeedMessage[]> {
    return (await this.#page()).messages;
  }

  /** A page of the inbox, newest first. */
  async list({ cursor }: { readonly cursor?: string } = {}): Promise<FeedPage['inbox']> {
    const { inbox } = await this.#page(cursor);
    return { ...inbox, ...this.#view(inbox) };
  }

  async unread(): Promise<number> {
    return (await this.list()).unread;
  }

  async markRead(id: string): Promise<void> {
    const session = await this.#ready();
    this.#read.add(id);
    this.#changed();
    await session.track('inbox_read', undefined, { messageId: id });
  }

  async markAllRead(): Promise<void> {
    let cursor: string | undefined;
    do {
      const page = await this.list(cursor === undefined ? {} : { cursor });
      for (const { id, read } of page.items) if (!read) await this.markRead(id);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** Asks the server again; tells who listens if something is new. */
  async refresh(): Promise<void> {
    await this.#page();
  }

  async #page(cursor?: string): Promise<FeedPage> {
    const session = await this.#ready();
    const { n, token } = currentOf(session.state);
    const known = cursor === undefined && this.#newest?.n === n ? this.#newest : undefined;
    const query = new URLSearchParams({ appId: session.appId, ...(cursor ? { cursor } : {}) });
    const answer = await session.call('GET', `/v1/sdk/feed?${query}`, { token, etag: known?.etag });
    if (answer.status === 304 && known !== undefined) return known.page;
    if (answer.status === 401) {
      // A login may be under way, which ends the token of before.
      await session.round();
      if (currentOf(session.state).token !== token) return this.#page(cursor);
    }
    if (answer.problem) throw new EngageError(answer.problem);
    const page = answer.body as FeedPage;
    if (cursor !== undefined) return page;
    const isNew = JSON.stringify(page) !== JSON.stringify(known?.page);
    this.#newest = { n, etag: answer.etag ?? null, page };
    if (isNew) this.#changed();
    return page;
  }

  #changed(): void {
    if (this.#newest !== undefined)
      this.#events.emit('change', this.#view(this.#newest.page.inbox));
  }

  #view({ items, unread }: FeedPage['inbox']): InboxView {
    const seen = items.map((item) => (this.#read.has(item.id) ? { ...item, read: true } : item));
    const newly = seen.filter(({ read }, at) => read && items[at]?.read === false).length;
    return { items: seen, unread: Math.max(0, unread - newly) };
  }
}
