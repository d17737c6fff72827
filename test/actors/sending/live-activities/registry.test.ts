// The registry's rows: who may touch which, how many there may be, where they go when people merge
// or are erased, how they are listed and when they are swept.

import t from 'tap';
import { limits } from '../../../../actors/limits.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { encodeKey } from '../../../../storage/keys.ts';
import { MemoryStore } from '../../../../storage/memory.ts';
import { binaryName, OrderedMap } from '../../../../storage/ordered-map.ts';
import { subscribers } from '../../../../storage/tables/subscriber.ts';
import { ActivityScene, tokenOf } from './scene.ts';

t.test('the same token of the same person again is the same activity', async (t) => {
  const scene = await ActivityScene.open();
  const [ada, bob] = [await scene.logIn(), await scene.logIn()];
  const id = await scene.register(ada, tokenOf(1));
  t.equal(await scene.register(ada, tokenOf(1), { activityType: 'Ride' }), id);
  t.equal(scene.row(id)?.activityType, 'Ride');
  t.not(await scene.register(ada, tokenOf(2)), id);
  t.not(await scene.register(bob, tokenOf(1)), id);
  await scene.push(id, {}, { event: 'end' });
  t.not(await scene.register(ada, tokenOf(1)), id, 'one that is over is another');
});

t.test('nobody reaches the activity of somebody else, or of another app', async (t) => {
  const scene = await ActivityScene.open();
  const [ada, bob] = [await scene.logIn(), await scene.logIn()];
  const id = await scene.register(ada, tokenOf(1));
  const nothing = { ok: false, fault: { code: 'not_found', message: 'live activity not found' } };
  t.match(await scene.rotate(bob, id, tokenOf(2)), nothing);
  t.match(await scene.rotate(ada, 'la_nonsense', tokenOf(2)), nothing);
  t.match(await scene.rotate({ ...ada, clientToken: 'ct_x' }, id, tokenOf(2)), {
    fault: { code: 'invalid_client_token' },
  });
  const other = await scene.one.value(scene.org, 'app.create', {
    name: 'Other',
    timezone: 'UTC',
    vapid: { publicKey: 'public', privateKey: 'private' },
  });
  const change = { event: 'update', contentState: {} } as const;
  t.match(
    await scene.one.ask(other.ordinal, 'live_activity.push', { id, change, claim: null }),
    nothing,
  );
  const page = await scene.one.value(other.ordinal, 'live_activity.list', { limit: 10 });
  t.same(page, { items: [], nextCursor: null });
  t.equal(scene.row(id)?.pushToken, tokenOf(1));
});

t.test('a person has so many activities, and those that are over give way first', async (t) => {
  const scene = await ActivityScene.open();
  const ada = await scene.logIn();
  const ids: string[] = [];
  for (let number = 0; number < limits.liveActivitiesMax; number++) {
    ids.push(await scene.register(ada, tokenOf(number)));
    await scene.one.advance(1);
  }
  const [oldest = '', , over = ''] = ids;
  await scene.push(over, {}, { event: 'end' });
  const waiting = await scene.push(oldest, { n: 1 });
  for (const grant of scene.grants())
    if (grant.attempt.sendId === waiting)
      await scene.answer(grant, { outcome: 'retry', reason: 'http_503' });
  ids.push(await scene.register(ada, tokenOf(100)));
  t.equal(scene.row(over), undefined);
  const listed = await scene.list();
  t.same(
    listed.map(({ id }) => id),
    ids.filter((id) => id !== over),
  );
  await scene.one.advance(1); // and now the one that was left alone the longest
  await scene.register(ada, tokenOf(101));
  t.equal(scene.row(ids[1] ?? ''), undefined);
  t.ok(scene.row(oldest), 'an update is a touch');
});

t.test('what waits for an activity that gave way is suppressed', async (t) => {
  const scene = await ActivityScene.open();
  const ada = await scene.logIn();
  const first = await scene.register(ada, tokenOf(0));
  const send = await scene.push(first, { n: 1 });
  for (const grant of scene.grants())
    await scene.answer(grant, { outcome: 'retry', reason: 'http_503' });
  for (let number = 1; number <= limits.liveActivitiesMax; number++) {
    scene.one.clock.nowMs++;
    await scene.register(ada, tokenOf(number));
  }
  await scene.one.advance(60_000);
  t.match(await scene.status(send), { status: 'suppressed', reason: 'activity_closed' });
});

