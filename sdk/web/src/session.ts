// One app on this device, from `init` to `reset`: its stored state, and the one loop that tells the
// server what happened. Whatever is to be told is stored first; the loop then asks the state what
// is next, makes one call, and stores what it meant. Only one tab runs the loop at a time.

import { type Answer, type Asking, ask } from './api.ts';
import type { Emitter } from './emitter.ts';
import { nextLogin, noteLogin } from './identity.ts';
import type { Platform, Rows, Store } from './platform.ts';
import { type Problem, problem } from './problem.ts';
import {
  batchMax,
  dequeue,
  enqueue,
  type Instant,
  ingestBody,
  instantOf,
  leavingRows,
  type Props,
  type References,
  type Row,
  takeBatch,
} from './queue.ts';
import {
  type Attempt,
  currentOf,
  newState,
  type Person,
  personOf,
  type State,
  type WorkerNote,
  workerKey,
} from './state.ts';

interface AppConfig {
  readonly vapidPublicKey: string | null;
  readonly branding: Readonly<Record<string, string | null>>;
  readonly ingestUrl: string;
}

export interface SessionEvents {
  readonly error: Problem;
  /** Another person, or something new about this one. */
  readonly person: State;
  /** One round of the loop ended, well or not. */
  readonly round: undefined;
  /** What was told by other tabs and the worker. */
  readonly told: unknown;
  readonly call: { readonly line: string; readonly answer: Answer };
}

interface SessionOptions {
  readonly appId: string;
  readonly baseUrl: string;
}

/** What a job of the loop ended with: the next one may begin, or the loop waits so long. */
export type Outcome = 'next' | { readonly waitMs: number };

/** The work of the loop that most pages do not have, which loads when there is some. */
export interface RareWork {
  sendTags(session: Session): Promise<Outcome | undefined>;
  /** Ends sessions, and registers and unregisters devices. */
  settleDevices(session: Session): Promise<Outcome | undefined>;
  loginRefused(
    session: Session,
    login: { readonly n: number; readonly attempt: Attempt },
    answer: Answer,
  ): Promise<Outcome>;
  eventsRefused(
    session: Session,
    batch: readonly Row[],
    person: Person | undefined,
    answer: Answer,
  ): Promise<Outcome>;
  /** Drops events whose person is not known on this device any more. */
  forgetEvents(session: Session, rows: readonly Row[]): Promise<Outcome>;
}

/** After an event; so many events are sent at once. */
const collectMs = 1_000;
const collectEvents = 20;
const backOffFirstMs = 1_000;
const backOffMostMs = 300_000;

export class Session {
  readonly appId: string;
  readonly baseUrl: string;
  readonly events: Emitter<SessionEvents>;
  readonly platform: Platform;
  config: AppConfig | undefined;
  /** As it was last read; other tabs may have changed it. */
  state: State = newState();
  /** Whether somebody asked for the person, so that an anonymous one must be made. */
  isNeeded = false;
  /** How many events one call carries, once the server found more too large. */
  batchMax = batchMax;
  /** When tags were last sent, by the clock that nobody sets. */
  taggedMs = -Infinity;
  readonly #rareWork: () => Promise<RareWork>;
  readonly #store: Store;
  readonly #page: string;
  readonly #name: string;
  /** Events of this tab that may not have been sent, for the end of the page. */
  readonly #unsent = new Map<number, Row>();
  readonly #stops: (() => void)[] = [];
  #cancelTimer: () => void = () => undefined;
  #dueMs = Infinity;
  #running: Promise<void> | undefined;
  #failures = 0;
  #isOver = false;
  #isErased = false;

