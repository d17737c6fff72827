import fc from 'fast-check';
import t from 'tap';
import { Triggered } from '../../../../actors/programs/journeys/triggered.ts';
import { hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';

const person = fc.integer({ min: 0, max: 6 });
const step = fc.record({
  does: fc.constantFrom('note', 'forget', 'merge', 'restart', 'wait', 'take over'),
  person,
  into: person,
  waitMs: fc.integer({ min: 0, max: 90 * minuteMs }),
});

t.test('a person is enrolled once an hour, also after a merge and a restart', async () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      let triggered = new Triggered();
      let nowMs = 1_790_000_000_000;
      /** The hour of the newest note, and who was noted in it. */
      let hour = 0;
      let noted = new Set<number>();
      for (const { does, person, into, waitMs } of steps) {
        if (does === 'wait') nowMs += waitMs;
        if (does === 'restart') triggered = Triggered.restore(triggered.snapshot());
        if (does === 'forget') {
          triggered.forget(person);
          noted.delete(person);
        }
        if (does === 'merge' && person !== into) {
          triggered.merge(person, into);
          if (noted.delete(person)) noted.add(into);
        }
        if (does === 'note' || does === 'take over') {
          if (does === 'note') triggered.note(person, nowMs);
          else {
            const replaced = new Triggered();
            replaced.note(person, nowMs);
            triggered.takeOver(replaced);
          }
          if (hour !== Math.floor(nowMs / hourMs)) noted = new Set();
          hour = Math.floor(nowMs / hourMs);
          noted.add(person);
        }
        const isNow = hour === Math.floor(nowMs / hourMs);
        for (let one = 0; one <= 6; one++)
          if (triggered.has(one, nowMs) !== (isNow && noted.has(one))) return false;
      }
      return true;
    }),
    { numRuns: tries(1_000) },
  );
});

t.test('what a replaced journey noted in an earlier hour does not count', async (t) => {
  const [old, young] = [new Triggered(), new Triggered()];
  old.note(1, 5 * hourMs);
  young.note(2, 6 * hourMs);
  young.takeOver(old);
  t.notOk(young.has(1, 6 * hourMs));
  t.ok(young.has(2, 6 * hourMs));
});
