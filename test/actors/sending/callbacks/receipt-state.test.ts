import fc from 'fast-check';
import t from 'tap';
import type {
  DeliveryReport,
  ReportEffect,
} from '../../../../actors/channels/port/delivery-report.ts';
import {
  fold,
  nothingReported,
  placeOf,
  type ReceiptState,
  reasonIn,
} from '../../../../actors/sending/callbacks/receipt-state.ts';
import { tries } from '../../../support/tries.ts';

const reportEffects = ['none', 'opted_out', 'dead'] as const;
const news: fc.Arbitrary<DeliveryReport> = fc.oneof(
  fc.constant<DeliveryReport>({ kind: 'taken' }),
  fc.constant<DeliveryReport>({ kind: 'arrived' }),
  fc.constant<DeliveryReport>({ kind: 'complained' }),
  fc.constant<DeliveryReport>({ kind: 'unsubscribed' }),
  fc.record({ kind: fc.constant('read' as const), atMs: fc.nat(5) }),
  fc.constant<DeliveryReport>({ kind: 'read' }),
  fc.record({
    kind: fc.constant('failed' as const),
    reason: fc.constantFrom('blocked', 'unknown_handset', 'filtered', 'opted_out'),
    effect: fc.constantFrom(...reportEffects),
  }),
);

const told = (all: readonly DeliveryReport[], from: ReceiptState = nothingReported) =>
  all.reduce(fold, from);

t.test('callbacks in any order, however often, come to the same state', async (t) => {
  const runs = fc.array(news, { maxLength: 8 }).chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray([...all, ...all, ...all], {
        minLength: all.length * 3,
        maxLength: all.length * 3,
      }),
    ),
  );
  fc.assert(
    fc.property(runs, ([once, often]) => {
      t.same(told(often), told(once));
    }),
    { numRuns: tries(10_000) },
  );
});

t.test('the state is that of a model which looks at all callbacks at once', async (t) => {
  fc.assert(
    fc.property(fc.array(news, { maxLength: 8 }), (all) => {
      const first = (wanted: ReportEffect) =>
        all
          .flatMap((one) => (one.kind === 'failed' && one.effect === wanted ? [one.reason] : []))
          .sort()[0];
      const reasons = reportEffects.flatMap((effect) => {
        const reason = first(effect);
        return reason === undefined ? [] : [[placeOf[effect], reason] as const];
      });
      const reads = all.flatMap((one) => (one.kind === 'read' ? [one] : []));
      const times = reads.flatMap(({ atMs }) => atMs ?? []);
      t.same(told(all), {
        arrived: reads.length > 0 || all.some(({ kind }) => /arrived|complained|unsub/.test(kind)),
        read: reads.length > 0,
        ...(all.some(({ kind }) => kind === 'complained') ? { complained: true } : {}),
        ...(all.some(({ kind }) => kind === 'unsubscribed') ? { unsubscribed: true } : {}),
        ...(times.length === 0 ? {} : { readMs: Math.min(...times) }),
        ...Object.fromEntries(reasons),
      });
    }),
    { numRuns: tries(10_000) },
  );
});

t.test('a callback that says nothing new gives the same object back', async (t) => {
  fc.assert(
    fc.property(fc.array(news, { minLength: 1, maxLength: 6 }), fc.nat(), (all, at) => {
      const state = told(all);
      t.equal(fold(state, all[at % all.length] as DeliveryReport), state);
    }),
  );
});

t.test('a failure is not taken back by a delivery that is told after it', async (t) => {
  const failed: DeliveryReport = { kind: 'failed', reason: 'unknown_handset', effect: 'dead' };
  t.equal(reasonIn(told([failed, { kind: 'arrived' }])), 'unknown_handset');
  const other: DeliveryReport = { kind: 'failed', reason: 'blocked', effect: 'none' };
  t.equal(reasonIn(told([other, failed])), 'unknown_handset', 'the graver gives the reason');
});
