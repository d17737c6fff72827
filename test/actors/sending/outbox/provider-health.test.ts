// When a circuit opens, how often it is probed, and what closes it.

import t from 'tap';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { limits } from '../../../../actors/limits.ts';
import { statesOfChannels } from '../../../../actors/sending/outbox/channel-states.ts';
import {
  healthy,
  isCircuitOpen,
  type ProviderHealth,
} from '../../../../actors/sending/outbox/circuit.ts';
import { freshTarget, type Job } from '../../../../actors/sending/outbox/job.ts';
import { circuitOf, healthAfter } from '../../../../actors/sending/outbox/provider-health.ts';
import { settle } from '../../../../actors/sending/outbox/settle.ts';
import { hourMs, minuteMs, secondMs } from '../../../../engine/base/brand.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { AgeClock } from '../../../../engine/time/age-clock.ts';

const down: Outcome = { outcome: 'retry', reason: 'connection_refused' };
const greylisted: Outcome = { outcome: 'retry', reason: 'deferred' };
const accepted: Outcome = { outcome: 'accepted' };

function after(outcomes: readonly Outcome[], from: ProviderHealth = healthy, nowMs = 0) {
  return outcomes.reduce((health, one) => healthAfter(health, 'email', one, { nowMs }), from);
}

const times = (count: number, outcome: Outcome) => Array.from({ length: count }, () => outcome);

t.test(
  'ten calls in a row that do not get through open it; one that does starts anew',
  async (t) => {
    t.notOk(isCircuitOpen(after(times(limits.circuitMissesMin - 1, down))));
    t.ok(isCircuitOpen(after(times(limits.circuitMissesMin, down))));
    const between = [...times(9, down), accepted, ...times(9, down)];
    t.notOk(isCircuitOpen(after(between)));
  },
);

t.test('what concerns one recipient, our own end, or a text never opens it', async (t) => {
  for (const outcome of [
    greylisted,
    { outcome: 'ambiguous', reason: 'interrupted' },
    { outcome: 'permanent', reason: 'invalid_content' },
  ] as const)
    t.notOk(isCircuitOpen(after(times(50, outcome))), outcome.reason);
});

t.test('probes go after 5, 10, 20 seconds and so on to five minutes', async (t) => {
  let health = after(times(limits.circuitMissesMin, down));
  const waits: number[] = [];
  for (let probe = 0; probe < 9; probe++) {
    const startMs = health.pausedUntilMs;
    health = after([down], health, startMs);
    t.same(after([down], health, startMs), health, 'answers to older calls are no news');
    waits.push(health.pausedUntilMs - startMs);
  }
  t.same(
    waits.map((ms) => ms / secondMs),
    [10, 20, 40, 80, 160, 300, 300, 300, 300],
  );
  t.match(after([accepted], health, health.pausedUntilMs), healthy);
});

t.test('each push service has a circuit of its own, and healthy ones take no room', async (t) => {
  const apple: Outcome = { outcome: 'config', reason: 'vapid_refused', account: 'apple' };
  let health = healthAfter(healthy, 'webpush', apple, { nowMs: 0 });
  t.notOk(isCircuitOpen(health));
  t.ok(isCircuitOpen(circuitOf(health, 'apple')));
  t.notOk(isCircuitOpen(circuitOf(health, 'mozilla')));
  for (let host = 0; host < 2 * limits.circuitAccountsMax; host++)
    health = healthAfter(health, 'webpush', { ...apple, account: `h${host}` }, { nowMs: 0 });
  t.equal(Object.keys(health.accounts ?? {}).length, limits.circuitAccountsMax);
  health = healthAfter(health, 'webpush', apple, { nowMs: 1 });
  t.ok(isCircuitOpen(circuitOf(health, 'apple')), 'hosts that nobody knows do not take its place');
  const well = { outcome: 'accepted', account: 'apple' } as const;
  health = healthAfter(health, 'webpush', well, { nowMs: hourMs });
  t.notOk(Object.keys(health.accounts ?? {}).includes('apple'));
  t.equal(healthAfter(health, 'webpush', well, { nowMs: hourMs }), health, 'nothing to write');
});

