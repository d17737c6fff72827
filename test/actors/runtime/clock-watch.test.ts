// Who confirms a doubted clock: newer evidence of the operator's sources, and nobody else.

import t from 'tap';
import { withWitnesses } from '../../../actors/channels/outbound/clock-witness.ts';
import type { Outbound, OutboundCall } from '../../../actors/channels/outbound/outbound-call.ts';
import { ClockWatch, type ClockWatchOptions } from '../../../actors/runtime/clock-watch.ts';
import { isKernelSynchronized } from '../../../actors/runtime/kernel-clock.ts';
import { minuteMs } from '../../../engine/base/brand.ts';
import { SharedInstant } from '../../../engine/thread/shared-word.ts';

const nowMs = Date.UTC(2026, 5, 1);

function doubting(options: Partial<ClockWatchOptions>) {
  const confirmed: string[] = [];
  const one = {
    clock: { behindMs: 0, unconfirmedMs: 1, doubtedMs: nowMs as number | undefined },
    watchClock: () => {},
    confirmClock: (by: string) => {
      confirmed.push(by);
      one.clock.doubtedMs = undefined;
    },
  };
  const agreed = new SharedInstant();
  let monotonic = 0;
  const watch = new ClockWatch({
    sources: ['kernel', 'providers'],
    clock: { now: () => nowMs, monotonic: () => monotonic },
    agreed,
    isKernelSynchronized: async () => false,
    ...options,
  });
  const tick = async (afterMs = 1_000) => {
    monotonic += afterMs;
    watch.tick([one]);
    await new Promise(setImmediate);
    return confirmed.join();
  };
  return { one, agreed, tick };
}

t.test('a provider that agreed after the doubt confirms the clock', async (t) => {
  const { agreed, tick } = doubting({});
  agreed.set(nowMs - minuteMs);
  t.equal(await tick(), '');
  agreed.set(nowMs + 5_000);
  t.equal(await tick(), 'provider');
});

t.test('a source that the operator did not name confirms nothing', async (t) => {
  const { agreed, tick } = doubting({ sources: [], isKernelSynchronized: async () => true });
  agreed.set(nowMs + 5_000);
  t.equal(await tick(), '');
});

t.test('the kernel is asked at once, then once a minute, and only in doubt', async (t) => {
  let asked = 0;
  const isKernelSynchronized = async () => ++asked === 3;
  const { tick } = doubting({ isKernelSynchronized });
  for (let second = 0; second < 120; second++) await tick();
  t.equal(asked, 2);
  t.equal(await tick(minuteMs), 'kernel');
  for (let minute = 0; minute < 5; minute++) await tick(minuteMs);
  t.equal(asked, 3);
});

t.test('an answer about an earlier doubt settles no later one', async (t) => {
  let answer = (_is: boolean) => {};
  const { one, tick } = doubting({
    isKernelSynchronized: () => new Promise((resolve) => (answer = resolve)),
  });
  await tick();
  one.clock.doubtedMs = nowMs + minuteMs;
  answer(true);
  t.equal(await tick(), '');
});

t.test('the kernel is synchronized if systemd, timedatectl or chrony says so', async (t) => {
  const nothing = async () => '';
  t.equal(await isKernelSynchronized(() => true, nothing), true);
  t.equal(await isKernelSynchronized(() => false, nothing), false);
  const says = (tool: string, text: string) => async (asked: string) =>
    asked === tool ? text : '';
  t.equal(await isKernelSynchronized(() => false, says('timedatectl', 'yes\n')), true);
  t.equal(await isKernelSynchronized(() => false, says('timedatectl', 'no\n')), false);
  const tracking = (leap: string) => `A9FEA97B,169.254.169.123,4,1780000000.1,0.0,${leap}\n`;
  t.equal(await isKernelSynchronized(() => false, says('chronyc', tracking('Normal'))), true);
  const unsynchronized = tracking('Not synchronised');
  t.equal(await isKernelSynchronized(() => false, says('chronyc', unsynchronized)), false);
});

t.test('only providers over TLS at the operator’s addresses are witnesses', async (t) => {
  const trusted = 'https://fcm.example/send';
  const rows: readonly [
    Pick<OutboundCall, 'url' | 'destination'>,
    offMs: number,
    counts: boolean,
  ][] = [
    [{ url: trusted, destination: 'trusted' }, 30_000, true],
    [{ url: trusted, destination: 'trusted' }, -30_000, true],
    [{ url: trusted, destination: 'trusted' }, 120_000, false],
    [{ url: trusted, destination: 'guarded' }, 0, false],
    [{ url: 'http://fcm.example/send', destination: 'trusted' }, 0, false],
    [{ url: 'https://127.0.0.1:9/send', destination: 'trusted' }, 0, false],
  ];
  for (const [call, offMs, counts] of rows) {
    const headers = { date: new Date(nowMs + offMs).toUTCString() };
    const outbound: Outbound = {
      allowPrivateNetworks: false,
      call: async () => ({ kind: 'answered', status: 200, headers, body: '', complete: true }),
      close: async () => {},
    };
    const agreed = new SharedInstant();
    await withWitnesses(outbound, agreed, () => nowMs).call({ method: 'POST', ...call });
    t.equal(agreed.ms === nowMs, counts, `${call.url} ${call.destination} ${offMs}`);
  }
});
