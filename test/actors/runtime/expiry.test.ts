// Anonymous people whom nobody vouched for go after a time without activity, and nobody else does.

import fc from 'fast-check';
import t, { type Test } from 'tap';
import { type AnyArea, areas } from '../../../actors/runtime/areas.ts';
import type { ExpiryEntry } from '../../../actors/runtime/expiry-protocol.ts';
import { decodeBlock } from '../../../engine/actor/block.ts';
import { dayMs, hourMs, minuteMs } from '../../../engine/base/brand.ts';
import { unpackOrdinals } from '../../../engine/base/ordinal-list.ts';
import { Documents } from '../../../storage/documents.ts';
import { MemoryStore } from '../../../storage/memory.ts';
import { deviceSends } from '../../../storage/tables/device-send.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { indexedDevices } from '../../support/indexed-devices.ts';
import { anApp, TestPartition, testClock } from '../../support/partition.ts';
import { tries } from '../../support/tries.ts';

const tokenKey = new Uint8Array(32).fill(9);

/** One app's life over crashes and restarts. */
class Shop {
  readonly clock = testClock(Date.UTC(2026, 0, 15, 12));
  store = new MemoryStore();
  one = new TestPartition({ store: this.store, clock: this.clock });
  app = 0;
  #made = 0;

  static async open(anonymousExpiryDays?: number | null): Promise<Shop> {
    const shop = new Shop();
    shop.app = (await anApp(shop.one)).app;
    const days = anonymousExpiryDays === undefined ? {} : { anonymousExpiryDays };
    const patch = {
      identityVerification: 'open' as const,
      keylessPeoplePerMinute: 100_000,
      ...days,
    };
    await shop.one.value(shop.app, 'settings.patch', { patch });
    return shop;
  }

  get memory() {
    const app = this.one.product.state.apps.get(this.app);
    if (app === undefined) throw new Error('the app is gone');
    return app;
  }

  logIn(login: object = {}) {
    return this.one.value(this.app, 'sdk.login', { login: { ...login, tokenKey } });
  }

  register(clientToken: string) {
    const device = { channel: 'fcm' as const, endpoint: `phone-${this.#made++}` };
    return this.one.value(this.app, 'sdk.register', { clientToken, device });
  }

  track(name: string, subscriberId: string, keyless: boolean, atMs = this.clock.nowMs) {
    const at = new Date(atMs).toISOString();
    const body = { appId: 'app', events: [{ name, subscriberId, at }] };
    const bytes = Buffer.from(JSON.stringify(body));
    return this.one.value(this.app, 'events.ingest', { keyless }, { bytes });
  }

  /** A push message whose provider takes it. */
  async deliver(subscriberId: string): Promise<void> {
    await this.send(subscriberId);
    for (const { channel, attempts } of this.one.takeGrants()) {
      const reports = attempts.map(({ target, attempt: { sendId, attempt } }) => ({
        ...{ sendId, target, attempt },
        outcome: { outcome: 'accepted' as const, providerMessageId: 'm-1' },
      }));
      await this.one.value(this.app, 'dispatch.report', { channel, reports });
    }
  }

  send(subscriberId: string) {
    const request = { to: { id: subscriberId }, title: 'Hi', body: 'There' };
    return this.one.value(this.app, 'transactional.accept', { request, claim: null });
  }

  async exists(subscriberId: string): Promise<boolean> {
    return (await this.one.ask(this.app, 'subscriber.read', { ref: { id: subscriberId } })).ok;
  }

  /** Time that passes hour by hour, so that every pass of it is made. */
  async pass(ms: number): Promise<void> {
    await this.one.advance(ms);
    for (let step = 0; step < 10; step++) await this.one.advance(50);
  }

  /** What was not durable is lost, and memory is made of what was. */
  crash(way: 'replay' | 'checkpoint' = 'replay', isConfirmed = true): void {
    const seq = this.store.durableSeq;
    const memory = way === 'replay' ? undefined : [...this.one.partition.parts()];
    this.store = this.store.crash();
    const { store, clock } = this;
    const checkpoint = memory && { checkpoint: { seq, memory } };
    this.one = new TestPartition({ store, clock, ...checkpoint });
    if (isConfirmed) this.one.partition.confirmClock('kernel');
  }

  /** Memory as a checkpoint has it. */
  parts() {
    return structuredClone([...this.one.product.parts()]);
  }

  /** Entries of people who expired, and who they are. */
  expired(): Uint32Array[] {
    const found: Uint32Array[] = [];
    for (const { block } of this.store.blocks(this.store.oldestSeq, 100_000))
      for (const entry of decodeBlock(block).entries)
        if (entry.kind === 'people.expired')
          found.push(unpackOrdinals((entry as ExpiryEntry).people));
    return found;
  }

