import { createHash } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { LastSeen } from '../../../../actors/audiences/segments/last-seen.ts';
import { type CdpCall, callsMax } from '../../../../actors/events/cdp/protocol.ts';
import { limits } from '../../../../actors/limits.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { partitionWithApp, TestPartition } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';

const hashOf = (text: string) => new Uint8Array(createHash('sha256').update(text).digest());
const secretHash = hashOf('one');

async function connected() {
  const { one, app, org } = await partitionWithApp();
  await one.value(app, 'cdp.put', { secretHash });
  const take = (calls: readonly CdpCall[]) => one.value(app, 'cdp.take', { secretHash, calls });
  const read = (externalUserId: string) =>
    one.value(app, 'subscriber.read', { ref: { externalUserId } });
  const state = () => {
    const found = one.product.state.apps.get(app);
    if (found === undefined) throw new Error('the app is gone');
    return found;
  };
  return { one, app, org, take, read, state };
}

let index = 0;
const identify = (userId: string, traits: object, messageId?: string): CdpCall => ({
  kind: 'identify',
  index: index++,
  userId,
  traits: traits as never,
  ...(messageId === undefined ? {} : { messageId }),
});
const track = (userId: string, atMs: number, messageId?: string): CdpCall => ({
  kind: 'event',
  index: index++,
  userId,
  name: 'Paid',
  atMs,
  ...(messageId === undefined ? {} : { messageId }),
});

t.test('calls about one person build on each other, in their order', async (t) => {
  const { one, take, read, state } = await connected();
  const now = one.clock.nowMs;
  const reply = await take([
    identify('ada', { plan: 'free', city: 'Riga' }),
    track('bob', now),
    identify('ada', { plan: 'pro', city: null }),
    track('ada', now),
    identify('bob', { plan: 'free' }),
  ]);
  t.same(reply, { handled: 5, errors: [] });
  t.match(await read('ada'), { tags: { plan: 'pro' }, person: 0, lastActiveMs: now });
  t.notOk('city' in (await read('ada')).tags);
  t.match(await read('bob'), { tags: { plan: 'free' }, person: 1 });
  t.equal(state().people.count, 2);
  t.equal(state().nextEvent, 3);
  await take([identify('bob', { age: 7 }), identify('eve', {})]);
  t.same((await read('bob')).tags, { plan: 'free', age: 7 });
  t.equal((await read('eve')).person, 2);
});

t.test(
  'a repeated messageId changes nothing for 24 hours, in one request or in many',
  async (t) => {
    const { one, take, read, state } = await connected();
    const now = one.clock.nowMs;
    const first = [identify('ada', { plan: 'free' }, 'i1'), track('ada', now, 't1')];
    await take([...first, ...first]);
    await take([identify('ada', { plan: 'pro' }, 'i2')]);
    t.same(await take(first), { handled: 2, errors: [] }, 'taken, as far as the sender knows');
    t.same((await read('ada')).tags, { plan: 'pro' }, 'a late repetition does not turn it back');
    t.equal(state().nextEvent, 2);
    const restarted = new TestPartition({ store: one.store, clock: one.clock, rng: seededRng(9) });
    await restarted.settle();
    for (const calls of [first, [identify('ada', { plan: 'old' }, 'i2')]]) {
      const to = [...restarted.product.state.apps.keys()][0] ?? 0;
      await restarted.value(to, 'cdp.take', { secretHash, calls });
      const ref = { externalUserId: 'ada' };
      t.same((await restarted.value(to, 'subscriber.read', { ref })).tags, { plan: 'pro' });
      t.equal(restarted.product.state.apps.get(to)?.nextEvent, 2, 'also after a restart');
    }
    await restarted.advance(26 * hourMs);
    const to = [...restarted.product.state.apps.keys()][0] ?? 0;
    await restarted.value(to, 'cdp.take', { secretHash, calls: first });
    t.equal(restarted.product.state.apps.get(to)?.nextEvent, 3, 'a day later it is another one');
  },
);

