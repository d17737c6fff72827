// A start whose clock is wrong, or right after a long downtime: what expires waits until somebody
// confirms the clock, and nothing else does.

import { createECDH, createHmac } from 'node:crypto';
import t from 'tap';
import { dayMs, hourMs, minuteMs } from '../../../engine/base/brand.ts';
import type { MemoryStore } from '../../../storage/memory.ts';
import { partitionWithApp, TestPartition, testClock } from '../../support/partition.ts';

const begin = Date.UTC(2026, 0, 15, 12);
const claim = (key: number) => ({ key: [key, 2, 3, 4], fingerprint: [5, 6] }) as const;
const to = { externalUserId: 'ada' };
const keys = createECDH('prime256v1').generateKeys('base64url');
const subscription = {
  endpoint: 'https://push.example/1',
  keys: { p256dh: keys, auth: Buffer.alloc(16).toString('base64url') },
};

async function started() {
  const { one, app } = await partitionWithApp({ clock: testClock(begin) });
  await one.value(app, 'subscriber.upsert', {
    subscriber: { externalUserId: 'ada', devices: [{ channel: 'fcm', endpoint: 'phone' }] },
  });
  return { one, app };
}

/** The same data under a clock that shows `atMs`. */
function startedAt(store: MemoryStore, atMs: number) {
  return new TestPartition({ store, clock: testClock(atMs) });
}

async function accept(one: TestPartition, app: number, key: number, ttlSeconds?: number) {
  const request = { to, title: 'Code', body: '1234', ...(ttlSeconds && { ttlSeconds }) };
  return one.value(app, 'transactional.accept', { request, claim: claim(key) });
}

async function track(one: TestPartition, app: number, id: string) {
  const body = { appId: 'app', events: [{ name: 'order', externalUserId: 'ada', id }] };
  const bytes = Buffer.from(JSON.stringify(body));
  await one.value(app, 'events.ingest', { keyless: false }, { bytes });
  return one.product.state.apps.get(app)?.nextEvent;
}

t.test('a key and an event id outlive a start with the clock a year ahead', async (t) => {
  const { one, app } = await started();
  const { id } = await accept(one, app, 1);
  const stored = await track(one, app, 'e-1');

  const wrong = startedAt(one.store, begin + 365 * dayMs);
  await wrong.settle();
  t.same(await accept(wrong, app, 1), { id, replayed: true });
  const second = await accept(wrong, app, 2);
  t.equal(await track(wrong, app, 'e-1'), stored, 'the event is known');
  await wrong.advance(6_000);
  t.ok(wrong.partition.clock.unconfirmedMs > 364 * dayMs);

  const right = startedAt(one.store, begin + minuteMs);
  await right.settle();
  t.same(await accept(right, app, 1), { id, replayed: true });
  t.same(await accept(right, app, 2), { id: second.id, replayed: true }, 'one of the wrong time');
  t.equal(await track(right, app, 'e-1'), stored);
  t.ok(right.partition.clock.behindMs > 364 * dayMs);
});

t.test('once the clock is confirmed, what is a day old expires', async (t) => {
  const { one, app } = await started();
  const { id } = await accept(one, app, 1);
  const later = startedAt(one.store, begin + 2 * dayMs);
  await later.settle();
  t.same(await accept(later, app, 1), { id, replayed: true });
  const { id: young } = await accept(later, app, 2);
  later.partition.confirmClock('kernel');
  await later.settle();
  t.equal(later.partition.clock.unconfirmedMs, 0);
  t.not((await accept(later, app, 1)).id, id);
  t.same(await accept(later, app, 2), { id: young, replayed: true });
});

t.test(
  'a day of running confirms the clock, and a clock that fell behind never does',
  async (t) => {
    const { one } = await started();
    const later = startedAt(one.store, begin + 30 * dayMs);
    await later.settle();
    for (let hour = 0; hour < 25; hour++) await later.advance(hourMs);
    later.partition.nudge();
    await later.settle();
    t.equal(later.partition.clock.unconfirmedMs, 0);

    const wrong = startedAt(one.store, begin + 150 * dayMs);
    await wrong.settle();
    const right = startedAt(one.store, begin + 32 * dayMs);
    for (let hour = 0; hour < 30; hour++) {
      await right.advance(hourMs);
      right.partition.confirmClock('kernel');
    }
    t.ok(right.partition.clock.unconfirmedMs > 100 * dayMs);
  },
);

