// A dispatcher drops idle accounts and reports `config` where there is no adapter.

import t from 'tap';
import { adaptersOnDemand } from '../../../../actors/channels/on-demand.ts';
import type { Adapter } from '../../../../actors/channels/port/adapter.ts';
import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { Dispatcher } from '../../../../actors/sending/dispatch/dispatcher.ts';
import { type MayCall, mayCallOf } from '../../../../actors/sending/dispatch/may-call.ts';
import type { DispatchWave, WaveReport } from '../../../../actors/sending/dispatch/protocol.ts';
import type {
  AttemptReport,
  DispatchGrant,
  GrantedAttempt,
} from '../../../../actors/sending/outbox/protocol.ts';
import { LeaseWords } from '../../../../engine/cluster/lease.ts';
import { sharedMonotonic } from '../../../../engine/time/clock.ts';
import { subscribers } from '../../../../storage/tables/subscriber.ts';
import { testClock } from '../../../support/partition.ts';

function aGrant(app: number, sends = 1, partition = 0): DispatchGrant {
  const attempts = Array.from({ length: sends }, (_, index) => {
    const attempt = {
      sendId: `s${app}-${index}`,
      lane: 'express',
      attempt: 1,
      content: { body: 'Hi', options: {} },
    };
    return { target: 0, person: index, attempt: attempt as Attempt };
  });
  return {
    kind: 'dispatch.grant',
    partition,
    app,
    channel: 'email',
    credentials: { secret: app },
    attempts,
  };
}

/** A dispatcher with one email adapter, whose timers fire when the test moves the clock. */
function aDispatcher(email: Adapter | undefined, mayCall?: MayCall) {
  const clock = testClock();
  const timers: { atMs: number; task: () => void }[] = [];
  const reports: AttemptReport[] = [];
  const waves: WaveReport[] = [];
  /** Where reports went. */
  const addresses = new Set<number>();
  const bugs: unknown[] = [];
  const dispatcher = new Dispatcher({
    adapters: new Map(email === undefined ? [] : [['email', email]]),
    clock,
    defer: queueMicrotask,
    after: (ms, task) => timers.push({ atMs: clock.nowMs + ms, task }),
    onBug: (error) => bugs.push(error),
    report: (_shard, partition, _app, report) => {
      addresses.add(partition);
      if (report.kind === 'dispatch.report') reports.push(...report.reports);
      else if (report.kind === 'dispatch.wave_report') waves.push(report);
    },
    unsubscribeUrl: () => '',
    preferencesUrl: () => 'http://engage.test/p/x',
    mayCall,
  });
  const pass = async (ms: number) => {
    const endMs = clock.nowMs + ms;
    for (;;) {
      timers.sort((a, b) => a.atMs - b.atMs);
      const next = timers[0];
      if (next === undefined || next.atMs > endMs) break;
      timers.shift();
      clock.nowMs = next.atMs;
      next.task();
    }
    clock.nowMs = endMs;
    await settled();
  };
  return { dispatcher, reports, waves, addresses, bugs, timers, pass };
}

const settled = async () => {
  for (let i = 0; i < 50; i++) await Promise.resolve();
};

t.test('an account that is idle is forgotten, with its credentials', async (t) => {
  const answers: (() => void)[] = [];
  const { dispatcher, reports, timers, pass } = aDispatcher({
    send: () =>
      new Promise((resolve) => answers.push(() => resolve({ outcome: 'accepted' } as Outcome))),
    close: async () => {},
  });
  dispatcher.grant(0, aGrant(1));
  dispatcher.grant(0, aGrant(2));
  t.equal(dispatcher.accountCount, 2);
  answers[0]?.();
  await settled();
  await pass(10_000);
  t.equal(dispatcher.accountCount, 1, 'one has a call under way');
  answers[1]?.();
  await settled();
  await pass(1_000);
  t.equal(dispatcher.accountCount, 1, 'not at once: the next grant may be on its way');
  await pass(10_000);
  t.equal(dispatcher.accountCount, 0);
  t.equal(timers.length, 0, 'with nothing to look after, nothing wakes the thread');
  dispatcher.grant(0, aGrant(1));
  answers[2]?.();
  await settled();
  t.equal(reports.length, 3, 'and it is taken up again');
});

t.test('what waits too long is handed back, and counts as waiting until then', async (t) => {
  const { dispatcher, reports, pass } = aDispatcher({
    send: () => new Promise(() => {}),
    close: async () => {},
  });
  dispatcher.grant(0, aGrant(1, 70));
  await pass(7_000);
  t.equal(reports.filter(({ outcome }) => outcome === undefined).length, 6);
  await pass(60_000);
  t.equal(dispatcher.accountCount, 1, 'its 64 calls are under way');
});

t.test('an adapter that cannot be made is the set-up’s fault: nothing was sent', async (t) => {
  const { adapters } = adaptersOnDemand(async () => {
    throw new Error('a DKIM key must be RSA or Ed25519');
  });
  const { dispatcher, reports, bugs } = aDispatcher(adapters.get('email'));
  dispatcher.grant(0, aGrant(1));
  await settled();
  t.match(reports, [{ outcome: { outcome: 'config', reason: 'adapter_unavailable' } }]);
  t.match(bugs, [{ message: /DKIM/ }], 'and the log says why');
});

