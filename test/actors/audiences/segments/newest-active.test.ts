// A page by last activity against a plain sort, with instants that crowd in one bucket, one second
// or one millisecond, and people who never were active.

import fc from 'fast-check';
import t from 'tap';
import { LastSeen } from '../../../../actors/audiences/segments/last-seen.ts';
import { newestActive } from '../../../../actors/audiences/segments/newest-active.ts';
import { Bitset } from '../../../../engine/base/bitset.ts';
import { tries } from '../../../support/tries.ts';

const startMs = Date.UTC(2026, 0, 1);
const instant = fc.oneof(
  fc.constant(0),
  fc.integer({ min: startMs, max: startMs + 3 }),
  fc.integer({ min: startMs, max: startMs + 2_000 }),
  fc.integer({ min: startMs, max: startMs + 90 * 86_400_000 }),
);

function sorted(people: readonly number[], at: (person: number) => number): number[] {
  return [...people].sort((one, other) => at(other) - at(one) || other - one);
}

t.test('every page is a slice of the sorted whole', async (t) => {
  fc.assert(
    fc.property(
      fc.array(instant, { minLength: 1, maxLength: 80 }),
      fc.nat({ max: 90 }),
      fc.integer({ min: 1, max: 30 }),
      (instants, offset, limit) => {
        const among = new Bitset(0);
        const people = instants.flatMap((_atMs, person) => (person % 5 === 4 ? [] : [person]));
        for (const person of people) among.set(person);
        const activity = new LastSeen();
        for (const [person, atMs] of instants.entries())
          activity.touch(person, atMs, instants.length);
        t.same(
          newestActive(among, activity, instants.length, offset, limit),
          sorted(people, (person) => activity.at(person)).slice(offset, offset + limit),
        );
      },
    ),
    { numRuns: tries(500) },
  );
});

t.test('so is it where thousands were active in the same millisecond', async (t) => {
  const among = new Bitset(0);
  const people = Array.from({ length: 30_000 }, (_, person) => person);
  for (const person of people) among.set(person);
  const at = (person: number) =>
    person % 3 === 0 ? 0 : person % 3 === 1 ? startMs : startMs + (person % 7) * 40_000_000;
  const activity = new LastSeen();
  for (const person of people) activity.touch(person, at(person), people.length);
  const whole = sorted(people, at);
  for (const offset of [0, 1_400, 2_857, 4_000, 9_990, 15_000, 19_990, 20_000, 29_990])
    t.same(
      newestActive(among, activity, people.length, offset, 50),
      whole.slice(offset, offset + 50),
      `${offset}`,
    );
});