  constructor(
    { appId, baseUrl }: SessionOptions,
    platform: Platform,
    events: Emitter<SessionEvents>,
    rareWork: () => Promise<RareWork>,
  ) {
    this.appId = appId;
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.events = events;
    this.platform = platform;
    this.#rareWork = rareWork;
    this.#name = `engage:${appId}`;
    this.#store = platform.store('engage', () =>
      this.fail('not_stored', 'this device has no room: events last as long as the page'),
    );
    this.#page = platform.uuid();
  }

  /** Reads what was stored, and begins to follow the page and the other tabs. */
  async begin(): Promise<void> {
    await this.change(() => undefined);
    const awake = () => this.#wake();
    this.#stops.push(
      this.platform.listen(this.#name, (message) => this.#heard(message)),
      this.platform.watch({ hidden: () => this.#leave(), online: awake, shown: awake }),
    );
    this.wakeIn(this.state.people.some(({ id, wants }) => id ?? wants) ? 0 : collectMs);
  }

  async erase(): Promise<void> {
    this.#isOver = true;
    this.#cancelTimer();
    for (const stop of this.#stops) stop();
    this.#unsent.clear();
    await this.#running;
    this.#isErased = true;
    await this.#store.erase();
  }

  /** Tells the page of something that failed in the background. */
  fail(code: string, message: string): void {
    this.events.emit('error', { code, message });
  }

  #now(): Instant {
    return instantOf(this.platform, this.#page);
  }

  call(method: string, path: string, asking?: Asking): Promise<Answer> {
    return this.#ask(method, this.baseUrl + path, asking);
  }

  async #ask(method: string, url: string, asking?: Asking): Promise<Answer> {
    const answer = await ask(this.platform, method, url, asking);
    this.events.emit('call', { line: `${method} ${url}`, answer });
    return answer;
  }

  #post(rows: readonly Row[], person: Person | undefined, keepalive: boolean): Promise<Answer> {
    return this.#ask('POST', `${this.config?.ingestUrl ?? this.baseUrl}/e`, {
      body: ingestBody(this.appId, rows, person?.id, this.#now()),
      token: person?.token,
      keepalive,
    });
  }

  /** What came after the erasure would be there for good. */
  async #run<Value>(step: (rows: Rows) => Promise<Value>): Promise<Value> {
    if (this.#isErased) throw problem('no_consent', 'this device was asked to forget everything');
    return this.#store.run(step);
  }

  /** Reads what other tabs may have changed. */
  async read(): Promise<void> {
    const state = await this.#run((rows) => rows.get('state', this.appId));
    this.#noteState((state ?? newState()) as State);
  }

  /** Changes the state in one step. Returns what the step returns. */
  async change<Value>(step: (state: State, rows: Rows) => Value | Promise<Value>): Promise<Value> {
    let before = '';
    const [value, state] = await this.#run(async (rows) => {
      const state = ((await rows.get('state', this.appId)) ?? newState()) as State;
      before = JSON.stringify(state.people);
      const value = await step(state, rows);
      await rows.put('state', this.appId, state);
      return [value, state] as const;
    });
    this.#noteState(state);
    if (JSON.stringify(state.people) !== before) this.tell('changed');
    return value;
  }

  #noteState(state: State): void {
    this.state = state;
    this.events.emit('person', state);
  }

  tell(message: unknown): void {
    this.platform.tell(this.#name, message);
  }

  #heard(message: unknown): void {
    const sent = (message as { readonly sent?: number } | null)?.sent;
    if (message === 'changed')
      this.read().catch(() => undefined); // The other tab erased it.
    else if (sent) {
      for (const key of this.#unsent.keys()) if (key <= sent) this.#unsent.delete(key);
    } else this.events.emit('told', message);
  }

  /** Stores an event. Resolves to its id once it is safe from the end of the page. */
  async track(name: string, props?: Props, references?: References): Promise<string> {
    const id = this.platform.uuid();
    const event = { id, name, at: this.#now(), props, references };
    const { row, dropped } = await this.change((state, rows) => enqueue(rows, state, event));
    this.#unsent.set(row[0], row);
    this.drop(dropped, 'the queue is full');
    this.wakeIn(this.state.events < collectEvents ? collectMs : 0);
    return id;
  }

  drop(rows: readonly Row[], why: string): void {
    for (const [, { name, id }] of rows)
      this.fail('event_dropped', `event ${name} (${id}) was dropped: ${why}`);
  }

  /** Makes the next round begin in so many milliseconds, unless it begins sooner. */
  wakeIn(ms: number): void {
    // While the server is away, only its own time and a new network begin a round.
    if (this.#dueMs < Infinity && this.#failures) return;
    if (this.platform.monotonic() + ms < this.#dueMs) this.#wait(ms);
  }

  #wait(ms: number): void {
    if (this.#isOver) return;
    this.#cancelTimer();
    this.#dueMs = this.platform.monotonic() + ms;
    this.#cancelTimer = this.platform.after(ms, () => void this.round());
  }

  #wake(): void {
    this.#failures = 0;
    this.#wait(0);
  }

  /** Tells the server all that there is to tell, as far as it answers. */
  round(): Promise<void> {
    if (this.#running !== undefined)
      return this.#running.then(() => (this.#dueMs === Infinity ? undefined : this.round()));
    this.#cancelTimer();
    this.#dueMs = Infinity;
    this.#running = this.platform
      .locked(this.#name, () => this.#work())
      .catch((error: Error) => {
        this.fail('internal', error.message);
        return this.#backOff();
      })
      .then((waitMs) => {
        this.#running = undefined;
        if (waitMs === undefined) this.#failures = 0;
        else this.#wait(waitMs);
        this.events.emit('round', undefined);
      });
    return this.#running;
  }

  /** Resolves to how long to wait; undefined when nothing is left. */
  async #work(): Promise<number | undefined> {
    this.isNeeded ||= this.state.people.some(({ id }) => id);
    let outcome: Outcome | undefined = 'next';
    while (outcome === 'next' && !this.#isOver)
      outcome =
        (await this.#readConfig()) ??
        (await this.#logIn()) ??
        (await this.#sendTags()) ??
        (await this.#sendEvents()) ??
        (await this.#settleDevices());
    return outcome === 'next' ? undefined : outcome?.waitMs;
  }

  /** After an answer that is no answer: what it asks for, or longer each time. */
  later({ problem: found, waitMs }: Answer): Outcome {
    if (found && !this.#failures) this.events.emit('error', found);
    const backOffMs = this.#backOff();
    return { waitMs: waitMs ?? backOffMs };
  }

  #backOff(): number {
    const most = Math.min(backOffMostMs, backOffFirstMs * 2 ** ++this.#failures);
    return (most / 2) * (1 + this.platform.random());
  }

  async #rare(
    work: (rare: RareWork) => Promise<Outcome | undefined>,
  ): Promise<Outcome | undefined> {
    let rare: RareWork;
    try {
      rare = await this.#rareWork();
    } catch (error) {
      const message = (error as Error).message;
      return this.later({ status: 0, problem: problem('unreachable', message) });
    }
    return work(rare);
  }

  async #readConfig(): Promise<Outcome | undefined> {
    if (this.config) return undefined;
    const { appId, baseUrl } = this;
    const answer = await this.call('GET', `/v1/sdk/app/${encodeURIComponent(appId)}`);
    if (answer.status !== 200) return this.later(answer);
    this.config = answer.body as AppConfig;
    const { ingestUrl, vapidPublicKey } = this.config;
    const note: WorkerNote = { appId, baseUrl, ingestUrl, vapidPublicKey };
    await this.#run((rows) => rows.put('state', workerKey, note));
    return 'next';
  }

  async #logIn(): Promise<Outcome | undefined> {
    const { appId, isNeeded, platform } = this;
    const next = await this.change(async (state, rows) => {
      const waiting = (await rows.first('queue', batchMax)) as Row[];
      const withEvents = new Set(waiting.map(([, { n }]) => n));
      for (const { n, tags } of state.people) if (tags) withEvents.add(n);
      return nextLogin(state, { appId, isNeeded, withEvents }, platform);
    });
    if (!next) return undefined;
    const { n, attempt } = next;
    const { key, body } = attempt;
    const answer = await this.call('POST', '/v1/sdk/subscriber', { body, key });
    if (answer.isAway) return this.later(answer);
    if (answer.status !== 200) return this.#rare((rare) => rare.loginRefused(this, next, answer));
    await this.change((state) =>
      noteLogin(state, n, attempt, answer.body as never, platform.now()),
    );
    return 'next';
  }

  async #sendTags(): Promise<Outcome | undefined> {
    if (this.state.people.some(({ tags, token }) => tags && token))
      return this.#rare((rare) => rare.sendTags(this));
    return undefined;
  }

  async #sendEvents(): Promise<Outcome | undefined> {
    const now = this.#now();
    const { rows, expired, person } = await this.change(async (state, stored) => {
      const batch = await takeBatch(stored, this.batchMax, now);
      await dequeue(stored, state, batch.expired);
      const n = batch.rows[0]?.[1].n;
      if (n === undefined && !batch.expired[0]) state.events = state.bytes = 0;
      return { ...batch, person: personOf(state, n) };
    });
    this.drop(expired, 'sent a day ago, no answer');
    if (!rows[0]) return undefined;
    const nameless = rows.filter(([, event]) => !(event.subscriberId ?? person?.id));
    // A person who came after this round's login: the next turn of the loop logs them in.
    if (nameless[0])
      return person ? 'next' : this.#rare((rare) => rare.forgetEvents(this, nameless));
    const answer = await this.#post(rows, person, false);
    if (answer.isAway) return this.later(answer);
    if (answer.status !== 202 || (answer.body as { errors?: object[] } | undefined)?.errors?.[0])
      return this.#rare((rare) => rare.eventsRefused(this, rows, person, answer));
    return this.answered(rows);
  }

  /** The server has answered about these events: they leave the queue, except for `again`. */
  async answered(batch: readonly Row[], again: readonly Row[] = []): Promise<Outcome> {
    this.#failures = 0;
    await this.change(async (state, rows) => {
      const kept = again.map(([key]) => key);
      const gone = batch.filter(([key]) => !kept.includes(key));
      await dequeue(rows, state, gone);
      for (const row of again) await rows.put('queue', ...row);
    });
    for (const [key] of batch) this.#unsent.delete(key);
    this.tell({ sent: batch.at(-1)?.[0] });
    return 'next';
  }

  async #settleDevices(): Promise<Outcome | undefined> {
    const { people } = this.state;
    const { device } = currentOf(this.state);
    if (
      people.some(({ isGone, former, tags }) => isGone ?? former ?? tags) ||
      (device && !device.id)
    )
      return this.#rare((rare) => rare.settleDevices(this));
    return undefined;
  }

  /** The page may end now: sends what it can without waiting, and what is sent stays stored. */
  #leave(): void {
    const person = currentOf(this.state);
    const mine = [...this.#unsent.values()].filter(([, { n }]) => n === person.n);
    const rows = leavingRows(mine, this.#now());
    if (this.platform.isOffline || !rows[0] || !person.id) return;
    this.#store.putNow(rows);
    for (const row of rows) this.#unsent.set(row[0], row);
    void this.#post(rows, person, true);
  }
}