t.test('an adapter’s own bug leaves open whether it was sent', async (t) => {
  const { dispatcher, reports } = aDispatcher({
    send: () => Promise.reject(new Error('a bug')),
    close: async () => {},
  });
  dispatcher.grant(0, aGrant(1));
  await settled();
  t.match(reports, [{ outcome: { outcome: 'ambiguous', reason: 'internal' } }]);
});

t.test('a bug met while words are made ends their attempt, and not the thread', async (t) => {
  const { dispatcher, reports, waves, bugs } = aDispatcher({
    send: async () => ({ outcome: 'accepted' }),
    close: async () => {},
  });
  const [granted] = aGrant(1).attempts as [GrantedAttempt];
  const { content: _none, ...attempt } = granted.attempt;
  const words = {
    message: { body: 7 as unknown as string },
    person: { id: 'sub_1', tags: {} },
    app: { name: 'Shop', timezone: 'UTC' },
  };
  const mail = { target: 0, person: 0, attempt, words };
  dispatcher.grant(0, { ...aGrant(1), attempts: [mail, granted] });
  await settled();
  t.match(reports, [
    { outcome: { outcome: 'permanent', reason: 'internal' } },
    { outcome: { outcome: 'accepted' } },
  ]);
  t.equal(bugs.length, 1);
  dispatcher.grant(0, {
    kind: 'dispatch.wave',
    partition: 0,
    app: 1,
    channel: 'email',
    wave: 1,
    credentials: {},
    appId: 'app_1',
    appName: 'Shop',
    timezone: 'UTC',
    email: {},
    sendParts: { ordinal: 1, atMs: 1, high16: 0, low32: 0 },
    acceptedMs: 1,
    contents: [{ body: 7 as unknown as string }],
    people: Uint32Array.of(3),
    records: subscribers.encode({
      id: 'sub_3',
      person: 3,
      devices: [
        {
          id: 'dev_1',
          channel: 'email',
          endpoint: 'a@b.example',
          enabled: true,
          createdMs: 1,
          updatedMs: 1,
        },
      ],
      tags: {},
      createdMs: 1,
      updatedMs: 1,
    }),
    ends: Uint32Array.of(1e6),
  } as unknown as DispatchWave);
  await settled();
  t.match(waves, [{ wave: 1, outcomes: [{ outcome: 'permanent', reason: 'internal' }] }]);
  t.equal(bugs.length, 2);
});

t.test('what was granted in a term that is over does not begin', async (t) => {
  const answers: (() => void)[] = [];
  const { dispatcher, addresses, pass } = aDispatcher({
    send: () =>
      new Promise((resolve) => answers.push(() => resolve({ outcome: 'accepted' } as Outcome))),
    close: async () => {},
  });
  const end = async () => {
    for (const answer of answers.splice(0)) answer();
    await settled();
  };
  dispatcher.grant(0, aGrant(1, 70));
  dispatcher.grant(0, aGrant(2, 70, 3));
  t.equal(answers.length, 128);
  dispatcher.disown(0);
  await end();
  t.equal(answers.length, 6, 'the other partition goes on');
  await end();
  t.same([...addresses].sort(), [0, 3], 'what had begun is reported to where it was granted');

  // It owns the partition again, and nobody said that it had lost it.
  dispatcher.grant(0, aGrant(1, 70, 8));
  t.equal(answers.length, 64);
  dispatcher.grant(0, aGrant(1, 2, 16));
  t.equal(answers.length, 66, 'the account of before holds nothing up');
  addresses.clear();
  await end();
  t.equal(answers.length, 0, 'and its queue is gone');
  t.same([...addresses].sort(), [16, 8]);
  await pass(20_000);
  t.equal(dispatcher.accountCount, 0);
});

t.test('without a lease no call begins: what was granted comes back unsent', async (t) => {
  const leases = [new SharedArrayBuffer(8), new SharedArrayBuffer(8)];
  let called = 0;
  const { dispatcher, reports } = aDispatcher(
    {
      send: async (_attempt, _credentials, mayBegin) => {
        if (mayBegin?.() !== false) called++;
        return { outcome: 'accepted' };
      },
      close: async () => {},
    },
    mayCallOf(leases),
  );
  // Partition 1 of the second shard, as the third memory of it.
  const address = 1 + 2 * 2;
  dispatcher.grant(1, aGrant(1, 3, address));
  await settled();
  t.equal(called, 0);
  t.same(
    reports.map(({ outcome }) => outcome),
    [undefined, undefined, undefined],
  );
  new LeaseWords(leases[1] as SharedArrayBuffer).hold(1, sharedMonotonic() + 3_000);
  dispatcher.grant(1, aGrant(1, 2, address));
  dispatcher.grant(0, aGrant(2, 2, 1));
  await settled();
  t.equal(called, 2, 'it is the lease of that shard and of that partition');
});
