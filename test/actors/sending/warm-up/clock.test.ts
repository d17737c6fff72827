// A warm-up under a clock that was ahead: the curve goes back to the right day, and what has left
// still counts.

import t from 'tap';
import { defaultCurve, numberOn, utcDayOf } from '../../../../actors/sending/warm-up/warm-up.ts';
import { WarmUps } from '../../../../actors/sending/warm-up/warm-ups.ts';
import type { Rebase } from '../../../../engine/actor/machine.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';

const domain = 'acme.example';
const toMs = 20_000 * dayMs + hourMs;

/** The clock went `days` ahead at `sinceMs`. */
function rebaseOf(days: number, sinceMs: number): Rebase {
  const aheadMs = days * dayMs;
  return {
    ...{ toMs, sinceMs, aheadMs },
    stamp: (atMs) => (atMs >= sinceMs ? Math.max(atMs - aheadMs, 0) : atMs),
    due: (dueMs) => Math.max(toMs, dueMs - aheadMs),
  };
}

function begun(startMs: number) {
  const warmUps = new WarmUps();
  const record = {
    ...{ domain, startMs, days: defaultCurve, sinceDay: utcDayOf(startMs), step: 0 },
    ...{ createdMs: startMs, updatedMs: startMs },
  };
  warmUps.save(record, () => true);
  return warmUps;
}

const today = utcDayOf(toMs);
const maxOf = (warmUps: WarmUps) => {
  const record = warmUps.get(domain);
  return record && numberOn(record, today)?.max;
};

t.test('a curve that began before goes by the right day again', async (t) => {
  const warmUps = begun(toMs - 2 * dayMs);
  warmUps.count({ domain, mails: 70 }, toMs + 10 * dayMs);
  warmUps.rebase(rebaseOf(10, toMs + 5 * dayMs));
  t.equal(maxOf(warmUps), 200, 'the third day');
  t.equal(warmUps.countOn(domain, today).mails, 70, 'what left counts as of today');
});

t.test('a curve that began under the wrong clock begins today', async (t) => {
  const warmUps = begun(toMs + 10 * dayMs);
  warmUps.rebase(rebaseOf(10, toMs + 5 * dayMs));
  t.equal(maxOf(warmUps), 50);
});

t.test('a start that somebody chose in the future stays', async (t) => {
  const startMs = toMs + 30 * dayMs;
  const warmUps = begun(startMs);
  warmUps.rebase(rebaseOf(10, toMs + 5 * dayMs));
  t.equal(warmUps.get(domain)?.startMs, startMs);
  t.equal(maxOf(warmUps), undefined);
});

t.test('memory that is written down is the same afterwards, counts included', async (t) => {
  const warmUps = begun(toMs);
  warmUps.count({ domain, mails: 3, byProvider: [['gmail', 2]] }, toMs, 'cmp_1');
  const again = WarmUps.restore(structuredClone(warmUps.snapshot()));
  t.same(again.snapshot(), warmUps.snapshot());
  const { mails, byProvider, byCampaign } = again.countOn(domain, today);
  t.same([mails, [...byProvider], [...byCampaign]], [3, [['gmail', 2]], [['cmp_1', 3]]]);
  t.same(WarmUps.restore(undefined).snapshot(), []);
});

t.test('an instant before the newest day counts as of that day', async (t) => {
  const warmUps = begun(toMs);
  warmUps.count({ domain, mails: 3 }, toMs);
  warmUps.count({ domain, mails: 4 }, toMs - dayMs);
  t.equal(warmUps.countOn(domain, today).mails, 7);
  warmUps.count({ domain: 'other.example', mails: 4 }, toMs);
  t.equal(warmUps.countOn('other.example', today).mails, 0, 'it is not warming up');
});