t.test('an unconfirmed gap is found again from the log and from a checkpoint', async (t) => {
  const { one, app } = await started();
  const { id } = await accept(one, app, 1);
  const wrong = startedAt(one.store, begin + 100 * dayMs);
  await wrong.settle();
  const checkpoint = {
    seq: wrong.partition.seq,
    memory: structuredClone(wrong.partition.snapshot()),
  };
  const clock = () => testClock(begin + 100 * dayMs + minuteMs);
  const byLog = new TestPartition({ store: one.store, clock: clock() });
  t.same(await accept(byLog, app, 1), { id, replayed: true });
  const resumed = new TestPartition({ store: one.store, clock: clock(), checkpoint });
  t.same(await accept(resumed, app, 1), { id, replayed: true });
});

t.test(
  'a send that has expired only if the clock is right waits until that is known',
  async (t) => {
    const cases = [true, false].flatMap((isRight) =>
      [3_600, undefined].map((ttlSeconds) => ({ isRight, ttlSeconds })),
    );
    for (const { isRight, ttlSeconds } of cases) {
      const { one, app } = await started();
      const { id } = await accept(one, app, 1, ttlSeconds);
      one.takeGrants(); // and the process dies before a call
      const later = startedAt(one.store, begin + 10 * dayMs);
      await later.settle();
      await later.advance(2 * minuteMs);
      t.equal(later.takeGrants().length, 0);
      t.equal((await later.value(app, 'transactional.read', { id })).status, 'pending');
      if (isRight) {
        later.partition.confirmClock('kernel');
        for (let minute = 0; minute < 20; minute++) await later.advance(minuteMs);
        t.not((await later.value(app, 'transactional.read', { id })).status, 'pending');
        t.equal(later.takeGrants().length, 0, 'a code of last week is not sent');
        continue;
      }
      const right = startedAt(one.store, begin + 10 * minuteMs);
      for (let minute = 0; minute < 20; minute++) await right.advance(minuteMs);
      t.equal(right.takeGrants().length, 1, 'the clock was wrong: it is sent');
    }
  },
);

t.test('delays end while the wall clock is behind the data', async (t) => {
  const { one, app } = await started();
  await accept(one, app, 1);
  const [grant] = one.takeGrants();
  const right = startedAt(one.store, begin - dayMs);
  await right.settle();
  for (let minute = 0; minute < 5; minute++) await right.advance(minuteMs);
  t.ok(grant !== undefined && right.takeGrants().length > 0, 'the interrupted attempt is repeated');
});

t.test('`engage clock accept` sets instants right, and what waits keeps its wait', async (t) => {
  const { one, app } = await started();
  const { id } = await accept(one, app, 1);
  one.takeGrants();
  const wrong = startedAt(one.store, begin + 120 * dayMs);
  await wrong.settle();
  const { id: second } = await accept(wrong, app, 2, 7_200);
  await track(wrong, app, 'e-2');
  const clock = testClock(begin + minuteMs);
  const right = new TestPartition({ store: one.store, clock });
  await right.settle();
  right.partition.acceptClock();
  await right.settle();
  t.same(right.partition.clock, { behindMs: 0, unconfirmedMs: 0, doubtedMs: undefined });
  t.same(await accept(right, app, 1), { id, replayed: true });
  t.same(await accept(right, app, 2), { id: second, replayed: true });
  const stored = right.product.state.apps.get(app)?.nextEvent;
  t.equal(await track(right, app, 'e-2'), stored, 'the event of the wrong time is known');
  const job = right.product.state.apps.get(app)?.outbox.jobs.get(second);
  t.equal(job?.expiresMs, begin + minuteMs + 7_200_000, 'and lives for two hours from then on');
  for (let minute = 0; minute < 5; minute++) await right.advance(minuteMs);
  t.ok(right.takeGrants().length > 0, 'retries go on');
  const { id: third } = await accept(right, app, 3);
  t.equal(right.product.state.apps.get(app)?.outbox.jobs.get(third)?.acceptedMs, clock.nowMs);
  for (let hour = 0; hour < 25; hour++) await right.advance(hourMs);
  t.not((await accept(right, app, 1)).id, id, 'a day later the keys expire');
  t.not((await accept(right, app, 2)).id, second);

  const replayed = startedAt(one.store, clock.nowMs);
  t.same(
    replayed.partition.snapshot().filter(({ name }) => name !== 'runtime'),
    right.partition.snapshot().filter(({ name }) => name !== 'runtime'),
    'a restart folds the same memory',
  );
});

