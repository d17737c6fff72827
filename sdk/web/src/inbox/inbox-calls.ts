// The inbox without a look: its list, what the person marks, and when it is asked for anew. It
// loads when a page first uses the inbox. A mark shows at once. If nobody answers, it waits among
// the events, which outlive the page; if the server refuses it, it is taken back.

import type { Answer } from '../api.ts';
import type { Emitter } from '../emitter.ts';
import type { FeedMessage } from '../feed.ts';
import { EngageError } from '../problem.ts';
import type { Session, SessionEvents } from '../session.ts';
import { currentOf, type State } from '../state.ts';
import { type Marks, MarksOnTop } from './marks.ts';

export interface InboxItem extends FeedMessage {
  readonly read: boolean;
  readonly archived: boolean;
}

/** The first page, as it is shown now. */
export interface InboxView {
  readonly items: readonly InboxItem[];
  /** Of all pages. */
  readonly unread: number;
  readonly nextCursor: string | null;
}

export interface InboxAsk {
  readonly cursor?: string | undefined;
  /** The archived messages instead. */
  readonly archived?: boolean | undefined;
}

/** What tabs tell each other. */
interface TabNews {
  /** Without marks: something changed, ask the server. */
  readonly inbox: { readonly n: number; readonly marks?: Marks };
}

/** A window may get the focus although it was in view all the time; other platforms have none. */
const around = globalThis as {
  readonly document?: { readonly visibilityState: string };
  addEventListener?(name: 'focus', focused: () => void): void;
};

const everyMs = 60_000;
/** Of one call. */
const idsMax = 200;

export class InboxCalls {
  /** The session once its person is logged in. */
  readonly #session: () => Promise<Session>;
  readonly #events: Emitter<SessionEvents>;
  readonly #changes: Emitter<{ readonly change: InboxView }>;
  #marks = new MarksOnTop();
  /** Whose inbox this is, and with which token it was asked for. */
  #who = '';
  #newest: { readonly page: InboxView; readonly etag: string | null | undefined } | undefined;
  #told = '';
  /** Marks that wait among the events of this device. */
  readonly #waiting = new Set<ReturnType<MarksOnTop['add']>>();
  /** Marks of another tab, until it says that they are settled. */
  readonly #others = new Set<ReturnType<MarksOnTop['add']>>();
  #sending: Promise<unknown> = Promise.resolve();
  /** An ask for the first page that is under way; whoever lists meanwhile shares it. */
  #reading: Promise<InboxView> | undefined;
  #refreshing: Promise<void> | undefined;
  #isStale = false;
  #isFollowing = false;
  #isShown = true;

  constructor(
    session: () => Promise<Session>,
    events: Emitter<SessionEvents>,
    changes: Emitter<{ readonly change: InboxView }>,
  ) {
    this.#session = session;
    this.#events = events;
    this.#changes = changes;
  }

  /** A page, newest first. */
  list({ cursor, archived = false }: InboxAsk = {}): Promise<InboxView> {
    const isNewest = cursor === undefined && !archived;
    if (!isNewest) return this.#read({ cursor, archived });
    return this.#reading ?? this.#readNewest();
  }

