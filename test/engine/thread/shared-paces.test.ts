// Paces that threads keep together: against a plain count of what began in which instant.

import fc from 'fast-check';
import t from 'tap';
import { SharedPaces, sharedPacesBytes } from '../../../engine/thread/shared-paces.ts';
import { tries } from '../../support/tries.ts';

const day = 86_400_000;
const noonMs = 20_000 * day + day / 2;

t.test('no second has more calls than its pace, and none stands still', async () => {
  const asked = fc.array(fc.nat({ max: 400 }), { maxLength: 200 });
  const pace = fc.integer({ min: 1, max: 200 });
  fc.assert(
    fc.property(asked, pace, (steps, perSecond) => {
      const buffer = new SharedArrayBuffer(sharedPacesBytes);
      const threads = [new SharedPaces(buffer), new SharedPaces(buffer)];
      const begun: number[] = [];
      let nowMs = noonMs;
      for (const [i, step] of steps.entries()) {
        const waitMs = threads[i % 2]?.take('rel_a', perSecond, nowMs) ?? 0;
        if (waitMs === 0) begun.push(nowMs);
        else if (waitMs > 1_000 / perSecond + 1) return false;
        nowMs += step;
      }
      // A tenth of a second that passed unused may be caught up with.
      const most = perSecond * 1.1 + 1;
      return begun.every(
        (from) => begun.filter((at) => at >= from && at < from + 1_000).length <= most,
      );
    }),
    { numRuns: tries(300) },
  );
});

t.test('a day has its number over all threads, of each name alone', async (t) => {
  const buffer = new SharedArrayBuffer(sharedPacesBytes);
  const [one, other] = [new SharedPaces(buffer), new SharedPaces(buffer)];
  for (let i = 0; i < 3; i++) t.ok(one.takeOfDay('a', 5, noonMs));
  t.ok(other.takeOfDay('a', 5, noonMs));
  t.ok(other.takeOfDay('a', 5, noonMs));
  t.notOk(one.takeOfDay('a', 5, noonMs));
  t.ok(one.takeOfDay('b', 5, noonMs), 'another name');
  t.equal(other.ofDay('a', noonMs), 5);
  one.giveBackOfDay('a', noonMs);
  t.ok(other.takeOfDay('a', 5, noonMs), 'what did not begin');
  t.ok(one.takeOfDay('a', 5, noonMs + day), 'the next day');
  t.equal(one.ofDay('a', noonMs + day), 1);
});

t.test('what an earlier process counted is added; an older day is nothing', async (t) => {
  const paces = new SharedPaces();
  const today = Math.floor(noonMs / day);
  paces.addOfDay('a', today - 1, 7);
  t.equal(paces.ofDay('a', noonMs), 0);
  paces.addOfDay('a', today, 3);
  paces.addOfDay('a', today, 2);
  paces.addOfDay('a', today - 1, 9);
  t.equal(paces.ofDay('a', noonMs), 5);
});

t.test('a clock that was set back does not stop a relay', async (t) => {
  const paces = new SharedPaces();
  t.equal(paces.take('a', 1, noonMs + 3_600_000), 0);
  t.equal(paces.take('a', 1, noonMs), 0);
  t.ok(paces.take('a', 1, noonMs) > 0);
});

t.test('more names than places are not bounded, and disturb nobody', async (t) => {
  const paces = new SharedPaces();
  for (let i = 0; i < 4_200; i++) paces.takeOfDay(`rel_${i}`, 1, noonMs);
  t.notOk(paces.takeOfDay('rel_0', 1, noonMs));
  t.notOk(paces.takeOfDay('rel_4000', 1, noonMs));
  t.ok(paces.takeOfDay('rel_4199', 1, noonMs), 'there was no place left');
});

t.test('a name that did nothing today leaves its place to another', async (t) => {
  const paces = new SharedPaces();
  for (let i = 0; i < 4_096; i++) paces.takeOfDay(`old_${i}`, 1, noonMs);
  const laterMs = noonMs + day;
  t.equal(paces.take('old_0', 1, laterMs), 0, 'this one goes on');
  for (let i = 0; i < 4_000; i++) paces.takeOfDay(`new_${i}`, 1, laterMs);
  const again = Array.from({ length: 4_000 }, (_, i) => paces.takeOfDay(`new_${i}`, 1, laterMs));
  t.notOk(again.includes(true), 'each new one has its bound');
  t.ok(paces.take('old_0', 1, laterMs) > 0, 'and it kept its own');
});

t.test('who only asks takes no place', async (t) => {
  const paces = new SharedPaces();
  for (let i = 0; i < 5_000; i++) paces.ofDay(`rel_${i}`, noonMs);
  t.ok(paces.takeOfDay('a', 1, noonMs));
  t.notOk(paces.takeOfDay('a', 1, noonMs));
});
