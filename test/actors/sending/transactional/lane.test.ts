// One send through the whole product, without providers: accept, grant, report, status, crash.

import t from 'tap';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import type { DispatchGrant } from '../../../../actors/sending/outbox/protocol.ts';
import type { IdempotencyClaim } from '../../../../actors/sending/transactional/idempotency-claim.ts';
import { hourMs } from '../../../../engine/base/brand.ts';
import { partitionWithApp, TestPartition } from '../../../support/partition.ts';

const suppressed = { channel: 'email' as const, address: 'ana@example.com' };
const email = { channel: 'email' as const, endpoint: 'ana@example.com' };

async function aSend(one: TestPartition, app: number, extra: object = {}): Promise<string> {
  const { id } = await one.value(app, 'transactional.accept', {
    request: {
      to: { externalUserId: 'ana' },
      title: 'Hi {{ first_name }}',
      body: 'Order {{ order_id }}',
      variables: { order_id: 'A-1' },
      ...extra,
    },
    claim: null,
  });
  return id;
}

async function ana(one: TestPartition, app: number) {
  return one.value(app, 'subscriber.upsert', {
    subscriber: { externalUserId: 'ana', tags: { first_name: 'Ana' }, devices: [email] },
  });
}

function reports(grant: DispatchGrant, outcome: Outcome | undefined) {
  return {
    channel: grant.channel,
    reports: grant.attempts.map(({ target, attempt }) => ({
      sendId: attempt.sendId,
      target,
      attempt: attempt.attempt,
      outcome,
    })),
  };
}

/** Fails every attempt, in steps of an hour. Returns how many there were. */
async function failForADay(one: TestPartition, app: number): Promise<number> {
  let count = 0;
  for (let hour = 0; hour < 26; hour++) {
    for (const grant of one.takeGrants()) {
      count += grant.attempts.length;
      await one.ask(
        app,
        'dispatch.report',
        reports(grant, { outcome: 'retry', reason: 'http_503' }),
      );
    }
    await one.advance(hourMs);
  }
  t.same(one.takeGrants(), []);
  return count;
}

t.test('an accepted send is granted, reported and reads as delivered', async (t) => {
  const { one, app } = await partitionWithApp();
  await ana(one, app);
  one.takeGrants();
  const id = await aSend(one, app);
  const [grant] = one.takeGrants() as [DispatchGrant];
  t.equal(grant.attempts.length, 1);
  t.match(grant.attempts[0]?.attempt, {
    content: { title: 'Hi Ana', body: 'Order A-1' },
    endpoint: 'ana@example.com',
  });
  t.equal((await one.value(app, 'transactional.read', { id })).status, 'pending');
  await one.ask(
    app,
    'dispatch.report',
    reports(grant, { outcome: 'accepted', providerMessageId: 'm1' }),
  );
  const view = await one.value(app, 'transactional.read', { id });
  t.match(view, {
    status: 'delivered',
    outcomes: [{ channel: 'email', status: 'delivered', providerMessageId: 'm1' }],
  });
});

t.test(
  'a transient failure is tried again for a day, and then is a dead letter that a redrive lands',
  async (t) => {
    const { one, app } = await partitionWithApp();
    await ana(one, app);
    one.takeGrants();
    const id = await aSend(one, app);
    t.equal(await failForADay(one, app), 25, 'at most an hour between two');
    t.match(await one.value(app, 'transactional.read', { id }), {
      status: 'failed',
      failures: { open: 1, recovered: 0 },
    });
    t.match(await one.value(app, 'dead_letter.redrive', { all: true }), { redriven: 1 });
    const [grant] = one.takeGrants() as [DispatchGrant];
    await one.ask(app, 'dispatch.report', reports(grant, { outcome: 'accepted' }));
    t.match(await one.value(app, 'transactional.read', { id }), {
      status: 'delivered',
      failures: { open: 0, recovered: 1 },
    });
  },
);

