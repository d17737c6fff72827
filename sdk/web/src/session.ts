// One app on this device, from `init` to `reset`: its stored state, and the one loop that tells the
// server what happened. Whatever is to be told is stored first; the loop then asks the state what
// is next, makes one call, and stores what it meant. Only one tab runs the loop at a time.

import { type Answer, type Asking, ask } from './api.ts';
import { noteDevice } from './devices.ts';
import type { Emitter } from './emitter.ts';
import { leavePerson, loginAnswered, loseToken, nextLogin } from './identity.ts';
import type { Platform, Rows, Store } from './platform.ts';
import type { Problem } from './problem.ts';
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
  currentOf,
  type Device,
  newState,
  type Person,
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

/** After an event; so many events are sent at once. */
const collectMs = 1_000;
const collectEvents = 20;
const tagsEveryMs = 1_000;
const backOffMs = { first: 1_000, most: 300_000 };

/** What a job of the loop ended with: the next one may begin, or the loop waits so long. */
type Outcome = 'next' | { readonly waitMs: number | undefined };

export class Session {
  readonly appId: string;
  readonly baseUrl: string;
  readonly events: Emitter<SessionEvents>;
  config: AppConfig | undefined;
  /** As it was last read; other tabs may have changed it. */
  state: State = newState();
  /** Whether somebody asked for the person, so that an anonymous one must be made. */
  isNeeded = false;
  readonly #platform: Platform;
  readonly #store: Store;
  readonly #page: string;
  readonly #name: string;
  /** Events of this tab that may not have been sent, for the end of the page. */
  readonly #unsent = new Map<number, Row>();
  readonly #stops: (() => void)[] = [];
  #cancelTimer: () => void = () => undefined;
  #dueMs = Number.POSITIVE_INFINITY;
  #running: Promise<void> | undefined;
  #failures = 0;
  /** The last call failed, or the server asked to wait. */
  #isAway = false;
  #batchMax = batchMax;
  #taggedMs = Number.NEGATIVE_INFINITY;
  #isOver = false;

