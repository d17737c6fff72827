// What a restore does to sends that were pending when its backup was cut: the first turn decides,
// durably, and whatever happens in between nothing of them leaves.

import t from 'tap';
import type { Restored } from '../../../actors/runtime/restored.ts';
import type { DispatchGrant } from '../../../actors/sending/outbox/protocol.ts';
import { seededRng } from '../../../engine/base/rng.ts';
import type { MemoryStore } from '../../../storage/memory.ts';
import {
  partitionWithApp,
  TestPartition,
  type TestPartitionOptions,
  testClock,
} from '../../support/partition.ts';

const none: Restored = { epoch: 2, resend: 'none', erased: () => [] };
const clock = testClock();

/**
 * An app with one person on two channels, and this many sends: all of fcm under way, of email 64
 * and the rest due.
 */
async function pending(sends: number) {
  const { one, app } = await partitionWithApp({ clock });
  await one.value(app, 'subscriber.upsert', {
    subscriber: {
      externalUserId: 'ana',
      devices: [
        { channel: 'email', endpoint: 'ana@example.com' },
        { channel: 'fcm', endpoint: 'token-of-ana-0123456789' },
      ],
    },
  });
  const ids: string[] = [];
  for (let i = 0; i < sends; i++) ids.push(await accept(one, app));
  return { one, app, ids };
}

async function accept(one: TestPartition, app: number): Promise<string> {
  const request = { to: { externalUserId: 'ana' }, title: 'Hi', body: 'there' };
  return (await one.value(app, 'transactional.accept', { request, claim: null })).id;
}

/** The same partition after the process ended, with randomness of its own. */
function again(store: MemoryStore, more: TestPartitionOptions = {}): TestPartition {
  return new TestPartition({ store: store.crash(), clock, rng: seededRng(2), ...more });
}

t.test(
  'with none, every pending send fails with an unknown outcome and nothing leaves',
  async (t) => {
    const { one, app, ids } = await pending(3);
    const [first] = one.takeGrants().filter(({ channel }) => channel === 'email') as [
      DispatchGrant,
    ];
    const report = first.attempts.map(({ target, attempt }) => ({
      sendId: attempt.sendId,
      target,
      attempt: attempt.attempt,
      outcome: { outcome: 'retry', reason: 'http_503' } as const,
    }));
    // one waits, others are under way
    await one.ask(app, 'dispatch.report', { channel: 'email', reports: report });

    const two = again(one.store, { restored: none });
    await two.settle();
    t.same(two.takeGrants(), [], 'nothing is granted');
    for (const id of ids) {
      const view = await two.value(app, 'transactional.read', { id });
      t.match(view, { status: 'failed', failures: { open: 2, recovered: 0 } });
      t.same(view.outcomes.map(({ channel, status, reason }) => [channel, status, reason]).sort(), [
        ['email', 'failed', 'unknown_outcome'],
        ['fcm', 'failed', 'unknown_outcome'],
      ]);
    }
    await two.advance(48 * 3_600_000);
    t.same(two.takeGrants(), [], 'retries that were due before the restore are gone, too');
    t.equal(two.product.state.apps.get(app)?.outbox.jobs.size, 0);
  },
);

t.test(
  'what was given up is a dead letter that a redrive sends, and new sends leave',
  async (t) => {
    const { one, app, ids } = await pending(2);
    const two = again(one.store, { restored: none });
    await two.settle();
    const letters = await two.value(app, 'dead_letter.list', {
      reason: 'unknown_outcome',
      limit: 50,
    });
    t.equal(letters.items.length, 4);
    const fresh = await accept(two, app);
    t.same(sentBy(two.takeGrants()), [fresh, fresh], 'a send after the restore');
    await two.value(app, 'dead_letter.redrive', { reason: 'unknown_outcome' });
    const redriven = new Set(sentBy(two.takeGrants()));
    t.same([...redriven].sort(), [...ids].sort());
  },
);

t.test('the receipts are events, numbered without a gap', async (t) => {
  const { one, app } = await pending(5);
  const before = one.product.state.apps.get(app)?.nextEvent ?? 0;
  const two = again(one.store, { restored: none });
  await two.settle();
  t.equal(two.product.state.apps.get(app)?.nextEvent, before + 10);
});

t.test('with transactional or all, sends go on as after any restart', async (t) => {
  for (const resend of ['transactional', 'all'] as const) {
    const { one, app, ids } = await pending(2);
    one.takeGrants();
    const two = again(one.store, { restored: { ...none, resend } });
    await two.settle();
    await two.advance(60_000);
    t.same([...new Set(sentBy(two.takeGrants()))].sort(), [...ids].sort(), resend);
    t.equal((await two.value(app, 'transactional.read', { id: ids[0] ?? '' })).status, 'pending');
  }
});

t.test('it is done once: a later start finds nothing to give up', async (t) => {
  const { one, app } = await pending(2);
  const two = again(one.store, { restored: none });
  await two.settle();
  const fresh = await accept(two, app);
  t.equal(two.product.state.epoch, 2);

  const three = again(two.store, { restored: none });
  await three.settle();
  await three.advance(60_000);
  t.same(
    [...new Set(sentBy(three.takeGrants()))],
    [fresh],
    'a send of after the restore is none of its business',
  );
  t.match(await three.value(app, 'transactional.read', { id: fresh }), { status: 'pending' });
});

t.test(
  'a crash after any turn of giving up leaves nothing to be sent, and ends the same',
  async (t) => {
    const { one, app, ids } = await pending(1_500); // six slices
    let store = one.store;
    let crashes = 0;
    for (; crashes < 20; crashes++) {
      store = store.crash(0, { settle: 'manual' });
      const two = new TestPartition({ store, clock, rng: seededRng(crashes), restored: none });
      // it waits for commits, and then for none
      const running = two.settle().catch(() => undefined);
      for (let rounds = 0; rounds < 100; rounds++) await Promise.resolve();
      const isLast = !store.settleNext(); // this turn is durable, the next one is not
      t.same(two.takeGrants(), [], 'nothing leaves');
      store = store.crash(0, { settle: 'manual' });
      await running;
      if (isLast) break;
    }
    t.ok(crashes > 5, `${crashes} turns`);
    const last = again(store.crash(0, { settle: 'auto' }), { restored: none });
    await last.settle();
    t.same(last.takeGrants(), []);
    for (const id of [ids[0], ids[299], ids[599]] as string[]) {
      t.match(await last.value(app, 'transactional.read', { id }), {
        status: 'failed',
        outcomes: [{ reason: 'unknown_outcome' }, { reason: 'unknown_outcome' }],
        failures: { open: 2 },
      });
    }
  },
);

t.test('memory that has given up sends is the same from a snapshot as from the log', async (t) => {
  const { one } = await pending(4);
  const two = again(one.store, { restored: none });
  await two.settle();
  const three = again(two.store, { restored: none });
  t.strictSame(
    JSON.stringify(three.partition.snapshot()),
    JSON.stringify(two.partition.snapshot()),
  );
});

function sentBy(grants: readonly DispatchGrant[]): string[] {
  return grants.flatMap(({ attempts }) => attempts.map(({ attempt }) => attempt.sendId));
}
