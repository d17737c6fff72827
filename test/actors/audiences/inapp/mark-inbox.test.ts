// What people read and archived in their inbox, against a plain model of sets per person: any order
// of calls, logins that merge people, erasures, crashes, and restores of an older backup.

import fc from 'fast-check';
import t from 'tap';
import type { InboxMarks } from '../../../../actors/audiences/inapp/protocol.ts';
import type { SnapshotPart } from '../../../../engine/actor/machine.ts';
import type { Answer } from '../../../../engine/actor/message.ts';
import { MemoryStore } from '../../../../storage/memory.ts';
import { partitionWithApp, TestPartition } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';

const tokenKey = new Uint8Array(32).fill(3);
const marks = { read: [], archive: [], isProven: false } as const;

async function world() {
  const { one, app } = await partitionWithApp();
  await one.value(app, 'settings.patch', { patch: { identityVerification: 'open' } });
  const show = async (content: object, input = {}) => {
    const { id: messageId } = await one.value(app, 'message.create', { message: { content } });
    const made = await one.value(app, 'inapp.create', { input: { messageId, ...input } });
    await one.advance(1); // an order of creation
    return made.id;
  };
  const ada = { externalUserId: 'ada' };
  await one.value(app, 'subscriber.upsert', { subscriber: ada });
  const mark = (some: Partial<InboxMarks>) =>
    one.value(app, 'inapp.mark', { ref: ada, ...marks, ...some });
  const feed = (archived = false) =>
    one.value(app, 'inapp.feed', { ref: ada, limit: 50, archived });
  const events = () => one.value(app, 'events.newest', {});
  return { one, app, show, mark, feed, events };
}

t.test('what is archived leaves the inbox and what is shown, and is in the archive', async (t) => {
  const { one, app, show, mark, feed } = await world();
  const [old, middle, newest] = [
    await show({ body: 'old' }, { show: 'both' }),
    await show({ body: 'middle' }, { show: 'inbox' }),
    await show({ body: 'newest' }, { show: 'both' }),
  ];
  t.same(await mark({ archive: [old], read: [middle] }), { unread: 1, unknown: [] });
  const { inbox, messages } = await feed();
  t.match(inbox, {
    items: [
      { id: newest, read: false, archived: false },
      { id: middle, read: true, archived: false },
    ],
    unread: 1,
    nextCursor: null,
  });
  t.same(
    messages.map(({ id }) => id),
    [newest],
  );
  t.match((await feed(true)).inbox, {
    items: [{ id: old, read: false, archived: true }],
    unread: 1,
  });
  const { counts } = await one.value(app, 'inapp.read', { id: old });
  t.match(counts, { read: 0, archived: 1 });
});

t.test('all that the person would be shown is read, and nothing else', async (t) => {
  const { one, app, show, mark, feed } = await world();
  const shown = await show({ body: 'shown' }, { show: 'inbox' });
  const archived = await show({ body: 'archived' }, { show: 'inbox' });
  await show({ body: '{{ coupon }}' }, { show: 'inbox' });
  await show({ body: 'for pros' }, { show: 'inbox', filter: { tag: 'plan', eq: 'pro' } });
  await show({ body: 'later' }, { show: 'inbox', startMs: one.clock.nowMs + 1_000 });
  t.same(await mark({ archive: [archived], read: 'all' }), { unread: 0, unknown: [] });
  t.equal((await one.value(app, 'inapp.read', { id: shown })).counts.read, 1);
  t.equal((await one.value(app, 'inapp.read', { id: archived })).counts.read, 0);
  await one.value(app, 'subscriber.upsert', {
    subscriber: { externalUserId: 'ada', tags: { coupon: 'A1', plan: 'pro' } },
  });
  await one.advance(1_000);
  t.equal((await feed()).inbox.unread, 3, 'what they could not be shown is new');
});

t.test('a call that is made again stores nothing, and unknown ids harm no others', async (t) => {
  const { show, mark, events } = await world();
  const kept = await show({ body: 'kept' }, { show: 'inbox' });
  const popup = await show({ body: 'popup' }, { show: 'popup' });
  const before = await events();
  const call = { read: [kept, 'iam_none', popup, kept], archive: [kept, 'iam_none'] };
  const reply = { unread: 0, unknown: ['iam_none', popup] };
  t.same(await mark(call), reply);
  t.equal(await events(), before + 2, 'an event for each');
  t.same(await mark(call), reply);
  t.equal(await events(), before + 2);
});

