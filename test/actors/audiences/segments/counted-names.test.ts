// Columns of counted names: made of what was collected since they were wanted and of what a read
// brought from before, and then equal to a count of every event; whatever happens while they are
// being made.

import fc from 'fast-check';
import t from 'tap';
import { CountedNames } from '../../../../actors/audiences/segments/counted-names.ts';
import { audienceOf, uncounted } from '../../../../actors/audiences/segments/evaluate.ts';
import type { Filter } from '../../../../actors/audiences/segments/filter.ts';
import { readTimes } from '../../../../actors/audiences/segments/read-times.ts';
import { noHistory } from '../../../../actors/events/history/event-history.ts';
import { eventLog } from '../../../../actors/runtime/event-log.ts';
import type { AppState } from '../../../../actors/runtime/state.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import { partitionWithApp } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';

const filter: Filter = { event: 'order', withinDays: 3, atLeast: 2 };

async function world() {
  const { one, app } = await partitionWithApp();
  const tasks: (() => void)[] = [];
  let isBroken = false;
  const failures: unknown[] = [];
  const names = new CountedNames({
    state: one.product.state,
    seq: () => one.partition.seq,
    durableSeq: () => one.store.durableSeq,
    now: () => one.clock.nowMs,
    read: async (_app, read) => {
      if (isBroken) throw new Error('unreadable');
      return readTimes(read, eventLog(one.store), noHistory);
    },
    soon: (task) => void tasks.push(task),
    onWhole: (owner) => one.product.columnsBecameWhole(owner),
    onFailed: (_app, error) => void failures.push(error),
  });
  return {
    one,
    app,
    names,
    failures,
    breakReads: (broken: boolean) => {
      isBroken = broken;
    },
    state: () => one.product.state.apps.get(app) as AppState,
    async settle() {
      await one.settle();
      for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) task();
      await one.advance(1);
    },
    async track(externalUserId: string, atMs: number, name = 'order') {
      const events = [{ name, externalUserId, at: new Date(atMs).toISOString() }];
      const bytes = Buffer.from(JSON.stringify({ appId: 'x', events }));
      await one.value(app, 'events.ingest', { keyless: false } as never, { bytes });
    },
  };
}

t.test('a saved filter’s counted name gets a column, and loses it with the filter', async (t) => {
  const { one, app, names, state, settle, track } = await world();
  const { nowMs } = one.clock;
  await track('ada', nowMs - dayMs);
  await track('ada', nowMs - 2 * dayMs);
  names.tick();
  t.equal(state().traits.counted.size, 0, 'nobody counts yet');
  const segment = await one.value(app, 'segment.create', { name: 'twice', filter });
  names.tick();
  t.same(uncounted(filter, state().traits), [['order', 2]], 'not whole before the read is back');
  await track('ben', nowMs);
  await settle();
  t.same(uncounted(filter, state().traits), []);
  await track('ben', nowMs - 1);
  t.same(audienceOf(filter, state().traits, nowMs).count(), 2);
  const more = { ...filter, atLeast: 3 };
  await one.value(app, 'segment.update', { id: segment.id, filter: more });
  names.tick();
  await settle();
  t.same(uncounted(more, state().traits), []);
  await one.value(app, 'segment.delete', { id: segment.id });
  names.tick();
  t.equal(state().traits.counted.size, 0);
});

t.test('followers hear of it when a column that their filter lacked is whole', async (t) => {
  const { one, app, names, state, settle, track } = await world();
  const segment = await one.value(app, 'segment.create', { name: 'twice', filter });
  const watch = { asked: { segmentId: segment.id }, follower: 'test' };
  t.match(await one.ask(app, 'segment.watch', watch), {
    ok: false,
    fault: { code: 'not_started' },
  });
  const times = [['order', { kept: 2, byRank: [] }]] as const;
  await one.value(app, 'segment.watch', { ...watch, times });
  const isIn = () => state().watches.get(segment.id)?.members.count();
  await track('ada', one.clock.nowMs);
  await track('ada', one.clock.nowMs);
  t.equal(isIn(), 0, 'it stands still rather than guess');
  names.tick();
  await settle();
  t.equal(isIn(), 1);
  await track('ben', one.clock.nowMs);
  await track('ben', one.clock.nowMs);
  t.equal(isIn(), 2, 'and moves with every event from then on');
  await one.advance(3 * dayMs);
  t.equal(isIn(), 0);
});

t.test('a read of one app that fails does not keep another app waiting', async (t) => {
  const { one, app, names, failures, breakReads, state, settle } = await world();
  const { org } = one.product.state.apps.get(app)?.record ?? { org: 0 };
  const other = await one.value(org, 'app.create', {
    name: 'Other',
    timezone: 'UTC',
    vapid: { publicKey: 'public', privateKey: 'private' },
  });
  await one.value(app, 'segment.create', { name: 'twice', filter });
  await one.value(other.ordinal, 'segment.create', { name: 'twice', filter });
  breakReads(true);
  names.tick();
  await settle();
  t.equal(failures.length, 1);
  breakReads(false);
  names.tick();
  await settle();
  const traits = one.product.state.apps.get(other.ordinal)?.traits;
  t.same(
    [uncounted(filter, state().traits).length, traits && uncounted(filter, traits).length],
    [1, 0],
  );
});

