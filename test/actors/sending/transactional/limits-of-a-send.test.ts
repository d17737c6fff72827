// What keeps a send, or one of its devices, from leaving: the allowance, its life, a missing
// subject; and what is kept of what the provider said.

import t from 'tap';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { eventsOf } from '../../../../actors/runtime/facts.ts';
import { decodeBlock } from '../../../../engine/actor/block.ts';
import { hourMs } from '../../../../engine/base/brand.ts';
import { partitionWithApp, type TestPartition, testClock } from '../../../support/partition.ts';

async function withPerson(...channels: ('email' | 'fcm' | 'sms')[]) {
  const { one, org, app } = await partitionWithApp({ clock: testClock() });
  const endpoints = {
    email: 'ana@example.com',
    fcm: 'token-of-ana-0123456789',
    sms: '+14155550123',
  };
  const { subscriber } = await one.value(app, 'subscriber.upsert', {
    subscriber: {
      externalUserId: 'ana',
      devices: channels.map((channel) => ({ channel, endpoint: endpoints[channel] })),
    },
  });
  return { one, org, app, subscriber };
}

async function send(one: TestPartition, app: number, more: object = {}) {
  const request = { to: { externalUserId: 'ana' }, title: 'Hi', body: 'there', ...more };
  return one.ask(app, 'transactional.accept', { request, claim: null });
}

async function accepted(one: TestPartition, app: number, more: object = {}): Promise<string> {
  const answer = await send(one, app, more);
  if (!answer.ok) throw new Error(answer.fault.message);
  return (answer.value as { id: string }).id;
}

/** Answers every granted attempt, and says how many there were. */
async function answer(one: TestPartition, app: number, outcome: Outcome): Promise<number> {
  let count = 0;
  for (const { channel, attempts } of one.takeGrants()) {
    count += attempts.length;
    const reports = attempts.map(({ target, attempt }) => ({
      sendId: attempt.sendId,
      target,
      attempt: attempt.attempt,
      outcome,
    }));
    await one.value(app, 'dispatch.report', { channel, reports });
  }
  return count;
}

/** Sets the org's monthly allowance of emails. */
const allow = (one: TestPartition, org: number, emailAllowance: number | null) =>
  one.value(org, 'org.set_limits', { emailAllowance });
const read = (one: TestPartition, app: number, id: string) =>
  one.value(app, 'transactional.read', { id });

t.test('emails beyond the allowance are suppressed, with those under way counted', async (t) => {
  const { one, org, app } = await withPerson('email');
  await allow(one, org, 3);
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.push(await accepted(one, app));
  const fourth = await accepted(one, app);
  t.match(await read(one, app, fourth), {
    status: 'suppressed',
    outcomes: [{ channel: 'email', reason: 'email_cap' }],
  });
  t.equal(await answer(one, app, { outcome: 'permanent', reason: 'bad_mailbox' }), 3);
  t.match(await read(one, app, ids[0] as string), { status: 'bounced' });
  const fifth = await accepted(one, app);
  t.equal(await answer(one, app, { outcome: 'accepted' }), 1, 'a bounce gave its place back');
  t.equal((await read(one, app, fifth)).status, 'delivered');
  for (let i = 0; i < 2; i++) await accepted(one, app);
  await answer(one, app, { outcome: 'accepted' });
  t.match(await read(one, app, await accepted(one, app)), { status: 'suppressed' });
  await allow(one, org, null);
  await accepted(one, app);
  t.equal(await answer(one, app, { outcome: 'accepted' }), 1, 'null is unlimited');
});

t.test('the allowance is of the org, and begins anew with the month', async (t) => {
  const { one, org, app } = await withPerson('email');
  await allow(one, org, 1);
  await accepted(one, app);
  await answer(one, app, { outcome: 'accepted' });
  t.match(await read(one, app, await accepted(one, app)), { status: 'suppressed' });
  await one.advance(31 * 24 * hourMs);
  await accepted(one, app);
  t.equal(await answer(one, app, { outcome: 'accepted' }), 1);
});