/** Fails every attempt of a send, and returns its waits. */
function waitsOf(outcome: Outcome, expiresMs: number | null): number[] {
  const target = { ...freshTarget({ deviceId: 'd', channel: 'email' }), state: 'started' as const };
  const job = { sendId: 's', person: 1, acceptedMs: 0, expiresMs, targets: [target], open: 1 };
  const waits: number[] = [];
  const rng = seededRng(7);
  const ages = new AgeClock();
  for (let nowMs = 0; ; ) {
    target.attempts++;
    const settlement = settle(job as Job, target, outcome, healthy, { nowMs, rng, ages });
    if (settlement.next !== 'waiting') return waits;
    waits.push(settlement.dueMs - nowMs);
    nowMs = settlement.dueMs;
  }
}

t.test('waits grow to an hour, half of each drawn, until a day is over', async (t) => {
  const longest = [1, 5, 30, 120, 300, 900, 1800].map((seconds) => seconds * secondMs);
  const waits = waitsOf(down, null);
  for (const [index, ms] of waits.slice(0, -1).entries()) {
    const most = longest[index] ?? hourMs;
    t.ok(ms >= most / 2 && ms <= most, `wait ${index}: ${ms} of ${most}`);
  }
  const total = waits.reduce((sum, ms) => sum + ms, 0);
  t.equal(total, limits.attemptSpanMs - secondMs, 'the last try is a second before the end');
});

t.test(
  'greylisted mail waits five minutes from the third failure, thirty from the sixth',
  async (t) => {
    const waits = waitsOf(greylisted, null);
    t.ok(waits.slice(0, 2).every((ms) => ms <= 5 * secondMs));
    t.ok(waits.slice(2, 5).every((ms) => ms >= 5 * minuteMs && ms <= 10 * minuteMs));
    t.ok(waits.slice(5, -1).every((ms) => ms >= 30 * minuteMs && ms <= hourMs));
  },
);

t.test('a message that lives a minute gets a last try within it', async (t) => {
  const total = waitsOf(down, minuteMs).reduce((sum, ms) => sum + ms, 0);
  t.equal(total, minuteMs - secondMs);
  t.same(waitsOf({ ...down, retryAfterMs: 2 * minuteMs }, minuteMs), [], 'not before it was asked');
});

t.test('a channel keeps its state until the provider takes a message again', async (t) => {
  const told = (health: ProviderHealth, nowMs = 0) => {
    const states = statesOfChannels({ health: (id) => (id === 'email' ? health : healthy) }, nowMs);
    const email = states.find(({ channel }) => channel === 'email');
    t.ok(states.every(({ channel, state }) => channel === 'email' || state === 'ok'));
    return [email?.state, email?.untilMs, email?.because?.reason];
  };
  const config: Outcome = { outcome: 'config', reason: 'unauthenticated' };
  const rate: Outcome = { outcome: 'rate', reason: 'throttled', retryAfterMs: 5_000 };
  const refused = after([config]);
  t.same(told(healthy), ['ok', null, undefined]);
  t.same(told(refused), ['refused', refused.pausedUntilMs, 'unauthenticated']);
  t.same(
    told(refused, refused.pausedUntilMs),
    ['refused', null, 'unauthenticated'],
    'the probe may go',
  );
  t.same(told(after([accepted], refused), refused.pausedUntilMs), ['ok', null, undefined]);
  const unreached = after(times(limits.circuitMissesMin, down));
  t.same(told(unreached), ['unreachable', unreached.pausedUntilMs, 'connection_refused']);
  t.same(told(after([accepted], unreached)), ['ok', null, undefined]);
  const slow = after([rate]);
  t.same(told(slow), ['paused', 5_000, 'throttled']);
  t.same(told(slow, 5_000), ['paused', null, 'throttled'], 'one call finds out');
  t.same(told(after([accepted], slow), 4_999), ['paused', 5_000, 'throttled'], 'of before it');
  t.same(told(after([accepted], slow, 5_000), 5_000), ['ok', null, undefined]);
  const earlier = { ...healthy, pausedUntilMs: 5_000 };
  t.same(told(earlier), ['paused', 5_000, undefined], 'a pause of an earlier version');
  t.same(told(earlier, 5_000), ['ok', null, undefined]);
  const part = after(times(limits.circuitMissesMin, { ...down, account: 'push.example' }));
  t.same(told(part), ['degraded', null, 'connection_refused']);
});