t.test('accepting a clock that is ahead confirms it', async (t) => {
  const { one, app } = await started();
  const { id } = await accept(one, app, 1);
  const later = startedAt(one.store, begin + 10 * dayMs);
  await later.settle();
  later.partition.acceptClock();
  await later.settle();
  t.equal(later.partition.clock.unconfirmedMs, 0);
  t.not((await accept(later, app, 1)).id, id);
});

t.test('an accepted clock ends no pause later than its length', async (t) => {
  const { one, app } = await started();
  const wrong = startedAt(one.store, begin + 120 * dayMs);
  await wrong.settle();
  await wrong.value(app, 'subscriber.upsert', {
    subscriber: {
      externalUserId: 'bo',
      devices: [{ channel: 'webpush', endpoint: subscription }],
    },
  });
  const request = { to: { externalUserId: 'bo' }, title: 'Code', body: '1234' };
  await wrong.value(app, 'transactional.accept', { request, claim: null });
  const [grant] = wrong.takeGrants();
  const attempt = grant?.attempts[0];
  await wrong.value(app, 'dispatch.report', {
    channel: 'webpush',
    reports: [
      {
        sendId: attempt?.attempt.sendId ?? '',
        target: 0,
        attempt: 1,
        outcome: { outcome: 'config', reason: 'vapid_refused', account: 'push.example' },
      },
    ],
  });
  const right = startedAt(one.store, begin + minuteMs);
  await right.settle();
  right.partition.acceptClock();
  await right.settle();
  for (let minute = 0; minute < 20; minute++) await right.advance(minuteMs);
  t.ok(right.takeGrants().length > 0, 'the push service is probed again');
});

t.test('sessions and replaced keys outlive a start with the clock a year ahead', async (t) => {
  const { one, app } = await started();
  const hashOf = (secret: string) => createHmac('sha256', secret).update('ada').digest('hex');
  const secretHash = (byte: number) => new Uint8Array(32).fill(byte);
  const login = { externalUserId: 'ada', tokenKey: new Uint8Array(32).fill(3) };
  await one.value(app, 'identity.put_secret', { secret: 'first' });
  const proof = { ...login, identityHash: hashOf('first') };
  const { clientToken } = await one.value(app, 'sdk.login', { login: proof });
  await one.value(app, 'identity.put_secret', { secret: 'second' });
  for (const byte of [1, 2]) await one.value(app, 'cdp.put', { secretHash: secretHash(byte) });

  const works = async (partition: TestPartition) => [
    (await partition.ask(app, 'sdk.person', { clientToken })).ok,
    await partition.value(app, 'cdp.verify', { secretHash: secretHash(1) }),
  ];
  const wrong = startedAt(one.store, begin + 365 * dayMs);
  await wrong.settle();
  t.same(await works(wrong), [true, true]);
  await wrong.value(app, 'identity.put_secret', { secret: 'third' });
  await wrong.value(app, 'cdp.put', { secretHash: secretHash(3) });

  const clock = testClock(begin + minuteMs);
  const right = new TestPartition({ store: one.store, clock });
  await right.settle();
  right.partition.acceptClock();
  await right.settle();
  const second = { ...login, identityHash: hashOf('second') };
  t.ok((await right.ask(app, 'sdk.login', { login: second })).ok);
  t.equal(await right.value(app, 'cdp.verify', { secretHash: secretHash(2) }), true);
  for (let hour = 0; hour < 25; hour++) await right.advance(hourMs);
  t.notOk((await right.ask(app, 'sdk.login', { login: second })).ok, 'a day later they end');
  t.equal(await right.value(app, 'cdp.verify', { secretHash: secretHash(2) }), false);
});
