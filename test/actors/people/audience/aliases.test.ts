// One person under many numbers: whatever the merges were, everybody leads to one, and the rest is
// told in order.

import fc from 'fast-check';
import t from 'tap';
import { Aliases } from '../../../../actors/people/audience/aliases.ts';
import { People } from '../../../../actors/people/audience/people.ts';
import { newHashKey } from '../../../../engine/base/hash.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { tries } from '../../../support/tries.ts';

const size = 24;
const place = fc.integer({ min: 0, max: size - 1 });
const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('merge'), from: place, into: place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget'), from: place, into: place }) },
);

t.test('chains of merges lead to one person in one step, as sets of people would', async (t) => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const aliases = new Aliases();
      // By person: whom they are now.
      let now = Array.from({ length: size }, (_, person) => person);
      for (const { kind, from, into } of changes) {
        if (kind === 'merge') {
          aliases.merge(from, into);
          const [last, first] = [now[from], now[into]] as [number, number];
          now = now.map((one) => (one === last ? first : one));
        } else {
          aliases.forget(from);
          const ends = now[from] === from;
          now = now.map((one, person) =>
            person === from || (ends && one === from) ? person : one,
          );
        }
      }
      const members = (person: number) =>
        now.flatMap((one, other) => (one === now[person] && other !== person ? [other] : []));
      now.forEach((one, person) => {
        if (aliases.canonical(person) !== one) throw new Error(`${person} is ${one}`);
        if (String(aliases.of(person)) !== String(members(person))) throw new Error(`of ${person}`);
      });
      const pairs = now.flatMap((one, person) => (one === person ? [] : [person, one]));
      if (String([...aliases.pairs()]) !== String(pairs)) throw new Error('pairs');
      if (aliases.count !== pairs.length / 2) throw new Error('count');
    }),
    { seed: 9, numRuns: tries(2_000) },
  );
  t.pass('2,000 histories');
});

t.test('memory of people comes back from a checkpoint with its aliases', async (t) => {
  const key = newHashKey(seededRng(1));
  const people = new People(key);
  for (let person = 0; person < 5; person++) people.add(person, person === 2 ? 'ana' : null);
  people.merge(4, 3);
  people.merge(3, 2);
  t.equal(people.count, 3);
  const again = People.restore(people.snapshot(), key);
  t.same([again.canonical(4), again.canonical(3), again.canonical(2)], [2, 2, 2]);
  t.same(again.aliasesOf(2), [3, 4]);
  t.same(again.snapshot(), people.snapshot());
  for (const person of [3, 4, 2]) people.erase(person, person === 2 ? 'ana' : null);
  t.equal(people.count, 2);
  t.same([...people.merged()], []);
});