  /** Whatever is stored belongs to somebody who exists, and memory counts as many. */
  checkRows(t: Test): void {
    const documents = new Documents(this.store);
    const people = documents.range(subscribers, this.app, { limit: 10_000 });
    const devices = people.flatMap(({ value }) => value.devices.map(({ id }) => id));
    t.equal(this.memory.people.count, people.length, 'as many people as records');
    t.equal(this.memory.traits.alive.count(), people.length, 'and as many in the columns');
    t.equal(indexedDevices(this.one, this.app).length, devices.length, 'no endpoint of nobody');
    const sends = documents.range(deviceSends, this.app, { limit: 10_000 });
    t.ok(
      sends.every(({ key }) => devices.includes(key[0] as string)),
      'no sends of no device',
    );
  }
}

t.test('who came once and is known to nobody goes after 30 days', async (t) => {
  const shop = await Shop.open();
  const { subscriberId, clientToken } = await shop.logIn();
  await shop.register(clientToken);
  await shop.one.value(shop.app, 'sdk.tag', { clientToken, tags: { theme: 'dark' } });
  await shop.pass(30 * dayMs - hourMs);
  t.ok(await shop.exists(subscriberId), 'an hour before');
  await shop.pass(3 * hourMs);
  t.notOk(await shop.exists(subscriberId));
  shop.checkRows(t);
  t.equal(shop.memory.traits.tags.size, 0, 'nobody has the tag any more');
  const again = await shop.one.ask(shop.app, 'sdk.login', { login: { clientToken, tokenKey } });
  t.match(again, { ok: false, fault: { code: 'invalid_client_token' } });
  const { items } = await shop.one.value(shop.app, 'subscriber.list', { limit: 10 });
  t.same(items, []);
  t.equal(shop.one.product.state.expiredPeople, 1);
});

t.test('events of who expired stay, of nobody', async (t) => {
  const shop = await Shop.open(1);
  const { subscriberId } = await shop.logIn();
  await shop.track('browsed', subscriberId, true);
  const { nextEvent } = shop.memory;
  await shop.pass(2 * dayMs);
  t.notOk(await shop.exists(subscriberId));
  t.equal(shop.memory.nextEvent, nextEvent);
  const located = await shop.one.value(shop.app, 'events.locate', {});
  t.same(located.erased, [], 'history has nothing to rewrite');
  t.match(await shop.track('browsed', subscriberId, true), { accepted: 0, rejected: 1 });
});

t.test('each sign of life, and everyone who vouches, keeps a person', async (t) => {
  const shop = await Shop.open(2);
  const keeps: Readonly<Record<string, (id: string, token: string) => Promise<unknown>>> = {
    event: (id) => shop.track('browsed', id, true),
    login: (_id, clientToken) => shop.logIn({ clientToken }),
    tag: (_id, clientToken) =>
      shop.one.value(shop.app, 'sdk.tag', { clientToken, tags: { theme: 'dark' } }),
    device: (_id, clientToken) => shop.register(clientToken),
  };
  const vouches: typeof keeps = {
    'an event with a key': (id) => shop.track('bought', id, false),
    'a change with a key': (id) =>
      shop.one.value(shop.app, 'subscriber.patch', { ref: { id }, patch: { tags: { vip: true } } }),
    'a delivered message': async (id, token) => {
      await shop.register(token);
      await shop.deliver(id);
    },
    'an external id': (id, clientToken) => shop.logIn({ clientToken, externalUserId: id }),
  };
  const people: Record<string, { readonly id: string; readonly token: string }> = {};
  for (const name of [...Object.keys(keeps), ...Object.keys(vouches), 'nothing']) {
    const { subscriberId: id, clientToken: token } = await shop.logIn();
    people[name] = { id, token };
  }
  const idOf = (name: string) => people[name]?.id ?? '';
  await shop.pass(dayMs);
  for (const [name, keep] of Object.entries({ ...keeps, ...vouches }))
    await keep(idOf(name), people[name]?.token ?? '');
  await shop.pass(dayMs + 2 * hourMs);
  t.notOk(await shop.exists(idOf('nothing')));
  for (const name of Object.keys(keeps)) t.ok(await shop.exists(idOf(name)), name);
  await shop.pass(dayMs);
  for (const name of Object.keys(keeps)) t.notOk(await shop.exists(idOf(name)), `${name}, later`);
  await shop.pass(300 * dayMs);
  for (const name of Object.keys(vouches)) t.ok(await shop.exists(idOf(name)), name);
  shop.checkRows(t);
});

