// Bulk changes against a walk that calls the routes for one person: what is stored, who is counted,
// and the same across a crash between any two slices, from the log and from a checkpoint.

import t from 'tap';
import type { BulkAction, BulkChange } from '../../../../actors/audiences/bulk/protocol.ts';
import type { SubscriberView } from '../../../../actors/people/audience/protocol.ts';
import { below, pick, seededRng } from '../../../../engine/base/rng.ts';
import { partitionWithApp, TestPartition } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';

const peopleCount = 1_300;

async function populated(): Promise<{ one: TestPartition; app: number }> {
  const { one, app } = await partitionWithApp();
  for (let from = 0; from < peopleCount; from += 100) {
    const rows = Array.from({ length: 100 }, (_, nth) => ({
      externalUserId: `p-${from + nth}`,
      tags: { plan: ['pro', 'free'][nth % 2] as string, nth },
      devices: [
        { channel: 'email' as const, endpoint: `p${from + nth}@example.com` },
        ...(nth % 5 === 0
          ? [{ channel: 'sms' as const, endpoint: `+1415555${1_000 + from + nth}` }]
          : []),
      ],
    }));
    await one.value(app, 'subscriber.import', { rows });
  }
  return { one, app };
}

const count = async (one: TestPartition, app: number, filter: object) =>
  (await one.value(app, 'segment.preview', { asked: { filter }, sample: 0 })).count;

/** Lets its timers fire until it is done. */
async function finished(one: TestPartition, app: number, id: string): Promise<BulkChange> {
  for (let turn = 0; turn < 200; turn++) {
    const change = await one.value(app, 'bulk.read', { id });
    if (change.state === 'done') return change;
    await one.advance(20);
  }
  throw new Error('the bulk change does not end');
}

t.test('a small change is done at once', async (t) => {
  const { one, app } = await populated();
  const people = [
    { externalUserId: 'p-1' },
    { externalUserId: 'p-2' },
    { externalUserId: 'nobody' },
    { externalUserId: 'p-1' },
  ];
  const ask = (action: BulkAction, isDry = false) =>
    one.value(app, 'bulk.start', { people, action, isDry });
  t.match(await ask({ tags: { plan: 'pro', old: null } }, true), {
    state: 'done',
    matched: 2,
    looked: 2,
    changed: 1,
  });
  t.equal(await count(one, app, { tag: 'plan', eq: 'pro' }), 650, 'a dry run changes nothing');
  t.match(await ask({ tags: { plan: 'pro', old: null } }), { changed: 1 });
  t.match(await ask({ tags: { plan: 'pro', old: null } }), { changed: 0 }, 'nothing more');
  t.equal(await count(one, app, { tag: 'plan', eq: 'pro' }), 651);
  t.match(await ask({ suppress: { channels: ['email'] } }), { changed: 2 });
  t.equal(await count(one, app, { channel: 'email' }), peopleCount - 2);
  t.match(await ask({ suppress: { channels: ['email'] } }), { changed: 0 });
  t.match(await ask({ delete: true }), { matched: 2, changed: 2 });
  t.match(await ask({ delete: true }), { matched: 0, changed: 0 });
  t.match(await one.ask(app, 'subscriber.read', { ref: { externalUserId: 'p-1' } }), { ok: false });
});