t.test('an event is not in the future, and not before what the app keeps', async (t) => {
  const { one, app, take, read, state } = await connected();
  const now = one.clock.nowMs;
  const calls = [
    track('ada', now + hourMs),
    track('old', now - 90 * dayMs - 1, 'm'),
    track('eve', now - 90 * dayMs),
  ];
  const { errors } = await take(calls);
  t.same(errors, [
    { index: calls[1]?.index, error: 'timestamp: expected at most 90 days in the past' },
  ]);
  t.equal((await read('ada')).lastActiveMs, now);
  t.equal(state().people.find('old'), undefined, 'nobody is made for an event that is left out');
  t.equal(state().people.count, 2);
  await one.value(app, 'settings.patch', { patch: { eventsRetentionDays: 7 } });
  const late = [track('ada', now - 8 * dayMs)];
  t.match((await take(late)).errors, [{ error: 'timestamp: expected at most 7 days in the past' }]);
  await one.value(app, 'settings.patch', { patch: { eventsRetentionDays: null } });
  const gone = new Date(now - 7 * dayMs).toISOString();
  t.match((await take(late)).errors, [
    { error: new RegExp(`^timestamp: expected ${gone} or later, because a shorter retention `) },
  ]);
  t.equal((await take([track('old', now, 'm')])).errors.length, 0, 'its id was not used up');
  t.equal(state().nextEvent, 4);
});

t.test('an app has only so many names of events, whoever brings them', async (t) => {
  const { one, take, state } = await connected();
  const { events } = state().traits;
  for (let i = 0; events.size < limits.namesMax - 1; i++) events.set(`name ${i}`, new LastSeen());
  const named = (name: string): CdpCall => ({ ...track('ada', one.clock.nowMs), name }) as CdpCall;
  const calls = ['name 7', 'the last', 'one more', 'the last'].map(named);
  const { errors } = await take(calls);
  t.match(errors, [
    { index: calls[2]?.index, error: /^event: an app has at most 20000 different/ },
  ]);
  t.equal(state().nextEvent, 4);
  t.equal(events.size, limits.namesMax);
});

t.test('traits that make a record too large cost that call alone', async (t) => {
  const { take, read, state } = await connected();
  const large = (from: number) =>
    Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`t${from + i}`, 'x'.repeat(1_000)]));
  const calls = [identify('ada', large(0)), identify('ada', large(50)), identify('ada', { a: 1 })];
  const { errors } = await take(calls);
  t.match(errors, [{ index: calls[1]?.index, error: /^traits: .*65536 bytes/ }]);
  t.equal(Object.keys((await read('ada')).tags).length, 51);
  const both = { ...large(0), ...large(50) };
  t.equal((await take([identify('new', both), identify('next', {})])).errors.length, 1);
  t.equal(state().people.find('new'), undefined);
  t.equal((await read('next')).person, 1, 'no ordinal is lost');
});

t.test('a turn over large records ends early, and says how far it came', async (t) => {
  const { one, take, state } = await connected();
  const traits = Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [`t${i}`, 'x'.repeat(1_000)]),
  );
  const calls = Array.from({ length: 200 }, (_, i) => identify(`u${i}`, traits));
  const { handled, errors } = await take(calls);
  t.ok(handled > 0 && handled < 200, `${handled}`);
  t.same(errors, []);
  t.equal(state().people.count, handled);
  const many = Array.from({ length: callsMax }, (_, i) => track(`v${i}`, one.clock.nowMs));
  t.equal((await take(many)).handled, callsMax, 'events do not count');
});