t.test('an app that wants nobody to expire keeps all, until it changes its mind', async (t) => {
  const shop = await Shop.open(null);
  const { subscriberId } = await shop.logIn();
  await shop.pass(400 * dayMs);
  t.ok(await shop.exists(subscriberId));
  await shop.one.value(shop.app, 'settings.patch', { patch: { anonymousExpiryDays: 365 } });
  await shop.pass(2 * hourMs);
  t.notOk(await shop.exists(subscriberId));
});

t.test('who has a send under way stays until it has ended', async (t) => {
  const shop = await Shop.open(1);
  const ids: string[] = [];
  for (let i = 0; i < 70; i++) {
    const { subscriberId, clientToken } = await shop.logIn();
    await shop.register(clientToken);
    ids.push(subscriberId);
  }
  const idle = await shop.logIn();
  await shop.pass(dayMs);
  const [first = '', ...others] = ids;
  await shop.send(first);
  await shop.one.value(shop.app, 'transactional.accept_batch', {
    request: { title: 'Hi', body: 'There' },
    key: null,
    recipients: others.map((id) => ({ to: { id } })),
    claimed: [],
  });
  const { jobs } = shop.memory.outbox;
  t.equal(jobs.size, 70, 'some of them with a provider, some waiting');
  await shop.pass(2 * hourMs);
  t.notOk(await shop.exists(idle.subscriberId));
  t.equal(shop.memory.people.count, 70);
  shop.checkRows(t);
});

t.test('who expires leaves segments, journeys and feeds', async (t) => {
  const shop = await Shop.open(1);
  const { id: segmentId } = await shop.one.value(shop.app, 'segment.create', {
    name: 'Came by',
    filter: { event: 'browsed', withinDays: 30 },
  });
  const steps = [{ id: 'w', type: 'wait' as const, hours: 720 }];
  const input = { name: 'J', triggerSegmentId: segmentId, steps };
  const { id } = await shop.one.value(shop.app, 'journey.create', { input });
  await shop.one.value(shop.app, 'journey.update', {
    id,
    change: { input: {}, removed: [] },
    active: true,
  });
  const { subscriberId } = await shop.logIn();
  await shop.track('browsed', subscriberId, true);
  const flow = () => shop.memory.journeys.get(id)?.flow.runs;
  const members = () => shop.memory.watches.get(segmentId)?.members.count();
  t.same([flow()?.has(0), members()], [true, 1]);
  await shop.pass(2 * dayMs);
  t.notOk(await shop.exists(subscriberId));
  t.same([flow()?.has(0), members()], [false, 0]);
  t.equal(shop.memory.traits.events.get('browsed')?.at(0), 0);
});

t.test('an area that forgets who is erased forgets who expires', async (t) => {
  for (const { name, on = {} } of areas as readonly AnyArea[]) {
    t.equal('expirePerson' in on, 'erasePerson' in on, name);
    // Who has open sends does not expire.
    if (name !== 'outbox') t.equal('peopleExpired' in on, 'personErased' in on, name);
  }
});

t.test('time that no clock confirmed lets nobody expire', async (t) => {
  const shop = await Shop.open(30);
  const { subscriberId } = await shop.logIn();
  shop.clock.nowMs += 120 * dayMs;
  shop.crash('replay', false);
  await shop.pass(2 * hourMs);
  t.ok(shop.one.partition.clock.unconfirmedMs > 119 * dayMs);
  t.ok(await shop.exists(subscriberId), 'the clock may be wrong');
  shop.one.partition.confirmClock('kernel');
  await shop.pass(2 * hourMs);
  t.notOk(await shop.exists(subscriberId), 'the machine was off');
});

t.test('a night on which thousands expire takes many short turns, whatever crashes', async (t) => {
  const shop = await Shop.open(1);
  const ids: string[] = [];
  for (let i = 0; i < 1_050; i++) ids.push((await shop.logIn()).subscriberId);
  await shop.one.advance(dayMs + minuteMs);
  await shop.one.advance(hourMs);
  for (let step = 0; step < 3; step++) await shop.one.advance(50);
  const some = shop.memory.people.count;
  t.ok(some > 0 && some < 1_050, `${some} are left`);
  shop.crash();
  await shop.one.settle();
  t.equal(shop.memory.people.count, some, 'a crash takes nothing back');
  await shop.one.advance(minuteMs);
  for (let step = 0; step < 4; step++) await shop.one.advance(50);
  shop.crash('checkpoint');
  await shop.one.advance(minuteMs);
  for (let step = 0; step < 20; step++) await shop.one.advance(50);
  t.equal(shop.memory.people.count, 0);
  const slices = shop.expired();
  t.ok(
    slices.every(({ length }) => length <= 100),
    'a hundred a turn',
  );
  t.equal(new Set(slices.flatMap((some) => [...some])).size, ids.length);
  t.equal(
    slices.reduce((sum, { length }) => sum + length, 0),
    ids.length,
    'each once',
  );
  shop.checkRows(t);
  const parts = shop.parts();
  shop.crash();
  t.same(shop.parts(), parts, 'a replay makes the same of it');
});