t.test('a read that fails is told, and tried again after a rest', async (t) => {
  const { one, app, names, failures, breakReads, state, settle } = await world();
  await one.value(app, 'segment.create', { name: 'twice', filter });
  breakReads(true);
  names.tick();
  await settle();
  t.equal(failures.length, 1);
  t.equal(state().traits.counted.size, 0);
  breakReads(false);
  for (let tick = 0; tick < 61; tick++) names.tick();
  await settle();
  t.same(uncounted(filter, state().traits), []);
});

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('track' as const),
      who: fc.constantFrom('ada', 'ben', 'cem'),
      agoMs: fc.integer({ min: 0, max: 5 * dayMs }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('erase' as const), who: fc.constantFrom('ada', 'ben') }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('tick' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
);

t.test(
  'whatever happens while it is made, a whole column counts what all events say',
  async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 30 }),
        fc.integer({ min: 2, max: 4 }),
        async (steps, atLeast) => {
          const { one, app, names, state, settle, track } = await world();
          const wanted: Filter = { ...filter, atLeast };
          await one.value(app, 'segment.create', { name: 'often', filter: wanted });
          for (const now of steps) {
            if (now.do === 'track') await track(now.who, one.clock.nowMs - now.agoMs);
            else if (now.do === 'erase')
              await one.ask(app, 'subscriber.erase', { ref: { externalUserId: now.who } });
            else if (now.do === 'tick') names.tick();
            else await settle();
          }
          names.tick();
          await settle();
          const { traits, people } = state();
          t.same(uncounted(wanted, traits), []);
          const all = readTimes(
            {
              app,
              names: [['order', 9]],
              fromMs: one.clock.nowMs - 3 * dayMs,
              erased: [...people.erased],
              merged: people.merged(),
            },
            eventLog(one.store),
            noHistory,
          );
          const counted = traits.withTimes([]);
          const expected = (person: number) => {
            const ranks = all[0]?.[1].byRank ?? [];
            return ranks.filter((rank) => rank.sparse?.some(([whose]) => whose === person)).length;
          };
          const found = audienceOf(wanted, counted, one.clock.nowMs);
          for (let person = 0; person < traits.next; person++)
            t.equal(found.test(person), expected(person) >= atLeast);
        },
      ),
      { seed: 5, numRuns: tries(120) },
    );
  },
);

t.test(
  'times of somebody who is merged while they are read count for the known person',
  async (t) => {
    const { one, app, names, state, settle, track } = await world();
    const { nowMs } = one.clock;
    await one.value(app, 'settings.patch', { patch: { identityVerification: 'open' } });
    const login = { tokenKey: new Uint8Array(32) };
    const { subscriberId, clientToken } = await one.value(app, 'sdk.login', { login });
    const events = [{ name: 'order', subscriberId }];
    const bytes = Buffer.from(JSON.stringify({ events }));
    await one.value(app, 'events.ingest', { keyless: true }, { bytes });
    await track('ada', nowMs - dayMs);
    await one.value(app, 'segment.create', { name: 'twice', filter });
    names.tick();
    await one.value(app, 'sdk.login', { login: { ...login, clientToken, externalUserId: 'ada' } });
    await settle();
    const { traits, people } = state();
    t.same(uncounted(filter, traits), [], 'the columns are whole');
    const found = audienceOf(filter, traits, nowMs);
    t.same([found.count(), found.test(people.find('ada') ?? -1)], [1, true]);
    // And of somebody who is merged once the columns are whole.
    await track('ben', nowMs);
    const other = await one.value(app, 'sdk.login', { login });
    const theirs = Buffer.from(
      JSON.stringify({ events: [{ name: 'order', subscriberId: other.subscriberId }] }),
    );
    await one.value(app, 'events.ingest', { keyless: true }, { bytes: theirs });
    const merging = { ...login, clientToken: other.clientToken, externalUserId: 'ben' };
    await one.value(app, 'sdk.login', { login: merging });
    t.equal(audienceOf(filter, traits, one.clock.nowMs).test(people.find('ben') ?? -1), true);
  },
);

t.test(
  'what flags and in-app messages count gets a column, too, and is then answered at once',
  async (t) => {
    const { one, app, names, state, settle, track } = await world();
    const { nowMs } = one.clock;
    await track('ada', nowMs - dayMs);
    await track('ada', nowMs - 2 * dayMs);
    const flag = await one.value(app, 'flag.create', {
      key: 'k',
      input: { enabled: true, filter },
    });
    const { id: messageId } = await one.value(app, 'message.create', {
      message: { content: { body: 'x' } },
    });
    const visits = { ...filter, event: 'visit', atLeast: 3 };
    const shown = await one.value(app, 'inapp.create', { input: { messageId, filter: visits } });
    const ref = { externalUserId: 'ada' };
    t.match(await one.ask(app, 'flags.evaluate', { ref }), { fault: { code: 'not_started' } });
    names.tick();
    await settle();
    t.same([...state().traits.counted.keys()], ['order', 'visit']);
    t.match(await one.value(app, 'flags.uncounted', { ref }), { names: [] });
    t.match(await one.value(app, 'inapp.uncounted', { ref }), { names: [] });
    t.same(await one.value(app, 'flags.evaluate', { ref }), { k: { enabled: true } });
    t.same((await one.value(app, 'inapp.feed', { ref, limit: 1 })).messages, []);
    await one.value(app, 'flag.delete', { flag: flag.key });
    await one.value(app, 'inapp.delete', { id: shown.id });
    names.tick();
    t.equal(state().traits.counted.size, 0);
  },
);
