// Paces of relays in two dispatch threads: together they begin no more in a second, and no more in
// a day, than the relay may take; what has no place comes back unsent.

import fc from 'fast-check';
import t from 'tap';
import type { Adapter } from '../../../../actors/channels/port/adapter.ts';
import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import type { OpenRelay } from '../../../../actors/channels/port/open-relay.ts';
import { Dispatcher } from '../../../../actors/sending/dispatch/dispatcher.ts';
import type { AttemptReport, DispatchGrant } from '../../../../actors/sending/outbox/protocol.ts';
import { sharedPacesBytes } from '../../../../engine/thread/shared-paces.ts';
import { testClock } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';

const paced = (more: Partial<OpenRelay>): OpenRelay => ({
  ...{ id: 'rel_paced', kind: 'smtp', config: {}, fingerprint: 'f' },
  ...more,
});

/** Mails of an app by a relay; `from` names the first. */
function aGrant(app: number, relay: OpenRelay, from: number, count: number): DispatchGrant {
  const attempts = Array.from({ length: count }, (_, i) => ({
    ...{ target: 0, person: from + i, relay: relay.id },
    attempt: {
      ...{ sendId: `s${app}-${from + i}`, lane: 'express', attempt: 1, channel: 'email' },
      content: { body: 'Hi', options: {} },
    } as unknown as Attempt,
  }));
  const about = { kind: 'dispatch.grant', partition: 0, app, channel: 'email' } as const;
  return { ...about, credentials: undefined, relays: [relay], attempts };
}

/** Two threads with one memory; each has an app that shares the relay. */
function twoThreads() {
  const clock = testClock();
  const paces = new SharedArrayBuffer(sharedPacesBytes);
  const timers: { readonly atMs: number; readonly task: () => void }[] = [];
  const begun: { readonly sendId: string; readonly atMs: number }[] = [];
  const back: AttemptReport[] = [];
  const adapter: Adapter = {
    send: async ({ sendId }, _credentials, mayBegin) => {
      if (mayBegin?.() !== false) begun.push({ sendId, atMs: clock.nowMs });
      return { outcome: 'accepted' };
    },
    close: () => Promise.resolve(),
  };
  const threads = [0, 1].map(
    () =>
      new Dispatcher({
        adapters: new Map([['email', adapter]]),
        clock,
        paces,
        defer: queueMicrotask,
        after: (ms, task) => timers.push({ atMs: clock.nowMs + ms, task }),
        onBug: (error) => {
          throw error;
        },
        report: (_shard, _partition, _app, report) => {
          if (report.kind !== 'dispatch.report') return;
          back.push(...report.reports.filter(({ outcome }) => outcome === undefined));
        },
        unsubscribeUrl: () => '',
        preferencesUrl: () => 'http://engage.test/p/x',
      }),
  );
  const pass = async (ms: number) => {
    for (const endMs = clock.nowMs + ms; ; ) {
      timers.sort((one, other) => one.atMs - other.atMs);
      const next = timers[0];
      if (next === undefined || next.atMs > endMs) {
        clock.nowMs = endMs;
        break;
      }
      timers.shift();
      clock.nowMs = Math.max(clock.nowMs, next.atMs);
      next.task();
      for (let i = 0; i < 20; i++) await Promise.resolve();
    }
  };
  return { clock, threads, begun, back, pass };
}

t.test('two threads begin no more in any second than the relay takes', async () => {
  const counts = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 60 })), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(counts, fc.integer({ min: 1, max: 40 }), async (rounds, perSecond) => {
      const { threads, begun, back, pass } = twoThreads();
      const relay = paced({ perSecond });
      let granted = 0;
      for (const [i, round] of rounds.entries()) {
        for (const [thread, count] of round.entries())
          if (count > 0) threads[thread]?.grant(0, aGrant(thread + 1, relay, i * 100, count));
        granted += round[0] + round[1];
        await pass(1_500);
      }
      await pass(20_000);
      const names = new Set([...begun, ...back].map(({ sendId }) => sendId));
      // A tenth of a second that passed unused may be caught up with.
      const most = perSecond * 1.1 + 1;
      const isWithin = begun.every(
        ({ atMs: from }) =>
          begun.filter(({ atMs }) => atMs >= from && atMs < from + 1_000).length <= most,
      );
      return isWithin && names.size === granted && begun.length + back.length === granted;
    }),
    { numRuns: tries(30) },
  );
});

t.test('two threads begin the day’s number, and the rest comes back', async (t) => {
  const { threads, begun, back, pass, clock } = twoThreads();
  const relay = paced({ perDay: 50 });
  threads[0]?.grant(0, aGrant(1, relay, 0, 40));
  threads[1]?.grant(0, aGrant(2, relay, 0, 40));
  await pass(1_000);
  t.equal(begun.length, 50);
  t.equal(back.length, 30);
  threads[0]?.grant(0, aGrant(1, relay, 100, 5));
  await pass(1_000);
  t.equal(begun.length, 50, 'no more today');
  clock.nowMs += 86_400_000;
  threads[1]?.grant(0, aGrant(2, relay, 200, 5));
  await pass(1_000);
  t.equal(begun.length, 55, 'the next day has its own');
});

t.test('a relay without a bound does not wait behind one that is full', async (t) => {
  const { threads, begun, pass } = twoThreads();
  threads[0]?.grant(0, aGrant(1, paced({ perSecond: 1 }), 0, 20));
  threads[0]?.grant(0, aGrant(1, paced({ id: 'rel_free' }), 100, 20));
  await pass(10);
  t.equal(begun.filter(({ sendId }) => Number(sendId.slice(3)) >= 100).length, 20);
});
