import fc from 'fast-check';
import t from 'tap';
import { FallbackReasons } from '../../../../actors/programs/campaigns/fallback-reasons.ts';
import { tries } from '../../../support/tries.ts';

/** Few, so that they meet; on two pages. */
const person = fc.constantFrom(0, 1, 2, 4_095, 4_096, 9_000);
const reason = fc.constantFrom('opt_out', 'no_device', 'frequency_cap', 'quiet_hours');
const step = fc.oneof(
  fc.record({ does: fc.constant('suppress' as const), person, reason }),
  fc.record({ does: fc.constant('sent' as const), person }),
  fc.record({
    does: fc.constant('merge' as const),
    person,
    into: person,
    isSent: fc.boolean(),
  }),
  fc.constant({ does: 'restart' as const }),
);

t.test('each person without a fallback counts once, under the first reason', async () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      let reasons = new FallbackReasons();
      const first = new Map<number, string>();
      for (const one of steps) {
        if (one.does === 'suppress') {
          reasons.suppress(one.person, one.reason);
          if (!first.has(one.person)) first.set(one.person, one.reason);
        } else if (one.does === 'sent') {
          reasons.sent(one.person);
          first.delete(one.person);
        } else if (one.does === 'restart') {
          reasons = FallbackReasons.restore(structuredClone(reasons.snapshot()));
        } else if (one.person !== one.into) {
          const theirs = first.get(one.person);
          reasons.merge(one.person, one.into, one.isSent);
          first.delete(one.person);
          if (one.isSent) first.delete(one.into);
          else if (theirs !== undefined && !first.has(one.into)) first.set(one.into, theirs);
        }
        const expected = new Map<string, number>();
        for (const why of first.values()) expected.set(why, (expected.get(why) ?? 0) + 1);
        const counted = new Map(reasons.counts());
        if (counted.size !== expected.size) return false;
        for (const [why, people] of expected) if (counted.get(why) !== people) return false;
      }
      return true;
    }),
    { numRuns: tries(1_000) },
  );
});

t.test('beyond 255 reasons people still count as without a fallback, under the last', async (t) => {
  const reasons = new FallbackReasons();
  for (let i = 0; i < 300; i++) reasons.suppress(i, `reason-${i}`);
  t.equal(reasons.counts().length, 255);
  reasons.suppress(299, 'opt_out');
  t.same(new Map(reasons.counts()).get('reason-254'), 46);
});