interface Visitor {
  readonly id: string;
  readonly token: string;
  /** The last thing they did. */
  lastMs: number;
  isKnown: boolean;
}

type Step =
  | { readonly step: 'visit' }
  | { readonly step: 'return' | 'event' | 'tag' | 'vouch' | 'name' | 'erase'; readonly who: number }
  | { readonly step: 'days'; readonly days: number | null }
  | { readonly step: 'pass'; readonly hours: number }
  | { readonly step: 'crash'; readonly way: 'replay' | 'checkpoint' };

const who = fc.nat({ max: 30 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ step: fc.constant('visit' as const) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      step: fc.constantFrom('return', 'event', 'tag', 'vouch', 'name', 'erase' as const),
      who,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      step: fc.constant('days' as const),
      days: fc.constantFrom(null, 1, 2, 30),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      step: fc.constant('pass' as const),
      hours: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(24, 25, 720)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      step: fc.constant('crash' as const),
      way: fc.constantFrom('replay' as const, 'checkpoint' as const),
    }),
  },
) as fc.Arbitrary<Step>;

t.test('whatever happens, those are there whom a list by hand has', async (t) => {
  let gone = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const shop = await Shop.open(2);
      let days: number | null = 2;
      const there: Visitor[] = [];
      for (const one of steps) {
        const visitor = 'who' in one ? there[one.who % Math.max(1, there.length)] : undefined;
        if (one.step === 'visit') {
          const { subscriberId: id, clientToken: token } = await shop.logIn();
          there.push({ id, token, lastMs: shop.clock.nowMs, isKnown: false });
        } else if (one.step === 'days') {
          days = one.days;
          await shop.one.value(shop.app, 'settings.patch', {
            patch: { anonymousExpiryDays: days },
          });
        } else if (one.step === 'crash') {
          shop.crash(one.way);
          await shop.one.settle();
        } else if (one.step === 'pass') {
          await shop.pass(one.hours * hourMs);
          gone += await expire(shop, there, days, t);
        } else if (visitor !== undefined) {
          await does(shop, visitor, one.step);
          if (one.step === 'erase') there.splice(there.indexOf(visitor), 1);
        }
      }
      await shop.pass(2 * hourMs);
      gone += await expire(shop, there, days, t);
      shop.checkRows(t);
      if (shop.memory.people.count !== there.length) throw new Error('somebody else is there');
      const parts = shop.parts();
      shop.crash();
      t.same(shop.parts(), parts, 'a replay makes the same of it');
    }),
    { numRuns: tries(150) },
  );
  t.ok(gone > tries(20), `${gone} expired`);
});

async function does(shop: Shop, visitor: Visitor, what: Step['step']): Promise<void> {
  const { id, token: clientToken } = visitor;
  if (what === 'erase') {
    await shop.one.value(shop.app, 'subscriber.erase', { ref: { id } });
    return;
  }
  visitor.lastMs = shop.clock.nowMs;
  if (what === 'event') await shop.track('browsed', id, true);
  else if (what === 'vouch') {
    await shop.track('bought', id, false);
    visitor.isKnown = true;
  } else if (visitor.isKnown) await shop.track('browsed', id, true);
  else if (what === 'return') await shop.logIn({ clientToken });
  else if (what === 'tag')
    await shop.one.value(shop.app, 'sdk.tag', { clientToken, tags: { at: shop.clock.nowMs } });
  else {
    await shop.logIn({ clientToken, externalUserId: id });
    visitor.isKnown = true;
  }
}

/** Takes those off the list who must be gone. A pass is at most an hour late. */
async function expire(shop: Shop, there: Visitor[], days: number | null, t: Test): Promise<number> {
  const before = there.length;
  for (const visitor of [...there]) {
    const isThere = await shop.exists(visitor.id);
    const quietMs = shop.clock.nowMs - visitor.lastMs;
    const spanMs = days === null || visitor.isKnown ? Number.POSITIVE_INFINITY : days * dayMs;
    if (quietMs <= spanMs && !isThere) t.fail(`${visitor.id} went after ${quietMs} ms`);
    if (quietMs > spanMs + 2 * hourMs && isThere) t.fail(`${visitor.id} is there still`);
    if (!isThere) there.splice(there.indexOf(visitor), 1);
  }
  return before - there.length;
}