t.test('a key is good until it is replaced and a day more, or taken away', async (t) => {
  const { one, app } = await connected();
  const verify = (text: string) => one.value(app, 'cdp.verify', { secretHash: hashOf(text) });
  t.same([await verify('one'), await verify('two'), await verify('')], [true, false, false]);
  const createdMs = one.clock.nowMs;
  await one.advance(1_000);
  const put = await one.value(app, 'cdp.put', { secretHash: hashOf('two') });
  t.same(put, {
    integration: {
      type: 'cdp',
      enabled: true,
      createdMs,
      updatedMs: createdMs + 1_000,
      devicesFromTraits: true,
      consent: 'confirmed',
    },
    created: false,
  });
  t.same([await verify('one'), await verify('two')], [true, true]);
  await one.advance(dayMs - 1);
  t.equal(await verify('one'), true);
  await one.advance(1);
  t.same([await verify('one'), await verify('two')], [false, true]);
  await one.value(app, 'cdp.put', { secretHash: hashOf('three') });
  await one.value(app, 'cdp.remove', {});
  t.same([await verify('two'), await verify('three')], [false, false], 'both, at once');
  t.same(await one.value(app, 'integration.list', {}), []);
  t.match(await one.ask(app, 'cdp.remove', {}), { ok: false, fault: { code: 'not_found' } });
  t.match(
    await one.ask(app, 'cdp.take', { secretHash: hashOf('three'), calls: [] }),
    { ok: false, fault: { code: 'unauthorized' } },
    'whatever the front believes',
  );
  t.equal(await one.value(999 * 4096 + 5, 'cdp.verify', { secretHash }), false, 'no such app');
  t.equal(await one.value(app, 'cdp.verify', { secretHash: new Uint8Array(32) }), false);
});

t.test('keys and ids survive a snapshot', async (t) => {
  const { one, app, take } = await connected();
  await one.value(app, 'cdp.put', { secretHash: hashOf('two') });
  await take([identify('ada', { a: 1 }, 'i1')]);
  const other = new TestPartition({ clock: one.clock });
  other.product.restore([...one.product.parts()]);
  t.same(other.product.state.apps.get(app)?.writeKeys, one.product.state.apps.get(app)?.writeKeys);
  t.same(other.product.state.eventIds.snapshot(), one.product.state.eventIds.snapshot());
  t.ok(one.product.state.eventIds.snapshot().hashes.length > 0);
});

t.test('any calls in any parts give what they give one by one, also after a restart', async () => {
  const user = fc.constantFrom('ada', 'bob', 'eve', 'kim');
  const messageId = fc.option(fc.nat(12).map(String), { nil: undefined });
  const tag = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.option(fc.nat(9)));
  const call = fc.oneof(
    fc.tuple(user, tag, messageId).map(([who, traits, id]) => identify(who, traits, id)),
    fc
      .tuple(user, fc.integer({ min: -100, max: 2 }), messageId)
      .map(([who, days, id]) => track(who, Date.UTC(2026, 0, 1) + days * dayMs, id)),
  );
  const parts = fc.array(fc.array(call, { minLength: 1, maxLength: 12 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(parts, async (requests) => {
      const { one, app, take } = await connected();
      const people = new Map<string, Map<string, unknown>>();
      const ids = new Set<string>();
      let events = 0;
      for (const calls of requests) {
        const wrong = new Set((await take(calls)).errors.map((error) => error.index));
        for (const { index: at, userId, messageId: id, ...rest } of calls) {
          if (id !== undefined && ids.has(id)) continue;
          const tooOld = rest.kind === 'event' && rest.atMs < one.clock.nowMs - 90 * dayMs;
          if (tooOld !== wrong.has(at)) throw new Error(`call ${at} was judged wrongly`);
          if (tooOld) continue;
          if (id !== undefined) ids.add(id);
          const tags = people.get(userId) ?? new Map<string, unknown>();
          people.set(userId, tags);
          if (rest.kind === 'event') events++;
          else
            for (const [key, value] of Object.entries(rest.traits))
              if (value === null) tags.delete(key);
              else tags.set(key, value);
        }
      }
      const again = new TestPartition({ store: one.store, clock: one.clock });
      await again.settle();
      for (const partition of [one, again]) {
        const state = partition.product.state.apps.get(app);
        if (state?.nextEvent !== events + 1 || state.people.count !== people.size)
          throw new Error(`${state?.nextEvent} events, ${state?.people.count} people`);
        for (const [externalUserId, tags] of people) {
          const body = { ref: { externalUserId } };
          const { person, tags: got } = await partition.value(app, 'subscriber.read', body);
          t.same(got, Object.fromEntries(tags));
          if (state.people.find(externalUserId) !== person) throw new Error('another person');
        }
      }
    }),
    { seed: 23, numRuns: tries(60) },
  );
});