t.test('activities move when people merge, with what is on its way to them', async (t) => {
  const scene = await ActivityScene.open();
  const known = await scene.logIn({ externalUserId: 'ada' });
  const theirs = await scene.register(known, tokenOf(1));
  await scene.one.advance(1);
  const phone = await scene.logIn();
  const id = await scene.register(phone, tokenOf(2));
  const send = await scene.push(id, { n: 1 });
  const [grant] = scene.grants();
  const merged = await scene.logIn({ externalUserId: 'ada', clientToken: phone.clientToken });
  t.same(
    (await scene.list({ to: { id: known.subscriberId } })).map((one) => [one.id, one.subscriberId]),
    [
      [theirs, known.subscriberId],
      [id, known.subscriberId],
    ],
  );
  for (const token of [known, merged])
    t.match(await scene.rotate(token, id, tokenOf(token === known ? 3 : 4)), { ok: true });
  if (grant !== undefined) await scene.answer(grant, { outcome: 'retry', reason: 'http_503' });
  await scene.one.advance(60_000);
  t.match(scene.grants(), [{ attempt: { sendId: send, endpoint: tokenOf(4) } }]);
});

t.test('a merge keeps as many as a person may have, the live ones first', async (t) => {
  const scene = await ActivityScene.open();
  const half = limits.liveActivitiesMax / 2 + 1;
  const known = await scene.logIn({ externalUserId: 'ada' });
  const phone = await scene.logIn();
  const ids: string[] = [];
  for (let number = 0; number < half; number++) {
    scene.one.clock.nowMs++;
    ids.push(await scene.register(known, tokenOf(number)));
    ids.push(await scene.register(phone, tokenOf(1_000 + number)));
  }
  const over = ids.slice(4, 6);
  for (const id of over) await scene.push(id, {}, { event: 'end' });
  await scene.logIn({ externalUserId: 'ada', clientToken: phone.clientToken });
  const left = new Set((await scene.list({ to: { id: known.subscriberId } })).map(({ id }) => id));
  t.same(left, new Set(ids.filter((id) => !over.includes(id))));
  t.same(new Set((await scene.list()).map(({ id }) => id)), left, 'both tables say the same');
});

t.test('nothing of an activity outlives its person', async (t) => {
  const scene = await ActivityScene.open();
  const [ada, bob] = [await scene.logIn(), await scene.logIn()];
  const id = await scene.register(ada, tokenOf(1));
  const other = await scene.register(bob, tokenOf(2));
  const send = await scene.push(id, { n: 1 });
  await scene.one.value(scene.app, 'subscriber.erase', { ref: { id: ada.subscriberId } });
  t.equal(scene.row(id), undefined);
  t.match(await scene.status(send), { status: 'suppressed', reason: 'erased' });
  t.same(
    (await scene.list()).map(({ id }) => id),
    [other],
  );
  for (const grant of scene.grants())
    await scene.answer(grant, { outcome: 'dead', reason: 'unregistered' });
  t.equal(scene.row(id), undefined, 'a late outcome brings nothing back');
});

t.test('a dead letter of somebody who was erased is redriven to nobody', async (t) => {
  // At once the row has its words still; two hours later they are gone.
  for (const [waitMs, reason] of [
    [0, 'activity_closed'],
    [2 * hourMs, 'no_device'],
  ] as const) {
    const scene = await ActivityScene.open();
    const ada = await scene.logIn();
    const send = await scene.push(await scene.register(ada, tokenOf(1)), { n: 1 });
    for (let hour = 0; hour < 13; hour++) {
      for (const grant of scene.grants())
        await scene.answer(grant, { outcome: 'retry', reason: 'http_503' });
      await scene.one.advance(hourMs);
    }
    t.match(await scene.status(send), { status: 'failed' });
    await scene.one.value(scene.app, 'subscriber.erase', { ref: { id: ada.subscriberId } });
    await scene.one.advance(waitMs);
    const redrive = { all: true } as const;
    t.match(await scene.one.value(scene.app, 'dead_letter.redrive', redrive), { redriven: 1 });
    t.same(scene.grants(), []);
    t.match(await scene.status(send), { status: 'suppressed', reason });
  }
});