t.test('a large change goes on across crashes, and each person is changed once', async (t) => {
  const rng = seededRng(Number(process.env['ENGAGE_BULK_SEED'] ?? 9));
  const actions: readonly (readonly [BulkAction, object, number])[] = [
    [{ tags: { plan: 'gone', seen: true } }, { tag: 'plan', eq: 'gone' }, peopleCount],
    [
      { suppress: { channels: ['email', 'sms'] } },
      { channel: 'email', exists: false },
      peopleCount,
    ],
    [
      { tags: { nth: null }, suppress: { channels: ['sms'] } },
      { tag: 'nth', exists: false },
      peopleCount,
    ],
    [{ delete: true }, { tag: 'plan', exists: true }, 0],
  ];
  for (const [action, after, expected] of actions) {
    let { one, app } = await populated();
    const asked = { filter: { tag: 'plan', exists: true } };
    const dry = await one.value(app, 'bulk.start', { asked, action, isDry: true });
    const started = await one.value(app, 'bulk.start', { asked, action, isDry: false });
    t.match(started, { state: 'running', matched: peopleCount });
    const { id } = started;
    for (let crash = 0; crash < 6; crash++) {
      for (let turn = below(rng, 3); turn > 0; turn--) await one.advance(20);
      const { store, clock, partition } = one;
      const checkpoint =
        crash % 2 === 0 ? {} : { checkpoint: { seq: partition.seq, memory: partition.snapshot() } };
      one = new TestPartition({ store, clock, ...checkpoint });
      await one.settle();
    }
    const done = await finished(one, app, id);
    t.match(done, { looked: peopleCount, changed: peopleCount, failed: 0 }, JSON.stringify(action));
    t.equal((await finished(one, app, dry.id)).changed, peopleCount, 'as the dry run said');
    t.equal(await count(one, app, after), expected);
  }
});

t.test('what is stored is what the calls for one person store', async (t) => {
  const rng = seededRng(3);
  for (let round = 0; round < tries(12); round++) {
    const [bulk, plain] = [await populated(), await populated()];
    const refs = Array.from({ length: 40 }, () => ({
      externalUserId: `p-${below(rng, peopleCount + 20)}`,
    }));
    const tags = { plan: pick(rng, ['pro', 'new', null]) ?? null, list: ['a'] };
    const channels = [pick(rng, ['email', 'sms'] as const) ?? 'email'];
    const action = { tags, suppress: { channels } };
    const done = await bulk.one.value(bulk.app, 'bulk.start', {
      people: refs,
      action,
      isDry: false,
    });
    t.equal(done.state, 'done');
    for (const ref of refs) {
      const read = await plain.one.ask(plain.app, 'subscriber.patch', { ref, patch: { tags } });
      if (!read.ok) continue;
      for (const { channel, endpoint } of (read.value as SubscriberView).devices)
        if (channel === channels[0])
          await plain.one.value(plain.app, 'suppression.add', {
            channel: channels[0],
            address: endpoint as string,
            source: 'api',
          });
    }
    const all = async ({ one, app }: typeof bulk) => {
      const { items } = await one.value(app, 'people.search', {
        order: 'oldest',
        offset: 0,
        limit: peopleCount,
      });
      return items.map(({ externalUserId, tags, devices }) => [
        externalUserId,
        tags,
        devices.map(({ endpoint, suppressed }) => [endpoint, suppressed?.scope]),
      ]);
    };
    t.same(await all(bulk), await all(plain));
  }
});

t.test('four changes run at a time, and the newest hundred are kept', async (t) => {
  const { one, app } = await populated();
  const asked = { filter: { tag: 'plan', exists: true } };
  const large = () => one.ask(app, 'bulk.start', { asked, action: { delete: true }, isDry: true });
  for (let nth = 0; nth < 4; nth++) t.match(await large(), { ok: true });
  t.match(await large(), { ok: false, fault: { code: 'limit_reached' } });
  await one.advance(20);
  await one.advance(20);
  t.match(await large(), { ok: true }, 'two slices are enough for a count');
  const people = [{ externalUserId: 'p-0' }];
  const ids: string[] = [];
  for (let nth = 0; nth < 110; nth++)
    ids.push(
      (await one.value(app, 'bulk.start', { people, action: { tags: { nth } }, isDry: false })).id,
    );
  t.match(await one.ask(app, 'bulk.read', { id: ids[0] as string }), {
    ok: false,
    fault: { code: 'not_found' },
  });
  t.match(await one.ask(app, 'bulk.read', { id: ids[109] as string }), { ok: true });
});
