// Followed segments: what followers were told is, at every instant, who the filter finds; also when
// only time passes, when the filter changes, and after a restart. Edges of windows are met to the
// millisecond.

import fc from 'fast-check';
import t from 'tap';
import { audienceOf } from '../../../../actors/audiences/segments/evaluate.ts';
import type { Filter } from '../../../../actors/audiences/segments/filter.ts';
import type { SegmentsEntry } from '../../../../actors/audiences/segments/protocol.ts';
import type { AppState } from '../../../../actors/runtime/state.ts';
import { decodeBlock } from '../../../../engine/actor/block.ts';
import { Bitset } from '../../../../engine/base/bitset.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import type { MemoryStore } from '../../../../storage/memory.ts';
import { partitionWithApp, TestPartition } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';

const nowhere = { by: -1 };

async function track(
  one: TestPartition,
  app: number,
  externalUserId: string,
  name: string,
  atMs: number,
) {
  const events = [{ name, externalUserId, at: new Date(atMs).toISOString() }];
  const bytes = Buffer.from(JSON.stringify({ appId: 'x', events }));
  const reply = await one.value(app, 'events.ingest', { keyless: false } as never, {
    ...nowhere,
    bytes,
  });
  t.equal(reply.accepted, 1);
}

function stateOf(one: TestPartition, app: number): AppState {
  return one.product.state.apps.get(app) as AppState;
}

function members(set: Bitset | undefined): number[] {
  const found: number[] = [];
  set?.forEach((person) => void found.push(person));
  return found;
}

/** Who is in a segment by what the log told of it, with the instants of the changes. */
function told(store: MemoryStore, segmentId: string) {
  const inside = new Set<number>();
  const changes: { atMs: number; entered: readonly number[]; left: readonly number[] }[] = [];
  for (let seq = store.oldestSeq; seq <= store.durableSeq; seq++) {
    for (const { block } of store.blocks(seq, 1)) {
      for (const entry of decodeBlock(block).entries as SegmentsEntry[]) {
        if (entry.kind === 'segment.watched' && entry.members !== undefined)
          Bitset.restore(entry.members).forEach((person) => void inside.add(person));
        if (entry.kind !== 'segment.changed' || entry.segmentId !== segmentId) continue;
        for (const person of entry.entered) {
          // One assertion each would be 25,000.
          if (inside.has(person)) t.fail(`${person} enters twice`);
          inside.add(person);
        }
        for (const person of entry.left) {
          if (!inside.delete(person)) t.fail(`${person} leaves, who was not in`);
        }
        changes.push(entry);
      }
    }
  }
  return { inside: [...inside].sort((a, b) => a - b), changes };
}

async function followed(filter: Filter) {
  const { one, app } = await partitionWithApp();
  const { traits } = stateOf(one, app);
  traits.collect('order', 3);
  traits.becomeWhole('order');
  const segment = await one.value(app, 'segment.create', { name: 'followed', filter });
  await one.value(app, 'segment.watch', { asked: { segmentId: segment.id }, follower: 'test' });
  return { one, app, segment };
}

t.test('an event tells of who enters, in its own turn', async (t) => {
  const { one, app, segment } = await followed({ event: 'order', withinDays: 1 });
  const turns = one.partition.seq;
  await track(one, app, 'ada', 'order', one.clock.nowMs);
  t.equal(one.partition.seq, turns + 1, 'one block has the event and the entry');
  const [block] = one.store.blocks(turns + 1, 1);
  const kinds = decodeBlock(block?.block as Uint8Array).entries.map(({ kind }) => kind);
  t.same(kinds, ['events.tracked', 'segment.changed']);
  await track(one, app, 'ada', 'order', one.clock.nowMs);
  await track(one, app, 'ben', 'view', one.clock.nowMs);
  t.same(told(one.store, segment.id), {
    inside: [0],
    changes: [
      {
        kind: 'segment.changed',
        owner: app,
        segmentId: segment.id,
        entered: [0],
        left: [],
        atMs: one.clock.nowMs,
      },
    ],
  });
});

