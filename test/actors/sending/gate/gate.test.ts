// The rules of the gate and their order, of one person on one channel.

import t from 'tap';
import { CapCounts } from '../../../../actors/sending/gate/caps.ts';
import { Gate } from '../../../../actors/sending/gate/gate.ts';
import type { GateFacts } from '../../../../actors/sending/gate/gate-facts.ts';
import { hold } from '../../../../actors/sending/gate/verdict.ts';
import { hourMs } from '../../../../engine/base/brand.ts';

const nowMs = Date.UTC(2026, 0, 1, 23);
const quiet = { start: '22:00', end: '08:00', timezone: 'UTC' } as const;
const morningMs = nowMs + 9 * hourMs;

/** Somebody of whom everything says no, but for what is allowed. */
function facts(allowed: ReadonlySet<string>): GateFacts {
  const settings = {
    caps: [{ max: 1, perHours: 1 }],
    quietHours: allowed.has('quiet hours') ? null : quiet,
  };
  const caps = new CapCounts();
  if (!allowed.has('caps')) caps.counter(settings.caps, 'fcm', 1)?.(0, true, nowMs);
  return {
    record: { timezone: 'UTC' },
    settings,
    caps,
    resting: { isEmpty: true, untilOf: () => undefined },
    traits: {
      reach: Array.from({ length: 32 }, () => ({
        test: () => allowed.has('device') && allowed.has('opt-out'),
      })),
      tags: new Map(),
    },
    topics: new Map([['news', { default: allowed.has('topic') ? 'in' : 'out' }]]),
    contact: {
      hasOptedOut: () => allowed.has('device'),
      hasSeveral: () => false,
      preferred: () => (allowed.has('preference') ? 0 : 1 << 30),
      zoneCode: () => 0,
      zoneName: () => undefined,
    },
  };
}

t.test('the first rule that says no is the one that answers', async (t) => {
  const allowed = new Set<string>();
  const ask = (ttlMs?: number) =>
    new Gate(facts(allowed), 'fcm', nowMs, {
      ttlMs,
      isConfigured: allowed.has('credential'),
      topic: 'news',
    }).ask(0, true);
  for (const [rule, verdict] of [
    ['device', { answer: 'suppress', reason: 'no_device' }],
    ['opt-out', { answer: 'suppress', reason: 'opt_out' }],
    ['credential', { answer: 'suppress', reason: 'not_configured' }],
    ['topic', { answer: 'suppress', reason: 'topic_opt_out' }],
    ['preference', { answer: 'suppress', reason: 'channel_preference' }],
    ['quiet hours', { answer: 'hold', reason: 'quiet_hours', untilMs: morningMs }],
    ['caps', { answer: 'suppress', reason: 'frequency_cap' }],
  ] as const) {
    t.same(ask(), verdict, rule);
    if (rule === 'quiet hours')
      t.same(ask(9 * hourMs), { answer: 'suppress', reason: 'expired' }, 'it would be over then');
    allowed.add(rule);
  }
  t.same(ask(), { answer: 'send' });
});

t.test('a hold that lasts as long as the message lives suppresses it', async (t) => {
  t.match(hold('daily_cap', 10, 11), { answer: 'hold', untilMs: 10 });
  t.match(hold('daily_cap', 10, 10), { answer: 'suppress', reason: 'expired' });
});
