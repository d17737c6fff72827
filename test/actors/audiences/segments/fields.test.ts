// What the columns know of tags and events, against a count over plain records: random people who
// change, go and come back, with sparse and dense columns, before and after a checkpoint.

import fc from 'fast-check';
import t from 'tap';
import { LastSeen } from '../../../../actors/audiences/segments/last-seen.ts';
import { MostUsed } from '../../../../actors/audiences/segments/most-used.ts';
import { TagColumn } from '../../../../actors/audiences/segments/tag-column.ts';
import type { TagValue } from '../../../../storage/tables/subscriber.ts';
import { tries } from '../../../support/tries.ts';

const values = ['a', 'b', 'c', '1', 1, 2, true, false];
const value: fc.Arbitrary<TagValue | null> = fc.oneof(
  fc.constantFrom(...values),
  fc.constant(null),
  fc.array(fc.constantFrom('a', 'b', 'z'), { maxLength: 3 }),
);
/** Beyond 64 people of 200 the column is dense. */
const changes = fc.array(fc.tuple(fc.nat({ max: 199 }), value), { maxLength: 400 });

const typeOf = (one: TagValue): string => (typeof one === 'object' ? 'list' : typeof one);
const order = ['string', 'number', 'boolean', 'list'];

function model(people: ReadonlyMap<number, TagValue>) {
  const counts = new Map<string | number | boolean, number>();
  for (const theirs of people.values())
    for (const one of typeof theirs === 'object' ? new Set(theirs) : [theirs])
      counts.set(one as string, (counts.get(one as string) ?? 0) + 1);
  const types = new Set([...people.values()].map(typeOf));
  return {
    people: people.size,
    types: order.filter((type) => types.has(type)),
    counts,
  };
}

t.test('a tag column knows its types, its people and its values', async (t) => {
  fc.assert(
    fc.property(changes, (list) => {
      const column = new TagColumn();
      const people = new Map<number, TagValue>();
      for (const [person, one] of list) {
        column.set(person, one, 200);
        if (one === null) people.delete(person);
        else people.set(person, one);
      }
      const { people: count, types, counts } = model(people);
      for (const one of [column, TagColumn.restore(column.snapshot())]) {
        t.equal(one.people, count);
        t.same(one.types, types);
        const visited: (readonly [unknown, number])[] = [];
        one.forEachValue((value, people) => visited.push([value, people]));
        t.same(new Map(visited), counts);
        t.equal(visited.length, counts.size, 'each value once');
        t.ok(visited.length <= one.valuesHeld);
      }
    }),
    { numRuns: tries(300) },
  );
});

t.test('a column of instants knows its people and the newest of them', async (t) => {
  const touches = fc.array(
    fc.tuple(fc.nat({ max: 5_000 }), fc.integer({ min: 0, max: 5_000 }), fc.nat({ max: 9 })),
    { maxLength: 300 },
  );
  fc.assert(
    fc.property(touches, fc.boolean(), (list, isDense) => {
      const column = new LastSeen();
      const known = new Map<number, number>();
      if (isDense)
        for (let person = 0; person < 5_000; person++) {
          column.touch(person, 1_000, 5_001);
          known.set(person, 1_000);
        }
      for (const [person, atMs, fate] of list) {
        if (fate === 0) {
          column.forget(person);
          known.delete(person);
        } else if (atMs >= 1_000) {
          column.touch(person, atMs, 5_001);
          known.set(person, Math.max(atMs, known.get(person) ?? 0));
        }
      }
      for (const one of [column, LastSeen.restore(column.snapshot())]) {
        t.equal(one.people, known.size);
        t.equal(
          one.newest(),
          [...known.values()].reduce((most, atMs) => Math.max(most, atMs), 0),
        );
      }
    }),
    { numRuns: tries(200) },
  );
});

t.test('the most used are those of most people, by name where equally many', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 20 })), fc.integer({ min: 1, max: 10 }), (list, most) => {
      const named = list.map((people, nth) => ({ name: `n${nth}`, people }));
      const found = new MostUsed<{ name: string; people: number }>(most, ({ name }) => name);
      for (const one of named) found.offer(one);
      const expected = [...named].sort(
        (one, other) => other.people - one.people || (one.name < other.name ? -1 : 1),
      );
      t.same(found.items, expected.slice(0, most));
    }),
  );
});