  #readNewest(): Promise<InboxView> {
    const reading = this.#read({ archived: false }).finally(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    this.#reading = reading;
    return reading;
  }

  async #read({ cursor, archived = false }: InboxAsk): Promise<InboxView> {
    const session = await this.#ready();
    const { token } = currentOf(session.state);
    const isNewest = cursor === undefined && !archived;
    const known = isNewest ? this.#newest : undefined;
    const query = new URLSearchParams({
      appId: session.appId,
      ...(cursor === undefined ? {} : { cursor }),
      ...(archived ? { archived: 'true' } : {}),
    });
    const who = this.#who;
    const askedAt = this.#marks.tick();
    const answer = await session.call('GET', `/v1/sdk/feed?${query}`, { token, etag: known?.etag });
    // A login may be under way, which ends the token of before.
    if (answer.status === 401) {
      await session.round();
      this.#personNoted(session.state);
    }
    // Somebody else uses the page by now.
    if (who !== this.#who) return this.#read({ archived });
    const isSame = answer.status === 304 && known !== undefined;
    if (answer.problem && !isSame) throw new EngageError(answer.problem);
    const page = isSame ? known.page : (answer.body as { readonly inbox: InboxView }).inbox;
    this.#marks.answered(page, askedAt);
    if (isNewest) {
      this.#newest = { page, etag: answer.etag };
      this.#tellChange();
    }
    return this.#marks.over<InboxItem, InboxView>(page, archived);
  }

  async unread(): Promise<number> {
    return (await this.list()).unread;
  }

  markRead(id: string): Promise<void> {
    return this.#mark({ read: [id], archive: [] });
  }

  archive(id: string): Promise<void> {
    return this.#mark({ read: [], archive: [id] });
  }

  /** What the person could see is read: not a message that came a moment ago. */
  async markAllRead(): Promise<void> {
    if (this.#newest === undefined) await this.list();
    const hasAll = this.#newest?.page.nextCursor === null;
    const read = this.#marks.unread;
    if (hasAll && read.length === 0) return;
    await this.#mark({ read, archive: [] }, !hasAll);
  }

  /** Begins to keep the view fresh, and to tell of changes. */
  async follow(): Promise<void> {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    this.#events.on('told', (news) => void this.#heard(news));
    this.#events.on('person', (state) => this.#personNoted(state));
    const { platform } = await this.#ready();
    const fresh = () => {
      this.#isShown = true;
      void this.refresh();
    };
    platform.watch({ shown: fresh, online: fresh, hidden: () => (this.#isShown = false) });
    around.addEventListener?.('focus', fresh);
    this.#isShown = around.document?.visibilityState !== 'hidden';
    const tick = () => {
      // The tab that marked them may have been closed meanwhile.
      for (const kept of this.#others) this.#marks.settle(kept);
      if (this.#isShown) void this.refresh();
      platform.after(everyMs, tick);
    };
    platform.after(everyMs, tick);
    if (this.#reading === undefined) await this.refresh();
  }

  /** Asks the server once more. What cannot be read now is read the next time. */
  refresh(): Promise<void> {
    this.#isStale = this.#refreshing !== undefined;
    this.#refreshing ??= this.#readNewest()
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        this.#refreshing = undefined;
        if (this.#isStale) void this.refresh();
      });
    return this.#refreshing;
  }

  async #ready(): Promise<Session> {
    const session = await this.#session();
    // Another tab may have sent what waited.
    if (this.#waiting.size > 0) await session.read();
    this.#personNoted(session.state);
    return session;
  }

  #personNoted(state: State): void {
    const { n, token = '' } = currentOf(state);
    const who = `${n} ${token}`;
    if (who !== this.#who) {
      this.#who = who;
      this.#newest = undefined;
      this.#marks = new MarksOnTop();
      this.#waiting.clear();
      this.#others.clear();
      // Of an earlier page, which ended before they were sent.
      if (state.marks?.n === n) this.#waiting.add(this.#marks.add(state.marks));
      if (this.#isFollowing) void this.refresh();
    }
    if (state.events > 0 || (this.#waiting.size === 0 && state.marks === undefined)) return;
    for (const kept of this.#waiting) this.#marks.settle(kept);
    this.#waiting.clear();
    if (state.marks !== undefined) void this.#forgetWaiting();
  }

  async #forgetWaiting(): Promise<void> {
    const session = await this.#session();
    const isGone = await session.change((state) => {
      if (state.events > 0 || state.marks === undefined) return false;
      delete state.marks;
      return true;
    });
    if (!isGone) return;
    session.tell({ inbox: { n: currentOf(session.state).n } } satisfies TabNews);
    await this.refresh();
  }

  async #mark(marks: Marks, isAll = false): Promise<void> {
    const session = await this.#ready();
    const { n } = currentOf(session.state);
    const onTop = this.#marks;
    const kept = onTop.add(marks);
    this.#tellChange();
    session.tell({ inbox: { n, marks } } satisfies TabNews);
    const sent = this.#sending.then(() => this.#send(session, marks, isAll));
    this.#sending = sent.catch(() => undefined);
    const answer = await sent;
    const { status, problem } = answer;
    if (status === 200) onTop.settle(kept);
    else if (answer.isAway || status === 401) {
      await store(session, marks);
      this.#waiting.add(kept);
      this.#personNoted(session.state);
      return;
    } else {
      onTop.remove(kept);
      this.#tellChange();
    }
    session.tell({ inbox: { n } } satisfies TabNews);
    await this.refresh();
    if (problem === undefined) return;
    this.#events.emit('error', problem);
    throw new EngageError(problem);
  }

  #send(session: Session, { read, archive }: Marks, isAll: boolean): Promise<Answer> {
    const { appId, state } = session;
    const { token: clientToken } = currentOf(state);
    const ids = read.slice(0, idsMax);
    const body = { appId, clientToken, read: isAll ? 'all' : ids, archive };
    return session.call('POST', '/v1/sdk/inbox', { body });
  }

  async #heard(news: unknown): Promise<void> {
    if (typeof news !== 'object' || news === null) return;
    if ('push' in news && news.push === 'received') await this.refresh();
    if (!('inbox' in news)) return;
    const { n, marks } = (news as TabNews).inbox;
    const session = await this.#ready();
    if (n !== currentOf(session.state).n) return;
    if (marks !== undefined) {
      this.#others.add(this.#marks.add(marks));
      this.#tellChange();
      return;
    }
    for (const kept of this.#others) this.#marks.settle(kept);
    this.#others.clear();
    await this.refresh();
  }

  #tellChange(): void {
    if (this.#newest === undefined) return;
    const view = this.#marks.over<InboxItem, InboxView>(this.#newest.page);
    const text = JSON.stringify(view);
    if (text === this.#told) return;
    this.#told = text;
    this.#changes.emit('change', view);
  }
}

/** Puts marks among the events, which are sent when the network is back; each counts once. */
async function store(session: Session, { read, archive }: Marks): Promise<void> {
  for (const messageId of read) await session.track('inbox_read', undefined, { messageId });
  for (const messageId of archive) await session.track('inbox_archived', undefined, { messageId });
  await session.change((state) => {
    const { n } = currentOf(state);
    const before = state.marks?.n === n ? state.marks : { read: [], archive: [] };
    const joined = (one: readonly string[], other: readonly string[]) =>
      [...new Set([...one, ...other])].slice(-idsMax);
    const marked = { read: joined(before.read, read), archive: joined(before.archive, archive) };
    state.marks = { n, ...marked };
  });
}