t.test('a list is filtered by state and person, and its pages come to an end', async (t) => {
  const scene = await ActivityScene.open();
  const people = [await scene.logIn(), await scene.logIn()];
  const ids: string[] = [];
  for (let number = 0; number < 20; number++) {
    const client = people[number % 2];
    if (client === undefined) continue;
    scene.one.clock.nowMs++;
    const id = await scene.register(client, tokenOf(number));
    ids.push(id);
    if (number % 3 === 0) await scene.push(id, {}, { event: 'end' });
  }
  const [ada] = people;
  const queries = [
    {},
    { state: 'ended' },
    { state: 'active' },
    { state: 'closed' },
    { to: { id: ada?.subscriberId ?? '' } },
    { to: { id: ada?.subscriberId ?? '' }, state: 'ended' },
  ] as const;
  for (const [query, order, limit] of queries.flatMap((query) =>
    [1, 3, 7, 200].flatMap((limit) =>
      (['oldest', 'newest'] as const).map((order) => [query, order, limit] as const),
    ),
  )) {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: readonly { id: string }[]; nextCursor: string | null } =
        await scene.one.value(scene.app, 'live_activity.list', {
          ...query,
          order,
          limit,
          ...(cursor === null ? {} : { cursor }),
        });
      t.ok(page.items.length <= limit);
      found.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    const wanted = ids.filter((_id, number) => {
      const state = number % 3 === 0 ? 'ended' : 'active';
      const isTheirs = !('to' in query) || number % 2 === 0;
      return isTheirs && (!('state' in query) || query.state === state);
    });
    if (order === 'newest') wanted.reverse();
    t.same(found, wanted, `${JSON.stringify(query)} by ${limit}, ${order} first`);
  }
  for (const wrong of [{ cursor: 'sub_x' }, { cursor: ids[0] ?? '', order: 'newest' }] as const)
    t.match(await scene.one.ask(scene.app, 'live_activity.list', { limit: 1, ...wrong }), {
      ok: false,
      fault: { field: 'cursor' },
    });
  t.match(await scene.one.ask(scene.app, 'live_activity.list', { limit: 1, to: { id: 'sub_x' } }), {
    ok: false,
    fault: { code: 'not_found' },
  });
});

t.test('old activities go with the events of their time', async (t) => {
  const scene = await ActivityScene.open();
  const ada = await scene.logIn({ externalUserId: 'ada' }); // anonymous people would expire
  const old = await scene.register(ada, tokenOf(1));
  await scene.one.advance(10 * dayMs);
  const young = await scene.register(ada, tokenOf(2));
  await scene.one.advance(limits.eventsRetentionDays * dayMs - 9 * dayMs);
  await scene.one.value(scene.app, 'transactional.sweep', {});
  t.equal(scene.row(old), undefined);
  t.ok(scene.row(young));
  t.same(
    (await scene.list({ to: { id: ada.subscriberId } })).map(({ id }) => id),
    [young],
  );
});

t.test('a list says whose each is, and a damaged person costs no more than the name', async (t) => {
  const rows = new OrderedMap<Uint8Array>();
  const atRest = { epoch: 1, durableSeq: 0, oldestSeq: 1, blocks: new Map(), documents: rows };
  const scene = await ActivityScene.open({ store: new MemoryStore({}, atRest) });
  const [ada, nobody] = [await scene.logIn({ externalUserId: 'ada' }), await scene.logIn()];
  const ids = [await scene.register(ada, tokenOf(1)), await scene.register(nobody, tokenOf(2))];
  const named = async () =>
    (await scene.list()).map(({ id, externalUserId }) => [id, externalUserId]);
  t.same(await named(), [
    [ids[0], 'ada'],
    [ids[1], undefined],
  ]);
  const key = encodeKey(subscribers.id, scene.app, [scene.row(ids[0] ?? '')?.person ?? 0]);
  const record = Buffer.from(rows.get(binaryName(key)) ?? []);
  record.writeUInt8(record.readUInt8(record.length - 1) ^ 1, record.length - 1);
  rows.set(binaryName(key), record);
  t.same(await named(), [
    [ids[0], undefined],
    [ids[1], undefined],
  ]);
});