t.test('a mended credential is probed at once, and what waited goes out', async (t) => {
  const { one, app } = await partitionWithApp();
  await ana(one, app);
  one.takeGrants();
  for (let index = 0; index < 3; index++) await aSend(one, app);
  const config: Outcome = { outcome: 'config', reason: 'unauthenticated' };
  const report = async (grants: readonly DispatchGrant[], outcome: Outcome) => {
    for (const grant of grants) await one.ask(app, 'dispatch.report', reports(grant, outcome));
  };
  const resume = () => one.ask(app, 'dispatch.resume', { channel: 'email', now: true });
  await report(one.takeGrants(), config);
  await one.advance(60_000);
  await report(one.takeGrants(), config); // the probe, which doubles the wait
  t.same(one.takeGrants(), []);
  await resume();
  const probe = one.takeGrants();
  t.equal(probe.flatMap(({ attempts }) => attempts).length, 1, 'one send finds out');
  await report(probe, { outcome: 'accepted' });
  const next = one.takeGrants();
  t.equal(next.flatMap(({ attempts }) => attempts).length, 1, 'what was ready follows');
  await report(next, { outcome: 'accepted' });
  await one.advance(60_000);
  const last = one.takeGrants().flatMap(({ attempts }) => attempts);
  t.equal(last.length, 1, 'and the probe that failed, after its own wait');

  const rate: Outcome = { outcome: 'rate', reason: 'throttled', retryAfterMs: hourMs };
  const { one: two, app: other } = await partitionWithApp();
  await ana(two, other);
  two.takeGrants();
  await aSend(two, other);
  for (const grant of two.takeGrants())
    await two.ask(other, 'dispatch.report', reports(grant, rate));
  await two.ask(other, 'dispatch.resume', { channel: 'email', now: true });
  t.same(two.takeGrants(), [], 'a pause that the provider asked for stays');
});

t.test('sends that expire behind an open circuit get their receipts', async (t) => {
  const { one, app } = await partitionWithApp();
  await ana(one, app);
  const ids: string[] = [];
  for (let index = 0; index < 200; index++) ids.push(await aSend(one, app, { ttlSeconds: 600 }));
  for (let minute = 0; minute < 30; minute++) {
    for (const grant of one.takeGrants())
      await one.ask(
        app,
        'dispatch.report',
        reports(grant, { outcome: 'retry', reason: 'http_503' }),
      );
    await one.advance(60_000);
  }
  const states = new Map<string, number>();
  for (const id of ids) {
    const { status } = await one.value(app, 'transactional.read', { id });
    states.set(status, (states.get(status) ?? 0) + 1);
  }
  t.equal((states.get('failed') ?? 0) + (states.get('suppressed') ?? 0), 200, `${[...states]}`);
});

t.test('all dead letters of one send go out again in one redrive', async (t) => {
  const { one, app } = await partitionWithApp();
  const phone = { channel: 'fcm' as const, endpoint: 'a-phone-token' };
  await one.value(app, 'subscriber.upsert', {
    subscriber: { externalUserId: 'ana', tags: { first_name: 'Ana' }, devices: [email, phone] },
  });
  one.takeGrants();
  const id = await aSend(one, app);
  await failForADay(one, app);
  t.match(await one.value(app, 'transactional.read', { id }), {
    failures: { open: 2, recovered: 0 },
  });
  t.match(await one.value(app, 'dead_letter.redrive', { all: true }), { redriven: 2 });
  for (const grant of one.takeGrants()) {
    await one.ask(app, 'dispatch.report', reports(grant, { outcome: 'accepted' }));
  }
  t.match(await one.value(app, 'transactional.read', { id }), {
    status: 'delivered',
    failures: { open: 0, recovered: 2 },
  });
});

