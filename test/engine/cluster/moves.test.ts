// A planned move, state by state.

import fc from 'fast-check';
import t from 'tap';
import {
  type Awaiting,
  announce,
  awaitingStep,
  isAwaited,
  leavingStep,
  type PlannedMove,
} from '../../../engine/cluster/moves.ts';

const awaitingMaxMs = 5_000;

type View = Parameters<typeof leavingStep>[1];
const fine: View = { nowMs: 0, isWanted: true, isAble: true, isAwaited: true, isQuiet: true };
const step = (leaving: PlannedMove, change: Partial<View> = {}) =>
  leavingStep(leaving, { ...fine, ...change });
const draining: PlannedMove = { state: 'draining', to: 'b', sinceMs: 0 };
const handing: PlannedMove = { state: 'handing', to: 'b', sinceMs: 0 };

t.test('a move is announced, drained and handed over', async (t) => {
  const announced = announce('b', 0);
  t.same(step(announced, { isAwaited: false }), { leaving: announced, action: 'none' });
  t.same(step(announced, { nowMs: 5 }), { leaving: { ...draining, sinceMs: 5 }, action: 'hold' });
  t.same(step(draining, { isQuiet: false }), { leaving: draining, action: 'none' });
  t.same(step(draining, { nowMs: 9 }), { leaving: { ...handing, sinceMs: 9 }, action: 'hand' });
});

const off: Readonly<Record<string, Partial<View>>> = {
  'the other dies': { isAble: false },
  'the plan changes': { isWanted: false },
  'it takes too long': { nowMs: 2_001, isAwaited: false, isQuiet: false },
};
for (const [name, change] of Object.entries(off))
  t.test(`before the last frame the owner turns back: ${name}`, async (t) => {
    t.same(step(announce('b', 0), change), { leaving: undefined, action: 'none' });
    t.same(step(draining, change), { leaving: undefined, action: 'resume' });
    t.same(step(handing, change), { leaving: handing, action: 'none' }, 'but not behind it');
  });

t.test('whatever happens, what is held is handed over or resumed, in a second', async (t) => {
  const views = fc.array(
    fc.record({
      afterMs: fc.integer({ min: 1, max: 400 }),
      isWanted: fc.boolean(),
      isAble: fc.boolean(),
      isAwaited: fc.boolean(),
      isQuiet: fc.boolean(),
    }),
    { minLength: 1, maxLength: 40 },
  );
  fc.assert(
    fc.property(views, (steps) => {
      let leaving: PlannedMove | undefined = announce('b', 0);
      let [nowMs, heldMs] = [0, -1];
      for (const { afterMs, ...view } of steps) {
        if (leaving === undefined) return;
        nowMs += afterMs;
        const next: ReturnType<typeof leavingStep> = leavingStep(leaving, { nowMs, ...view });
        if (next.action === 'hold') heldMs = nowMs;
        if (next.action === 'hand' || next.action === 'resume') {
          t.ok(heldMs >= 0, 'nothing is handed over that was not held');
          t.ok(nowMs - heldMs <= 1_000 + afterMs, 'nothing is held longer');
          return;
        }
        leaving = next.leaving;
      }
    }),
  );
});

t.test('a standby awaits what it is offered while it is ready, and not for ever', async (t) => {
  const offer = { nowMs: 0, offeredTerm: 7, isReady: true };
  const awaiting = awaitingStep(undefined, offer) as Awaiting;
  t.same(awaiting, { term: 7, sinceMs: 0 });
  t.ok(isAwaited(awaiting, awaitingMaxMs));
  t.notOk(isAwaited(awaiting, awaitingMaxMs + 1));
  t.equal(awaitingStep(awaiting, { ...offer, nowMs: 99 }), awaiting);
  t.same(awaitingStep(awaiting, { ...offer, nowMs: 99, offeredTerm: 8 })?.sinceMs, 99);
  t.equal(awaitingStep(awaiting, { ...offer, isReady: false }), undefined);
  t.equal(awaitingStep(awaiting, { ...offer, offeredTerm: undefined }), undefined, 'taken back');
});
