import fc from 'fast-check';
import t from 'tap';
import type { Circuit } from '../../../../actors/sending/outbox/circuit.ts';
import {
  isSlowed,
  slowedAgain,
  slowedNoMore,
  slowedStill,
} from '../../../../actors/sending/outbox/slowdown.ts';
import { hourMs, minuteMs, secondMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';

const healthy: Circuit = { pausedUntilMs: 0, configFailures: 0, unreached: 0 };
const rate = { outcome: 'rate', reason: 'throttled' } as const;
const startMs = 1_790_000_000_000;

t.test('each refusal after a pause makes the next one longer, up to 15 minutes', async (t) => {
  let circuit = healthy;
  let nowMs = startMs;
  const pauses: number[] = [];
  for (let i = 0; i < 8; i++) {
    circuit = slowedAgain(circuit, rate, nowMs);
    pauses.push((circuit.pausedUntilMs - nowMs) / secondMs);
    nowMs = circuit.pausedUntilMs;
  }
  t.same(pauses, [30, 60, 120, 300, 600, 900, 900, 900]);
  t.equal(circuit.slowedMs, startMs, 'slowed down since the first');
});

const step = fc.record({
  does: fc.constantFrom('refuse', 'accept', 'show nothing', 'wait'),
  waitMs: fc.oneof(fc.integer({ min: 0, max: minuteMs }), fc.integer({ min: 0, max: 2 * hourMs })),
  retryAfterMs: fc.option(fc.integer({ min: 0, max: 3 * hourMs }), { nil: undefined }),
});

t.test('a pause never ends early, and what is called within one changes nothing', async () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
      let circuit = healthy;
      let nowMs = startMs;
      for (const { does, waitMs, retryAfterMs } of steps) {
        const before = circuit;
        const isPaused = before.pausedUntilMs > nowMs;
        if (does === 'wait') nowMs += waitMs;
        if (does === 'accept') {
          circuit = slowedNoMore(before, nowMs);
          if (isSlowed(circuit) !== (isSlowed(before) && isPaused)) return false;
        }
        if (does === 'show nothing') {
          circuit = slowedStill(before, nowMs);
          if (isSlowed(before) && circuit.pausedUntilMs <= nowMs) return false;
        }
        if (does === 'refuse') {
          const asked = retryAfterMs === undefined ? {} : { retryAfterMs };
          circuit = slowedAgain(before, { ...rate, ...asked }, nowMs);
          const counts = (circuit.slowed ?? 0) - (before.slowed ?? 0);
          if (counts !== (isPaused && isSlowed(before) ? 0 : 1)) return false;
          const askedUntilMs = nowMs + Math.min(retryAfterMs ?? 0, hourMs);
          if (circuit.pausedUntilMs < askedUntilMs) return false;
          if (circuit.pausedUntilMs > Math.max(before.pausedUntilMs, nowMs + hourMs)) return false;
        }
        if (circuit.pausedUntilMs < before.pausedUntilMs) return false;
      }
      return true;
    }),
    { numRuns: tries(1_000) },
  );
});