t.test('a filter that counts is refused until what it counts was read', async (t) => {
  const { one, app, show, mark } = await world();
  const filter = { event: 'order', withinDays: 30, atLeast: 2 };
  await show({ body: 'loyal' }, { show: 'inbox', filter });
  const refusal = await one.ask(app, 'inapp.mark', {
    ref: { externalUserId: 'ada' },
    ...marks,
    read: 'all',
  });
  t.match(refusal, { fault: { code: 'not_started' } });
  await t.rejects(mark({ read: 'all' }));
});

t.test('a checkpoint of an earlier build has nobody who archived', async (t) => {
  const { one, show, mark, app } = await world();
  const id = await show({ body: 'kept' }, { show: 'inbox' });
  await mark({ read: [id] });
  const memory = structuredClone(one.partition.snapshot()) as SnapshotPart[];
  let removed = 0;
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
    if ('record' in value && 'archived' in value) {
      delete (value as { archived?: unknown }).archived;
      removed++;
    }
    const inner = value instanceof Map ? [...value.values()] : Object.values(value);
    for (const each of inner) walk(each);
  };
  walk(memory);
  t.equal(removed, 1);
  const again = new TestPartition({
    store: one.store.crash(),
    clock: one.clock,
    checkpoint: { seq: one.store.durableSeq, memory },
  });
  t.match((await again.value(app, 'inapp.read', { id })).counts, { read: 1, archived: 0 });
});

/** What one person did, by ids. */
interface Done {
  readonly read: Set<string>;
  readonly archived: Set<string>;
}

interface Shown {
  readonly id: string;
  readonly isInbox: boolean;
  readonly isShowable: boolean;
  readonly startMs: number;
}

const place = fc.nat({ max: 6 });
const user = fc.constantFrom('ada', 'ben');
const act = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('offer' as const), kind: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), at: place }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('come' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('log in' as const), who: place, as: user }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), user }) },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('mark' as const),
      who: place,
      read: fc.oneof(fc.constant('all' as const), fc.array(place, { maxLength: 4 })),
      archive: fc.array(place, { maxLength: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('event' as const), who: place, at: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), isWhole: fc.boolean() }) },
);
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;

/** One app under test and the model beside it. */
class History {
  #one: TestPartition;
  readonly #app: number;
  #checkpoint: { readonly seq: number; readonly memory: readonly SnapshotPart[] } | undefined;
  readonly #shown: Shown[] = [];
  readonly #deleted: string[] = [];
  /** Whose each client token is. */
  readonly #clients: { token: string; done: Done }[] = [];
  readonly #known = new Map<string, Done>();
  marked = 0;
  merged = 0;

  constructor({ one, app }: { readonly one: TestPartition; readonly app: number }) {
    this.#one = one;
    this.#app = app;
  }

  #ask = (kind: never, body: object, bytes?: Buffer): Promise<Answer> =>
    this.#one.ask(this.#app, kind, body as never, bytes === undefined ? {} : { bytes });