t.test('a life of 0 seconds is one try, and no second', async (t) => {
  const { one, app } = await withPerson('fcm');
  const id = await accepted(one, app, { ttlSeconds: 0 });
  const [grant] = one.takeGrants();
  t.equal(grant?.attempts[0]?.attempt.content?.options.ttlSeconds, 0);
  await one.value(app, 'dispatch.report', {
    channel: 'fcm',
    reports: [
      {
        sendId: id,
        target: 0,
        attempt: 1,
        outcome: { outcome: 'retry', reason: 'http_503', detail: 'UNAVAILABLE' },
      },
    ],
  });
  t.match(await read(one, app, id), {
    status: 'failed',
    outcomes: [{ reason: 'expired', detail: 'http_503: UNAVAILABLE', attempts: 1 }],
  });
});

t.test(
  'a send that expires on the way to its provider ends as one that expired before',
  async (t) => {
    const { one, app } = await withPerson('fcm');
    const first = await accepted(one, app, { ttlSeconds: 60 });
    await answer(one, app, { outcome: 'permanent', reason: 'expired' });
    t.match(await read(one, app, first), {
      status: 'suppressed',
      outcomes: [{ reason: 'expired' }],
    });
    const second = await accepted(one, app, { ttlSeconds: 60 });
    await answer(one, app, { outcome: 'retry', reason: 'http_503' });
    await one.advance(30_000);
    await answer(one, app, { outcome: 'permanent', reason: 'expired' });
    t.match(await read(one, app, second), { status: 'failed', failures: { open: 1 } });
  },
);

t.test(
  'a dead letter names the person and what the provider said last, and so does its event',
  async (t) => {
    const { one, app, subscriber } = await withPerson('fcm');
    await accepted(one, app, { ttlSeconds: 3_600 });
    for (let tries = 0; tries < 20; tries++) {
      await answer(one, app, { outcome: 'retry', reason: 'http_503', detail: 'UNAVAILABLE' });
      await one.advance(15 * 60_000);
    }
    const { items } = await one.value(app, 'dead_letter.list', { limit: 10 });
    t.match(items, [{ subscriberId: subscriber.id, detail: /UNAVAILABLE/ }]);
    const metas = [...one.store.blocks(one.store.oldestSeq, 1_000)]
      .flatMap(({ block }) => decodeBlock(block).entries)
      .flatMap((entry) => [...eventsOf(entry)])
      .map((events) => events.metaJson(0));
    t.ok(metas.some((meta) => meta?.includes('UNAVAILABLE')));
  },
);

t.test('a mail needs a subject: alone it is refused, beside other channels left out', async (t) => {
  const alone = await withPerson('email');
  t.match(await send(alone.one, alone.app, { title: undefined }), {
    ok: false,
    fault: { field: 'title', message: 'title: required for email' },
  });
  const { one, app } = await withPerson('email', 'fcm');
  const id = await accepted(one, app, { title: undefined });
  await answer(one, app, { outcome: 'accepted' });
  const { outcomes } = await read(one, app, id);
  t.match(
    outcomes.find(({ channel }) => channel === 'email'),
    { status: 'suppressed', reason: 'invalid_content' },
  );
});

t.test('somebody who opts out at the provider is suppressed, and has the event', async (t) => {
  const { one, app } = await withPerson('email');
  await accepted(one, app);
  await answer(one, app, { outcome: 'opted_out', reason: 'stop' });
  const names = [...one.store.blocks(one.store.oldestSeq, 1_000)]
    .flatMap(({ block }) => decodeBlock(block).entries)
    .flatMap((entry) => [...eventsOf(entry)])
    .map((events) => [events.seq(0), events.name(0)]);
  t.same(names, [
    [1, 'bounced'],
    [2, 'unsubscribed'],
  ]);
  t.equal(one.product.state.apps.get(app)?.nextEvent, 3);
  const again = await accepted(one, app);
  t.match(await read(one, app, again), { status: 'suppressed', outcomes: [{ reason: 'opt_out' }] });
});
