// What is left of a person after an erasure, at once and hours later, and that a restore does not
// bring them back.

import t from 'tap';
import { erasureIn } from '../../../actors/runtime/erasure.ts';
import { sendKey } from '../../../actors/sending/outbox/send-key.ts';
import { decodeBlock } from '../../../engine/actor/block.ts';
import { hourMs } from '../../../engine/base/brand.ts';
import { Documents } from '../../../storage/documents.ts';
import { deadLetters, sends } from '../../../storage/tables/send.ts';
import { partitionWithApp, TestPartition, testClock } from '../../support/partition.ts';

async function withPeople(...names: string[]) {
  const clock = testClock();
  const { one, app } = await partitionWithApp({ clock });
  const ids: Record<string, string> = {};
  for (const name of names) {
    const { subscriber } = await one.value(app, 'subscriber.upsert', {
      subscriber: {
        externalUserId: name,
        devices: [{ channel: 'email', endpoint: `${name}@example.com` }],
      },
    });
    ids[name] = subscriber.id;
  }
  return { one, app, ids, clock };
}

async function send(one: TestPartition, app: number, name: string, more = {}): Promise<string> {
  const request = { to: { externalUserId: name }, title: 'Hi', body: `Dear ${name}`, ...more };
  return (await one.value(app, 'transactional.accept', { request, claim: null })).id;
}

/**
 * Reports everything that was granted as taken, or as refused with words of the provider that
 * repeat an address.
 */
async function deliver(one: TestPartition, app: number, isRefused = false): Promise<void> {
  for (let grants = one.takeGrants(); grants.length > 0; grants = one.takeGrants()) {
    for (const { channel, attempts } of grants) {
      const reports = attempts.map(({ target, attempt }) => ({
        sendId: attempt.sendId,
        target,
        attempt: attempt.attempt,
        outcome: isRefused
          ? {
              outcome: 'retry' as const,
              reason: 'mailbox_full',
              retryAfterMs: hourMs,
              detail: `<${attempt.endpoint}>`,
            }
          : { outcome: 'accepted' as const, providerMessageId: 'm-1' },
      }));
      await one.value(app, 'dispatch.report', { channel, reports });
    }
  }
}

const rowOf = (one: TestPartition, app: number, id: string) =>
  new Documents(one.store).get(sends, app, sendKey(app, id) ?? []);
const erase = (one: TestPartition, app: number, name: string) =>
  one.value(app, 'subscriber.erase', { ref: { externalUserId: name } });

t.test('open sends of an erased person end at once, and what was rendered is gone', async (t) => {
  const { one, app } = await withPeople('ana', 'ben');
  const id = await send(one, app, 'ana');
  const other = await send(one, app, 'ben');
  const [grant] = one.takeGrants();
  await erase(one, app, 'ana');
  t.match(await one.value(app, 'transactional.read', { id }), {
    status: 'suppressed',
    outcomes: [{ channel: 'email', status: 'suppressed', reason: 'erased' }],
  });
  t.same(rowOf(one, app, id)?.content, {});
  t.match(await one.value(app, 'transactional.read', { id: other }), { status: 'pending' });
  t.match(rowOf(one, app, other)?.content, { plain: { body: 'Dear ben' } });
  // What was under way comes back, to nobody.
  await one.value(app, 'dispatch.report', {
    channel: 'email',
    reports: [
      {
        sendId: id,
        target: 0,
        attempt: grant?.attempts[0]?.attempt.attempt ?? 0,
        outcome: { outcome: 'accepted' },
      },
    ],
  });
  t.equal((await one.value(app, 'transactional.read', { id })).status, 'suppressed');
});

t.test('ended sends lose their content within hours, and nobody else does', async (t) => {
  const { one, app } = await withPeople('ana', 'ben');
  const hers = [await send(one, app, 'ana'), await send(one, app, 'ana')];
  const his = await send(one, app, 'ben');
  await deliver(one, app);
  await erase(one, app, 'ana');
  t.match(rowOf(one, app, hers[0] as string)?.content, { plain: { body: 'Dear ana' } }, 'not yet');
  await one.advance(hourMs);
  for (const id of hers) {
    t.same(rowOf(one, app, id)?.content, {});
    t.equal((await one.value(app, 'transactional.read', { id })).status, 'delivered');
  }
  t.match(rowOf(one, app, his)?.content, { plain: { body: 'Dear ben' } });
  const { timersPending } = one.partition;
  await one.advance(10 * hourMs);
  t.equal(one.partition.timersPending, timersPending, 'no pass without an erasure');
});