t.test('when only time passes, people leave and enter to the millisecond', async (t) => {
  const { one, app, segment } = await followed({
    any: [{ event: 'order', withinDays: 2 }, { inactiveForDays: 5 }],
  });
  const startMs = one.clock.nowMs;
  await track(one, app, 'ada', 'order', startMs - hourMs + 17);
  const leavesMs = startMs - hourMs + 17 + 2 * dayMs;
  await one.advance(leavesMs - 1 - startMs);
  t.same(told(one.store, segment.id).inside, [0]);
  await one.advance(1);
  t.same(told(one.store, segment.id).inside, []);
  t.equal(told(one.store, segment.id).changes.at(-1)?.atMs, leavesMs);
  // Made at the start, and active an hour before: the later of the two decides.
  await one.advance(startMs + 5 * dayMs - leavesMs - 1);
  t.same(told(one.store, segment.id).inside, []);
  await one.advance(1);
  t.same(told(one.store, segment.id).inside, [0]);
  t.equal(told(one.store, segment.id).changes.at(-1)?.atMs, startMs + 5 * dayMs);
});

t.test('an event from long ago has its edge met, too', async (t) => {
  const { one, app, segment } = await followed({ event: 'order', withinDays: 3 });
  await one.advance(1);
  await track(one, app, 'ada', 'order', one.clock.nowMs - 3 * dayMs + 250);
  t.same(told(one.store, segment.id).inside, [0]);
  await one.advance(249);
  t.same(told(one.store, segment.id).inside, [0]);
  await one.advance(1);
  t.same(told(one.store, segment.id).inside, []);
});

t.test('a start looks at the members once, and not at every edge since 1970', async (t) => {
  const { one, app } = await followed({ event: 'order', withinDays: 3 });
  await track(one, app, 'ada', 'order', one.clock.nowMs - 20 * dayMs);
  const { store, clock } = one;
  const again = new TestPartition({ store, clock });
  const kinds: string[] = [];
  for (let turn = 0; turn < 3; turn++)
    for (const { message } of again.product.due(clock.nowMs)) kinds.push(message.kind);
  t.notOk(
    kinds.includes('segment.review'),
    `${kinds}: what passed long ago is no edge of this start`,
  );
});

t.test('a changed filter tells of everybody who enters or leaves, however many', async (t) => {
  const { one, app, segment } = await followed({ tag: 'plan', eq: 'pro' });
  for (let from = 0; from < 25_000; from += 250) {
    const rows = Array.from({ length: 250 }, (_, i) => ({ externalUserId: `user-${from + i}` }));
    await one.value(app, 'subscriber.import', { rows });
  }
  t.same(told(one.store, segment.id).inside, []);
  await one.value(app, 'segment.update', { id: segment.id, filter: { tag: 'plan', ne: 'pro' } });
  await one.advance(1);
  await one.advance(1);
  await one.advance(1);
  const { inside, changes } = told(one.store, segment.id);
  t.equal(inside.length, 25_000);
  t.ok(changes.length > 2, 'in slices, a turn each');
});

t.test('an erased member is told of as one who left', async (t) => {
  const { one, app, segment } = await followed({ activeWithinDays: 1 });
  await track(one, app, 'ada', 'order', one.clock.nowMs);
  t.same(told(one.store, segment.id).inside, [0]);
  await one.value(app, 'subscriber.erase', { ref: { externalUserId: 'ada' } });
  t.same(told(one.store, segment.id).changes.at(-1)?.left, [0]);
});

t.test('a followed segment cannot be deleted, and is let go of', async (t) => {
  const { one, app, segment } = await followed({ tag: 'plan', eq: 'pro' });
  const refused = await one.ask(app, 'segment.delete', { id: segment.id });
  t.match(refused, {
    ok: false,
    fault: { code: 'in_use', message: 'this segment is in use by test' },
  });
  await one.value(app, 'segment.unwatch', { segmentId: segment.id, follower: 'test' });
  t.equal((await one.ask(app, 'segment.delete', { id: segment.id })).ok, true);
});