t.test(
  'a redrive that ends suppressed closes its dead letter without calling it recovered',
  async (t) => {
    const { one, app } = await partitionWithApp();
    await ana(one, app);
    one.takeGrants();
    const id = await aSend(one, app);
    await failForADay(one, app);
    await one.value(app, 'suppression.add', { ...suppressed, source: 'api' });
    t.match(await one.value(app, 'dead_letter.redrive', { all: true }), { redriven: 1 });
    t.same(one.takeGrants(), []);
    t.match(await one.value(app, 'transactional.read', { id }), {
      status: 'suppressed',
      failures: { open: 0, recovered: 0 },
    });
    t.same((await one.value(app, 'dead_letter.list', { limit: 10 })).items, []);
  },
);

t.test('a suppression that committed before the grant keeps the send from starting', async (t) => {
  const { one, app } = await partitionWithApp();
  await ana(one, app);
  await one.value(app, 'suppression.add', {
    channel: 'email',
    address: 'ANA@example.com',
    source: 'api',
  });
  one.takeGrants();
  const id = await aSend(one, app);
  t.same(one.takeGrants(), []);
  t.match(await one.value(app, 'transactional.read', { id }), {
    status: 'suppressed',
    outcomes: [{ reason: 'opt_out' }],
  });
});

t.test('a person without a device on the channels is suppressed with no_device', async (t) => {
  const { one, app } = await partitionWithApp();
  await ana(one, app);
  const id = await aSend(one, app, { channels: ['fcm'] });
  t.match(await one.value(app, 'transactional.read', { id }), {
    status: 'suppressed',
    outcomes: [{ reason: 'no_device' }],
  });
});

t.test('strict rendering refuses with the field in front and releases the key', async (t) => {
  const { one, app } = await partitionWithApp();
  await ana(one, app);
  const claim: IdempotencyClaim = { key: [3, 3, 3, 3], fingerprint: [4, 4] };
  const request = { to: { externalUserId: 'ana' }, title: 'T', body: 'Order {{ order_id }}' };
  const refusal = await one.ask(app, 'transactional.accept', { request, claim });
  t.match(refusal, {
    ok: false,
    fault: { field: 'body', message: 'body: undefined variable: order_id' },
  });
  const first = await one.value(app, 'transactional.accept', {
    request: { ...request, variables: { order_id: 1 } },
    claim,
  });
  const second = await one.value(app, 'transactional.accept', {
    request: { ...request, variables: { order_id: 1 } },
    claim,
  });
  t.same(second, { id: first.id, replayed: true });
  const other: IdempotencyClaim = { ...claim, fingerprint: [5, 5] };
  t.match(await one.ask(app, 'transactional.accept', { request, claim: other }), {
    ok: false,
    fault: { code: 'idempotency_conflict' },
  });
});

t.test('what was in flight at a crash is known by name and tried again', async (t) => {
  const { one, app } = await partitionWithApp();
  await ana(one, app);
  one.takeGrants();
  const id = await aSend(one, app);
  t.equal(one.takeGrants().length, 1);
  const two = new TestPartition({ store: one.store.crash(), clock: one.clock });
  await two.settle();
  await two.advance(2_000);
  const [grant] = two.takeGrants() as [DispatchGrant];
  t.equal(grant.attempts[0]?.attempt.sendId, id);
  t.equal(grant.attempts[0]?.attempt.attempt, 2);
  await two.ask(app, 'dispatch.report', reports(grant, { outcome: 'accepted' }));
  t.equal((await two.value(app, 'transactional.read', { id })).status, 'delivered');
});

t.test('memory after a restart equals memory before it', async (t) => {
  const { one, app } = await partitionWithApp();
  await ana(one, app);
  await aSend(one, app);
  await one.settle();
  const two = new TestPartition({ store: one.store.crash(), clock: one.clock });
  const before = [...one.product.parts()];
  const restored = new TestPartition({ clock: one.clock });
  restored.product.restore(structuredClone(before));
  t.same([...restored.product.parts()], before);
  t.ok(two.partition.seq >= one.partition.seq);
});