t.test('a pass goes on over many turns, and one that comes behind it is not missed', async (t) => {
  const { one, app } = await withPeople('ana', 'ben', 'eve');
  const first = await send(one, app, 'ben');
  await one.advance(1); // rows of one millisecond lie in any order
  for (let i = 0; i < 2_100; i++) await send(one, app, 'eve');
  await one.advance(1);
  const last = await send(one, app, 'ana');
  await deliver(one, app);
  await erase(one, app, 'ana');
  await one.advance(hourMs);
  t.ok(one.product.state.apps.get(app)?.scrubbing, 'a thousand sends a turn');
  await erase(one, app, 'ben'); // his send lies behind the pass
  for (let seconds = 0; seconds < 3; seconds++) await one.advance(1_000);
  t.same(rowOf(one, app, last)?.content, {});
  t.match(rowOf(one, app, first)?.content, { plain: { body: 'Dear ben' } });
  for (let turns = 0; turns < 4; turns++) await one.advance(hourMs);
  t.same(rowOf(one, app, first)?.content, {});
  t.equal(one.product.state.apps.get(app)?.erasedUnscrubbed, 0);
});

t.test(
  'dead letters of an erased person lose what was said and of whom, however many there are',
  async (t) => {
    const { one, app } = await withPeople('ana', 'eve');
    const brief = { ttlSeconds: 60 };
    await send(one, app, 'ana', brief);
    for (let i = 0; i < 1_200; i++) await send(one, app, 'eve', brief);
    await send(one, app, 'ana', brief);
    await deliver(one, app, true);
    const lettersOf = async () => {
      const rows = new Documents(one.store).range(deadLetters, app, { limit: 5_000 });
      const about = rows.map(({ value }) => JSON.stringify(value));
      return {
        rows: rows.length,
        ana: about.filter((text) => text.includes('ana@')).length,
        eve: about.filter((text) => text.includes('eve@')).length,
        named: rows.filter(({ value }) => value.subscriberId !== undefined).length,
      };
    };
    t.same(await lettersOf(), { rows: 1_202, ana: 2, eve: 1_200, named: 1_202 });
    await erase(one, app, 'ana');
    const shown = await one.value(app, 'dead_letter.list', { limit: 200 });
    t.notMatch(JSON.stringify(shown), /ana@/, 'not shown from the turn of the erasure on');
    await one.advance(hourMs);
    for (let seconds = 0; seconds < 4; seconds++) await one.advance(1_000);
    t.same(await lettersOf(), { rows: 1_202, ana: 0, eve: 1_200, named: 1_200 });
    t.notOk(one.product.state.apps.get(app)?.scrubbing, 'and the pass has ended');
  },
);

t.test('an erasure is told to the host, and a replay tells it again', async (t) => {
  const { one, app, ids, clock } = await withPeople('ana');
  one.effects.length = 0;
  await erase(one, app, 'ana');
  const erasure = { app, subscriberId: ids['ana'], atMs: clock.nowMs };
  t.same(
    one.effects.filter(({ port }) => port === 'host').map(({ message }) => message),
    [{ kind: 'erasure.listed', erasure }],
  );
  const replayed = [...one.store.blocks(one.store.oldestSeq, 1_000)]
    .flatMap(({ block }) => decodeBlock(block).entries)
    .flatMap((entry) => erasureIn(entry) ?? []);
  t.same(replayed, [erasure]);
});

t.test('whom a restore brings back is erased before anything leaves', async (t) => {
  const { one, app, ids } = await withPeople('ana', 'ben');
  await send(one, app, 'ana');
  const list = [
    { app, subscriberId: ids['ana'] ?? '', atMs: 0 },
    { app, subscriberId: 'sub_00000000000000000000000000', atMs: 0 },
    { app: app + 77, subscriberId: ids['ana'] ?? '', atMs: 0 },
  ];
  one.takeGrants();
  const two = new TestPartition({
    store: one.store.crash(0, { settle: 'auto' }),
    clock: one.clock,
    restored: { epoch: 2, resend: 'all', erased: () => list },
  });
  await two.settle();
  t.match(await two.ask(app, 'subscriber.read', { ref: { externalUserId: 'ana' } }), {
    ok: false,
    fault: { code: 'not_found' },
  });
  t.match(await two.ask(app, 'subscriber.read', { ref: { externalUserId: 'ben' } }), { ok: true });
  t.same(two.takeGrants(), [], 'her send, which `all` would have sent, is gone with her');
  t.equal(two.product.state.epoch, 2);
});
