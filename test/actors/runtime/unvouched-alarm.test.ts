import fc from 'fast-check';
import t from 'tap';
import { UnvouchedAlarm } from '../../../actors/runtime/unvouched-alarm.ts';
import { MonthlyActive } from '../../../actors/tenants/usage/monthly-active.ts';
import { tries } from '../../support/tries.ts';

const nowMs = Date.UTC(2026, 0, 20);

/** An app with so many active people, some of whom nobody vouched for. */
function appOf(people: number, unvouched: number) {
  const monthlyActive = new MonthlyActive();
  for (let person = 0; person < people; person++) {
    monthlyActive.touch(person, nowMs);
    if (person < unvouched) monthlyActive.noteUnvouched(person);
  }
  return { monthlyActive };
}

function alarmAt(percent: number | undefined) {
  const lines: { readonly app: number; readonly text: string }[] = [];
  const log = { warn: ({ app }: { app: number }, text: string) => lines.push({ app, text }) };
  return { alarm: new UnvouchedAlarm(percent, log as never), lines };
}

t.test('it says once that a share is too large, and again only after it was well', async (t) => {
  const { alarm, lines } = alarmAt(50);
  const look = (people: number, unvouched: number) => {
    alarm.look([[7, appOf(people, unvouched)]], nowMs);
    return [lines.length, alarm.apps];
  };
  t.same(look(3_000, 1_000), [0, 0], 'a third');
  t.same(look(3_000, 1_500), [1, 1]);
  t.match(lines[0], { app: 7, text: /1,500 of 3,000/ });
  t.same(look(3_000, 2_900), [1, 1]);
  t.same(look(3_000, 1_400), [1, 1], 'hardly better is not well');
  t.same(look(3_000, 1_600), [1, 1]);
  t.same(look(30, 20), [1, 1], 'a new month says nothing yet');
  t.same(look(3_000, 1_600), [1, 1]);
  t.same(look(3_000, 1_200), [1, 0], 'well');
  t.same(look(3_000, 1_600), [2, 1]);
  alarm.look([], nowMs);
  t.equal(alarm.apps, 0, 'a deleted app is no longer counted');
});

t.test('few people are no alarm, and without a threshold nobody is', async (t) => {
  const { alarm, lines } = alarmAt(1);
  alarm.look([[7, appOf(900, 900)]], nowMs);
  const never = alarmAt(undefined);
  never.alarm.look([[7, appOf(5_000, 5_000)]], nowMs);
  t.same([lines.length, alarm.apps, never.lines.length, never.alarm.apps], [0, 0, 0, 0]);
});

t.test('whatever the shares, there is a line for each that becomes too large', async (t) => {
  const share = fc.integer({ min: 0, max: 100 });
  let told = 0;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.array(share), (percent, shares) => {
      const { alarm, lines } = alarmAt(percent);
      let isIll = false;
      let expected = 0;
      for (const one of shares) {
        alarm.look([[1, appOf(2_000, one * 20)]], nowMs);
        const isEnough = one * 20 >= 1_000;
        if (one >= percent && isEnough && !isIll) expected++;
        if (one >= percent && isEnough) isIll = true;
        else if (one < percent * 0.9) isIll = false;
        if (alarm.apps !== (isIll ? 1 : 0) || lines.length !== expected)
          throw new Error(`${lines.length} lines at ${one} of ${percent}, not ${expected}`);
      }
      told += lines.length;
    }),
    { numRuns: tries(200) },
  );
  t.ok(told > tries(20), `${told} lines`);
});