const names = ['ada', 'ben', 'cem', 'dov'] as const;
const who = fc.constantFrom(...names);
const near = fc.integer({ min: -2, max: 2 });
const filters: readonly Filter[] = [
  { event: 'order', withinDays: 1 },
  { event: 'order', notWithinDays: 2 },
  { all: [{ activeWithinDays: 1 }, { tag: 'plan', ne: 'free' }] },
  { any: [{ inactiveForDays: 2 }, { channel: 'email' }] },
  {
    all: [
      { event: 'view', withinDays: 3 },
      { event: 'order', notWithinDays: 1 },
    ],
  },
  { event: 'order', withinDays: 2, atLeast: 2 },
  { any: [{ event: 'order', withinDays: 3, atLeast: 3 }, { activeWithinDays: 1 }] },
];
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('track' as const),
      who,
      name: fc.constantFrom('order', 'view'),
      daysAgo: fc.nat(3),
      near,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('tag' as const),
      who,
      value: fc.constantFrom('free', 'pro', null),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('device' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('suppress' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), who }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('filter' as const),
      filter: fc.constantFrom(...filters),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.oneof(
        near.map((ms) => Math.abs(ms)),
        near.map((ms) => dayMs + ms),
        fc.constantFrom(59_999, hourMs, 3 * hourMs + 1, 2 * dayMs),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('restart' as const),
      ms: fc.constantFrom(0, 1, hourMs, dayMs + 3),
    }),
  },
);

t.test('whatever happens, followers know exactly who is in', async (t) => {
  const history = fc.record({
    filter: fc.constantFrom(...filters),
    steps: fc.array(step, { minLength: 3, maxLength: 25 }),
  });
  const runs = Number(process.env['ENGAGE_HISTORIES'] ?? tries(40));
  await fc.assert(
    fc.asyncProperty(history, async ({ filter, steps }) => {
      const begun = await followed(filter);
      const { app, segment } = begun;
      let { one } = begun;
      for (const now of steps) {
        switch (now.do) {
          case 'track':
            await track(
              one,
              app,
              now.who,
              now.name,
              one.clock.nowMs - now.daysAgo * dayMs + now.near,
            );
            break;
          case 'tag':
            await one.value(app, 'subscriber.upsert', {
              subscriber: { externalUserId: now.who, tags: { plan: now.value } },
            });
            break;
          case 'device':
            await one.value(app, 'subscriber.upsert', {
              subscriber: {
                externalUserId: now.who,
                devices: [{ channel: 'email', endpoint: `${now.who}@example.com` }],
              },
            });
            break;
          case 'suppress':
            await one.value(app, 'suppression.add', {
              channel: 'email',
              address: `${now.who}@example.com`,
              source: 'api',
            });
            break;
          case 'erase':
            await one.ask(app, 'subscriber.erase', { ref: { externalUserId: now.who } });
            break;
          case 'filter':
            await one.value(app, 'segment.update', { id: segment.id, filter: now.filter });
            await one.advance(1);
            break;
          case 'wait':
            await one.advance(now.ms);
            break;
          case 'restart': {
            const { store, clock } = one;
            const { counted } = stateOf(one, app).traits;
            clock.nowMs += now.ms;
            one = new TestPartition({ store, clock });
            await one.settle();
            // Counted columns are in no checkpoint; the host fills them again from history.
            for (const [name, column] of counted)
              stateOf(one, app).traits.counted.set(name, column);
            one.product.columnsBecameWhole(app);
            one.partition.nudge();
            await one.advance(1);
            break;
          }
        }
        const { segments, traits, watches } = stateOf(one, app);
        const saved = segments.get(segment.id)?.filter as Filter;
        const expected = members(audienceOf(saved, traits, one.clock.nowMs));
        t.same(members(watches.get(segment.id)?.members), expected, `after ${now.do}`);
        t.same(told(one.store, segment.id).inside, expected);
      }
    }),
    { seed: 21, numRuns: runs },
  );
});