  async #value<Value>(kind: string, body: object): Promise<Value> {
    return this.#one.value(this.#app, kind as never, body as never) as Promise<Value>;
  }

  async do(one: Act): Promise<void> {
    switch (one.do) {
      case 'offer':
        return this.#offer(one.kind);
      case 'delete':
        return this.#delete(one.at);
      case 'come': {
        const { clientToken: token } = await this.#logIn({});
        this.#clients.push({ token, done: { read: new Set(), archived: new Set() } });
        return;
      }
      case 'log in':
        return this.#become(one.who, one.as);
      case 'erase':
        return this.#erase(one.user);
      case 'mark':
        return this.#mark(one);
      case 'event':
        return this.#event(one.who, one.at);
      case 'pass':
        return this.#one.advance(5_000);
      case 'crash':
        return this.#crash(one.isWhole);
    }
  }

  #logIn(login: object): Promise<{ readonly clientToken: string }> {
    return this.#value('sdk.login', { login: { tokenKey, ...login } });
  }

  async #offer(kind: number): Promise<void> {
    const content = { body: kind === 0 ? '{{ coupon }}' : 'x' };
    const { id: messageId } = await this.#value<{ id: string }>('message.create', {
      message: { content },
    });
    const startMs = kind === 1 ? this.#one.clock.nowMs + 7_000 : this.#one.clock.nowMs;
    const show = kind === 2 ? 'popup' : kind === 3 ? 'both' : 'inbox';
    const input = { messageId, show, startMs };
    const { id } = await this.#value<{ id: string }>('inapp.create', { input });
    this.#shown.push({ id, isInbox: kind !== 2, isShowable: kind !== 0, startMs });
    await this.#one.advance(1);
  }

  async #delete(at: number): Promise<void> {
    const [gone] = this.#shown.splice(at, 1);
    if (gone === undefined) return;
    this.#deleted.push(gone.id);
    await this.#value('inapp.delete', { id: gone.id });
    for (const { read, archived } of this.#everybody()) {
      read.delete(gone.id);
      archived.delete(gone.id);
    }
  }

  #everybody(): ReadonlySet<Done> {
    return new Set([...this.#clients.map(({ done }) => done), ...this.#known.values()]);
  }

  async #become(who: number, as: string): Promise<void> {
    const client = this.#clientAt(who);
    // Somebody known stays who they are.
    if (client === undefined || [...this.#known.values()].includes(client.done)) return;
    const login = { clientToken: client.token, externalUserId: as };
    const { clientToken } = await this.#logIn(login);
    client.token = clientToken;
    const known = this.#known.get(as);
    if (known === undefined) {
      this.#known.set(as, client.done);
      return;
    }
    this.merged++;
    for (const id of client.done.read) known.read.add(id);
    for (const id of client.done.archived) known.archived.add(id);
    client.done = known;
  }

  async #erase(externalUserId: string): Promise<void> {
    const done = this.#known.get(externalUserId);
    if (done === undefined) return;
    await this.#value('subscriber.erase', { ref: { externalUserId } });
    this.#known.delete(externalUserId);
    const left = this.#clients.filter((client) => client.done !== done);
    this.#clients.splice(0, this.#clients.length, ...left);
  }

  /** One of those that there are. */
  #clientAt(who: number) {
    return this.#clients[who % Math.max(1, this.#clients.length)];
  }

  #idsAt(places: readonly number[]): string[] {
    return places.map((at) => this.#shown[at]?.id ?? this.#deleted[at] ?? `iam_none${at}`);
  }

  async #personOf(token: string): Promise<{ readonly id: string }> {
    const { subscriberId } = await this.#value<{ subscriberId: string }>('sdk.person', {
      clientToken: token,
    });
    return { id: subscriberId };
  }

  #open({ read, archived }: Done): readonly Shown[] {
    const { nowMs } = this.#one.clock;
    return this.#shown.filter(
      ({ id, isInbox, isShowable, startMs }) =>
        isInbox && isShowable && startMs <= nowMs && !read.has(id) && !archived.has(id),
    );
  }

  async #mark({ who, read, archive }: Extract<Act, { do: 'mark' }>): Promise<void> {
    const client = this.#clientAt(who);
    if (client === undefined) return;
    const { token, done } = client;
    const wanted = {
      read: read === 'all' ? read : this.#idsAt(read),
      archive: this.#idsAt(archive),
    };
    const isKept = (id: string) => this.#shown.some((one) => one.id === id && one.isInbox);
    for (const id of wanted.archive) if (isKept(id)) done.archived.add(id);
    const reading = wanted.read === 'all' ? this.#open(done).map(({ id }) => id) : wanted.read;
    for (const id of reading) if (isKept(id)) done.read.add(id);
    const named = [...wanted.archive, ...(wanted.read === 'all' ? [] : wanted.read)];
    const expected = {
      unread: this.#open(done).length,
      unknown: [...new Set(named.filter((id) => !isKept(id)))],
    };
    const ref = await this.#personOf(token);
    const reply = await this.#value('inapp.mark', { ref, ...wanted, isProven: false });
    same(reply, expected, 'the answer');
    this.marked++;
  }

  /** As an app without this route reports it. */
  async #event(who: number, at: number): Promise<void> {
    const client = this.#clientAt(who);
    const [messageId = ''] = this.#idsAt([at]);
    if (client === undefined) return;
    const { id: subscriberId } = await this.#personOf(client.token);
    const events = [{ name: 'inbox_read', subscriberId, messageId }];
    const bytes = Buffer.from(JSON.stringify({ events }));
    const { ok } = await this.#ask('events.ingest' as never, { keyless: false }, bytes);
    if (!ok) throw new Error('an event was refused');
    if (this.#shown.some(({ id }) => id === messageId)) client.done.read.add(messageId);
  }

  /** The process is killed; `isWhole` starts from the log alone. */
  async #crash(isWhole: boolean): Promise<void> {
    const { store, clock } = this.#one;
    const kept = isWhole ? {} : this.#checkpoint && { checkpoint: this.#checkpoint };
    this.#one = new TestPartition({ store: store.crash(), clock, ...kept });
    await this.#one.settle();
    const memory = structuredClone(this.#one.partition.snapshot()) as SnapshotPart[];
    this.#checkpoint = { seq: this.#one.store.durableSeq, memory };
  }

  /** Compares all that people are shown, and all counts. */
  async check(): Promise<void> {
    const { nowMs } = this.#one.clock;
    for (const { token, done } of this.#clients) {
      const ref = await this.#personOf(token);
      for (const archived of [false, true]) {
        const items: unknown[] = [];
        let cursor: string | undefined;
        do {
          const page = { ref, limit: 2, archived, ...(cursor === undefined ? {} : { cursor }) };
          const { inbox } = await this.#value<Feedlike>('inapp.feed', page);
          items.push(...inbox.items.map(({ id, read, archived }) => ({ id, read, archived })));
          same(inbox.unread, this.#open(done).length, 'unread');
          cursor = inbox.nextCursor ?? undefined;
        } while (cursor !== undefined);
        const expected = this.#shown
          .filter(({ isInbox, isShowable, startMs }) => isInbox && isShowable && startMs <= nowMs)
          .filter(({ id }) => done.archived.has(id) === archived)
          .sort((one, other) => other.startMs - one.startMs || (one.id < other.id ? 1 : -1))
          .map(({ id }) => ({ id, read: done.read.has(id), archived }));
        same(items, expected, archived ? 'the archive' : 'the inbox');
      }
    }
    for (const { id } of this.#shown) {
      const { counts } = await this.#value<{ counts: object }>('inapp.read', { id });
      const count = (of: 'read' | 'archived') =>
        [...this.#everybody()].filter((done) => done[of].has(id)).length;
      const { read, archived } = counts as Record<string, number>;
      same({ read, archived }, { read: count('read'), archived: count('archived') }, 'counts');
    }
  }
}

interface Feedlike {
  readonly inbox: {
    readonly items: readonly { id: string; read: boolean; archived: boolean }[];
    readonly unread: number;
    readonly nextCursor: string | null;
  };
}

function same(found: unknown, expected: unknown, what: string): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Error(`${what}: ${one}, expected ${other}`);
}

t.test('read and archived are what the person did, whatever happens in between', async (t) => {
  let marked = 0;
  let merged = 0;
  const property = fc.asyncProperty(
    fc.array(act, { minLength: 20, maxLength: 80 }),
    async (acts) => {
      const { one, app } = await partitionWithApp({ store: new MemoryStore() });
      await one.value(app, 'settings.patch', { patch: { identityVerification: 'open' } });
      const history = new History({ one, app });
      for (const kind of [3, 4]) await history.do({ do: 'offer', kind });
      await history.do({ do: 'come' });
      for (const each of acts) await history.do(each);
      await history.check();
      marked += history.marked;
      merged += history.merged;
    },
  );
  await fc.assert(property, { seed: 7, numRuns: tries(240), endOnFailure: false });
  t.ok(marked > 100 && merged > 5, `${marked} calls, ${merged} merges`);
});