  constructor(
    { appId, baseUrl }: SessionOptions,
    platform: Platform,
    events: Emitter<SessionEvents>,
  ) {
    this.appId = appId;
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.events = events;
    this.#platform = platform;
    this.#name = `engage:${appId}`;
    this.#store = platform.store('engage', () => {
      const message = 'this device has no room: events are kept as long as the page is open';
      events.emit('error', { code: 'not_stored', message });
    });
    this.#page = platform.uuid();
  }

  /** Reads what was stored, and begins to follow the page and the other tabs. */
  async begin(): Promise<void> {
    await this.change(() => undefined);
    this.#stops.push(
      this.#platform.listen(this.#name, (message) => this.#heard(message)),
      this.#platform.watch({
        hidden: () => this.#leave(),
        online: () => this.#wake(),
        shown: () => this.#wake(),
      }),
    );
    this.wakeIn(this.state.people.some(({ id, wants }) => id ?? wants) ? 0 : collectMs);
  }

  end(): void {
    this.#isOver = true;
    this.#cancelTimer();
    for (const stop of this.#stops) stop();
  }

  async erase(): Promise<void> {
    this.end();
    this.#unsent.clear();
    await this.#running;
    await this.#store.erase();
  }

  now(): Instant {
    return instantOf(this.#platform, this.#page);
  }

  call(line: string, path: string, asking?: Asking): Promise<Answer> {
    return this.#ask(line, this.baseUrl + path, asking);
  }

  async #ask(line: string, url: string, asking?: Asking): Promise<Answer> {
    const answer = await ask(this.#platform, line, url, asking);
    this.events.emit('call', { line: `${line} ${url}`, answer });
    return answer;
  }

  /** Changes the state in one step. Returns what the step returns. */
  async change<Value>(step: (state: State, rows: Rows) => Value | Promise<Value>): Promise<Value> {
    let before = '';
    const { value, state } = await this.#store.run(async (rows) => {
      const state = ((await rows.get('state', this.appId)) as State | undefined) ?? newState();
      before = JSON.stringify(state.people);
      const value = await step(state, rows);
      await rows.put('state', this.appId, state);
      return { value, state };
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
    this.#platform.tell(this.#name, message);
  }

  #heard(message: unknown): void {
    if (message === 'changed') {
      const reading = this.#store.run((rows) => rows.get('state', this.appId));
      reading.then(
        (state) => this.#noteState((state as State | undefined) ?? newState()),
        () => undefined, // Erased by the other tab meanwhile.
      );
    } else if (typeof message === 'object' && message !== null && 'sent' in message) {
      for (const key of this.#unsent.keys())
        if (key <= (message.sent as number)) this.#unsent.delete(key);
    } else this.events.emit('told', message);
  }

  /** Stores an event. Resolves to its id once it is safe from the end of the page. */
  async track(name: string, props?: Props, references?: References): Promise<string> {
    const at = this.now();
    const event = { id: this.#platform.uuid(), name, at, props, references };
    const { row, dropped } = await this.change((state, rows) => enqueue(rows, state, event));
    this.#unsent.set(row[0], row);
    for (const one of dropped) this.#drop('the queue is full', one.name, one.id);
    this.wakeIn(this.state.events >= collectEvents ? 0 : collectMs);
    return event.id;
  }

  #drop(why: string, name: string, id: string): void {
    const message = `event ${name} (${id}) was dropped: ${why}`;
    this.events.emit('error', { code: 'event_dropped', message });
  }

  /** Makes the next round begin in so many milliseconds, unless it begins sooner. */
  wakeIn(ms: number): void {
    const dueMs = this.#platform.monotonic() + ms;
    // While the server is away, only its own time and a new network begin a round.
    if (this.#isOver || dueMs >= this.#dueMs || (this.#isAway && this.#dueMs < Infinity)) return;
    this.#set(dueMs, ms);
  }

  #set(dueMs: number, ms: number): void {
    this.#cancelTimer();
    this.#dueMs = dueMs;
    this.#cancelTimer = this.#platform.after(ms, () => void this.round());
  }

  #wake(): void {
    this.#failures = 0;
    this.#isAway = false;
    this.#dueMs = Number.POSITIVE_INFINITY;
    this.wakeIn(0);
  }

  /** Tells the server all that there is to tell, as far as it answers. */
  round(): Promise<void> {
    if (this.#running !== undefined) {
      return this.#running.then(() => (this.#dueMs === Infinity ? undefined : this.round()));
    }
    this.#cancelTimer();
    this.#dueMs = Number.POSITIVE_INFINITY;
    this.#isAway = false;
    this.#running = this.#platform
      .locked(this.#name, () => this.#work())
      .then(
        (waitMs) => {
          if (waitMs === undefined) this.#failures = 0;
          else this.#wait(waitMs);
        },
        (error: unknown) => {
          this.#failures++;
          this.#isAway = true;
          this.events.emit('error', { code: 'internal', message: (error as Error).message });
          this.#wait(this.#backOff());
        },
      )
      .finally(() => {
        this.#running = undefined;
        this.events.emit('round', undefined);
      });
    return this.#running;
  }

  #wait(ms: number): void {
    if (!this.#isOver) this.#set(this.#platform.monotonic() + ms, ms);
  }

  /** Resolves to how long to wait; undefined when nothing is left. */
  async #work(): Promise<number | undefined> {
    this.isNeeded ||= this.state.people.some(({ id }) => id !== undefined);
    for (;;) {
      if (this.#isOver) return undefined;
      const outcome =
        (await this.#readConfig()) ??
        (await this.#logIn()) ??
        (await this.#sendTags()) ??
        (await this.#sendEvents()) ??
        (await this.#endSessions()) ??
        (await this.#unregister()) ??
        (await this.#register());
      if (outcome === undefined) return undefined;
      if (outcome !== 'next') return outcome.waitMs;
    }
  }

  /** After an answer that is no answer: what it asks for, or longer each time. */
  #later({ status, problem, waitMs }: Answer): Outcome {
    this.#isAway = true;
    if (status !== 429 && status !== 503) this.#failures++;
    if (problem !== undefined && this.#failures <= 1) this.events.emit('error', problem);
    return { waitMs: waitMs ?? this.#backOff() };
  }

  #backOff(): number {
    const most = Math.min(backOffMs.most, backOffMs.first * 2 ** Math.min(this.#failures, 20));
    return (most / 2) * (1 + this.#platform.random());
  }

  async #readConfig(): Promise<Outcome | undefined> {
    if (this.config !== undefined) return undefined;
    const answer = await this.call('GET', `/v1/sdk/app/${encodeURIComponent(this.appId)}`);
    if (answer.status !== 200) return this.#later(answer);
    this.config = answer.body as AppConfig;
    const { appId, baseUrl } = this;
    const { ingestUrl, vapidPublicKey } = this.config;
    const note: WorkerNote = { appId, baseUrl, ingestUrl, vapidPublicKey };
    await this.#store.run((rows) => rows.put('state', workerKey, note));
    return 'next';
  }

  async #logIn(): Promise<Outcome | undefined> {
    const { appId, isNeeded } = this;
    const next = await this.change(async (state, rows) => {
      const waiting = (await rows.first('queue', batchMax)) as Row[];
      const withEvents = new Set(waiting.map(([, { n }]) => n));
      for (const { n, tags } of state.people) if (tags !== undefined) withEvents.add(n);
      return nextLogin(state, { appId, isNeeded, withEvents }, this.#platform);
    });
    if (next === undefined) return undefined;
    const { n, attempt } = next;
    const { key, body } = attempt;
    const answer = await this.call('POST', '/v1/sdk/subscriber', { body, key });
    const meaning = await this.change((state) =>
      loginAnswered(state, n, { attempt, answer }, this.#platform.now()),
    );
    if (meaning === 'waits') return this.#later(answer);
    if ((meaning === 'refused' || answer.status === 401) && answer.problem)
      this.events.emit('error', answer.problem);
    return 'next';
  }

  async #sendTags(): Promise<Outcome | undefined> {
    const person = this.state.people.find(({ tags, token }) => tags && token !== undefined);
    if (person === undefined) return undefined;
    const restMs = this.#taggedMs + tagsEveryMs - this.#platform.monotonic();
    if (restMs > 0) {
      const waitsFor = await this.#sendEvents();
      return waitsFor ?? { waitMs: restMs };
    }
    this.#taggedMs = this.#platform.monotonic();
    const { n, token: clientToken, tags: sent = {} } = person;
    const body = { appId: this.appId, clientToken, tags: sent };
    const answer = await this.call('POST', '/v1/sdk/tags', { body });
    const { status, problem } = answer;
    if (status === 401) return this.#tokenLost(n, clientToken);
    if (status !== 204 && status !== 400 && status !== 403) return this.#later(answer);
    if (problem) this.events.emit('error', problem);
    await this.change((state) => {
      const left = Object.entries(state.people.find((one) => one.n === n)?.tags ?? {}).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(sent[name]),
      );
      const found = state.people.find((one) => one.n === n);
      if (found === undefined) return;
      if (left.length > 0) found.tags = Object.fromEntries(left);
      else delete found.tags;
    });
    return 'next';
  }

  async #tokenLost(n: number, token: string | undefined): Promise<Outcome> {
    await this.change((state) => {
      const person = state.people.find((one) => one.n === n);
      if (person !== undefined && person.token === token) loseToken(state, person);
    });
    return 'next';
  }

  async #sendEvents(): Promise<Outcome | undefined> {
    const now = this.now();
    const { batch, person } = await this.change(async (state, rows) => {
      const { rows: batch, expired } = await takeBatch(rows, this.#batchMax, now);
      await dequeue(rows, state, expired);
      for (const [, { name, id }] of expired) this.#drop('sent a day ago, no answer', name, id);
      const n = batch[0]?.[1].n;
      if (n === undefined && expired.length === 0) state.events = state.bytes = 0;
      return { batch, person: state.people.find((one) => one.n === n) };
    });
    if (batch.length === 0) return undefined;
    const nameless = batch.filter(([, event]) => (event.subscriberId ?? person?.id) === undefined);
    // A person who came after this round's login: the next turn of the loop logs them in.
    if (nameless.length > 0 && person !== undefined) return 'next';
    if (nameless.length > 0) return this.#forget(nameless);
    const answer = await this.#post(batch, person, now);
    return this.#eventsAnswered(batch, person, answer);
  }

  /** Drops events whose person is not known on this device any more. */
  async #forget(gone: readonly Row[]): Promise<Outcome> {
    await this.change((state, rows) => dequeue(rows, state, gone));
    for (const [, { name, id }] of gone) this.#drop('its person was forgotten', name, id);
    return 'next';
  }

  #post(rows: readonly Row[], person: Person | undefined, now: Instant): Promise<Answer> {
    return this.#ask('POST', `${this.config?.ingestUrl ?? this.baseUrl}/e`, {
      body: ingestBody(this.appId, rows, person?.id, now),
      token: person?.token,
    });
  }

  async #eventsAnswered(
    batch: readonly Row[],
    person: Person | undefined,
    answer: Answer,
  ): Promise<Outcome> {
    const { status, problem } = answer;
    if (status === 401 && person?.token !== undefined)
      return this.#tokenLost(person.n, person.token);
    if ((status === 400 || status === 413) && batch.length > 1) {
      this.#batchMax = Math.ceil(batch.length / 2);
      return 'next';
    }
    if (status !== 202 && status !== 400 && status !== 413) return this.#later(answer);
    this.#failures = 0;
    const errors = (answer.body as { errors?: { index: number; error: string }[] }).errors ?? [];
    const kept: Row[] = [];
    for (const { index, error } of errors) {
      const [key, event] = batch[index] as Row;
      // The clock of this device is wrong: the event counts when it arrives.
      if (error.startsWith('at:') && !event.isTimeless)
        kept.push([key, { ...event, isTimeless: true }]);
      else this.#drop(error, event.name, event.id);
    }
    if (problem) this.#drop(problem.message, batch[0]?.[1].name ?? '', batch[0]?.[1].id ?? '');
    await this.change(async (state, rows) => {
      const keys = new Set(kept.map(([key]) => key));
      await dequeue(
        rows,
        state,
        batch.filter(([key]) => !keys.has(key)),
      );
      for (const [key, event] of kept) await rows.put('queue', key, event);
    });
    for (const [key] of batch) this.#unsent.delete(key);
    this.tell({ sent: batch[batch.length - 1]?.[0] });
    return 'next';
  }

  /** Of those who logged out and whose events are sent. */
  async #endSessions(): Promise<Outcome | undefined> {
    const person = this.state.people.find(({ isGone }) => isGone);
    if (person === undefined) return undefined;
    const { n, token: clientToken, device } = person;
    if (clientToken !== undefined) {
      const body = { appId: this.appId, clientToken, deviceId: device?.id };
      const answer = await this.call('POST', '/v1/sdk/logout', { body });
      const { status } = answer;
      if (status === 0 || status === 429 || status >= 500) return this.#later(answer);
      if (status !== 204 && device?.id !== undefined) {
        // The device is somebody else's by now: only the session is to end.
        await this.#setDevice(n, undefined);
        return 'next';
      }
    }
    await this.change((state) => {
      state.people = state.people.filter((one) => one.n !== n);
    });
    return 'next';
  }

  async #unregister(): Promise<Outcome | undefined> {
    const person = this.state.people.find(({ former, token }) => former && token !== undefined);
    const deviceId = person?.former?.[0];
    if (person === undefined || deviceId === undefined) return undefined;
    const { n, token: clientToken } = person;
    const body = { appId: this.appId, clientToken, deviceId };
    const answer = await this.call('POST', '/v1/sdk/unregister', { body });
    if (answer.status === 401) return this.#tokenLost(n, clientToken);
    if (answer.status === 0 || answer.status === 429 || answer.status >= 500)
      return this.#later(answer);
    await this.change((state) => {
      const found = state.people.find((one) => one.n === n);
      const left = found?.former?.filter((id) => id !== deviceId) ?? [];
      if (found !== undefined && left.length > 0) found.former = left;
      else if (found !== undefined) delete found.former;
    });
    return 'next';
  }

  async #register(): Promise<Outcome | undefined> {
    const { n, token: clientToken, device } = currentOf(this.state);
    if (device === undefined || device.id !== undefined || clientToken === undefined)
      return undefined;
    const { channel, endpoint } = device;
    const body = { appId: this.appId, clientToken, channel, endpoint };
    const answer = await this.call('POST', '/v1/sdk/register', { body });
    const { status, problem } = answer;
    if (status === 401) return this.#tokenLost(n, clientToken);
    if (status !== 200 && status !== 400 && status !== 403) return this.#later(answer);
    if (problem) this.events.emit('error', problem);
    const { deviceId } = (answer.body ?? {}) as { deviceId?: string };
    await this.#setDevice(n, deviceId === undefined ? undefined : { ...device, id: deviceId });
    return 'next';
  }

  /** Stores the device of a person, unless another was chosen meanwhile. */
  #setDevice(n: number, device: Device | undefined): Promise<void> {
    return this.change((state) => {
      const person = state.people.find((one) => one.n === n);
      if (person === undefined) return;
      if (device === undefined) delete person.device;
      else if (JSON.stringify(person.device?.endpoint) === JSON.stringify(device.endpoint))
        noteDevice(state, person, device);
    });
  }

  /** Stores that the page's person logs out. */
  async leave(): Promise<boolean> {
    return this.change(leavePerson);
  }

  /** The page may end now: sends what it can without waiting, and what is sent stays stored. */
  #leave(): void {
    if (this.#platform.isOffline) return;
    const now = this.now();
    const { people } = this.state;
    const { n } = currentOf(this.state);
    const mine = [...this.#unsent.values()].filter(([, event]) => event.n === n);
    const person = people.find((one) => one.n === n);
    const rows = leavingRows(mine).map(
      ([key, event]) => [key, { ...event, tried: event.tried ?? now }] as const,
    );
    if (rows.length === 0 || person?.id === undefined) return;
    this.#store.putNow(rows);
    for (const row of rows) this.#unsent.set(row[0], row);
    void this.#ask('POST', `${this.config?.ingestUrl ?? this.baseUrl}/e`, {
      body: ingestBody(this.appId, rows, person.id, now),
      token: person.token,
      keepalive: true,
    });
  }
}
