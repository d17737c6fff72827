// The filter as the builder edits it: exact both ways, and what it makes the server reads.

import fc from 'fast-check';
import t from 'tap';
import { parseFilter } from '../../actors/audiences/segments/parse-filter.ts';
import type { Filter } from '../../dashboard/api/generated.ts';
import {
  addAt,
  completed,
  conditionCount,
  eachCondition,
  filterText,
  isGroup,
  membersOf,
  type Place,
  parseFilterText,
  pathOf,
  replaceAt,
} from '../../dashboard/filter/model.ts';
import { tries } from '../support/tries.ts';

const days = fc.integer({ min: 1, max: 90 });
const name = fc.stringMatching(/^[a-z][a-z_]{0,11}$/);
const value = fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.boolean());
const condition: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ tag: name, eq: value }),
  fc.record({ tag: name, ne: value }),
  fc.record({ tag: name, exists: fc.boolean() }),
  fc.record({ tag: name, in: fc.array(value, { minLength: 1, maxLength: 4 }) }),
  fc.record({ event: name, withinDays: days, atLeast: fc.integer({ min: 2, max: 9 }) }),
  fc.record({ event: name, withinDays: days }),
  fc.record({ event: name, notWithinDays: days }),
  fc.record({ activeWithinDays: days }),
  fc.record({ inactiveForDays: days }),
  fc.record({ channel: fc.constantFrom('email', 'sms'), exists: fc.boolean() }),
) as fc.Arbitrary<Filter>;

function group(member: fc.Arbitrary<Filter>): fc.Arbitrary<Filter> {
  const members = fc.array(member, { minLength: 1, maxLength: 4 });
  return fc.oneof(
    members.map((all): Filter => ({ all })),
    members.map((any): Filter => ({ any })),
  );
}
const inner = group(condition);
const middle = group(fc.oneof(condition, inner));
const filter = fc.oneof(condition, inner, middle, group(fc.oneof(condition, inner, middle)));

t.test('text and filter are each other’s, and the server reads the same', async (t) => {
  fc.assert(
    fc.property(filter, (one) => {
      t.same(parseFilterText(filterText(one)), { filter: one });
      const read = parseFilter(JSON.parse(JSON.stringify(one)), { retentionDays: 90 });
      t.same('filter' in read && read.filter, JSON.parse(JSON.stringify(one)));
    }),
    { numRuns: tries(200) },
  );
  t.same(parseFilterText('  '), { filter: undefined });
});

t.test('paths are those of the server, for each condition', async (t) => {
  fc.assert(
    fc.property(filter, (one) => {
      const paths: string[] = [];
      eachCondition(one, (_condition, path) => paths.push(path));
      t.same(
        placesOf(one).map((place) => pathOf(one, place)),
        paths,
      );
      t.equal(conditionCount(one), paths.length);
    }),
    { numRuns: tries(200) },
  );
});

t.test('adding and taking away what was added leaves the filter as it was', async (t) => {
  const added: Filter = { tag: 'added', eq: 'x' };
  fc.assert(
    fc.property(filter, (one) => {
      const more = addAt(one, [], added);
      t.equal(conditionCount(more), conditionCount(one) + 1);
      const members = isGroup(more) ? membersOf(more) : [];
      const back = replaceAt(more, [members.length - 1], undefined);
      t.same(back, isGroup(one) ? one : { all: [one] });
    }),
    { numRuns: tries(200) },
  );
  t.same(addAt(undefined, [], added), { all: [added] });
});

t.test('taking every condition away leaves everybody', async (t) => {
  fc.assert(
    fc.property(filter, (one) => {
      let left: Filter | undefined = one;
      for (let count = conditionCount(one); count > 0; count--) {
        const [first] = placesOf(left as Filter);
        left = replaceAt(left as Filter, first ?? [], undefined);
        t.equal(conditionCount(left), count - 1);
      }
      t.equal(left, undefined);
    }),
    { numRuns: tries(100) },
  );
});

t.test('what is not filled in is left out, and every place is found again', async (t) => {
  const isDone = (one: Filter) => !('tag' in one);
  fc.assert(
    fc.property(filter, (one) => {
      const { filter: rest, wholePathOf, left } = completed(one, isDone);
      t.equal(conditionCount(rest) + left.length, conditionCount(one));
      const whole = new Map<string, unknown>();
      eachCondition(one, (condition, path) => whole.set(path, condition));
      if (rest !== undefined)
        eachCondition(rest, (condition, path) =>
          t.equal(whole.get(wholePathOf.get(path) ?? ''), condition),
        );
    }),
    { numRuns: tries(200) },
  );
});

t.test('text that is no filter is refused with its place', async (t) => {
  t.match(parseFilterText('{'), { problem: /./ });
  t.match(parseFilterText('[]'), { problem: /^filter: expected an object/ });
  t.match(parseFilterText('{"all":[{"any":[]}]}'), { problem: /^filter\.all\[0\]\.any: / });
  t.match(parseFilterText('{"all":[1]}'), { problem: /^filter\.all\[0\]: / });
  t.match(parseFilterText('{"all":[],"any":[]}'), { problem: /both all and any/ });
});

function placesOf(one: Filter, place: Place = []): readonly Place[] {
  if (!isGroup(one)) return [place];
  return membersOf(one).flatMap((member, at) => placesOf(member, [...place, at]));
}
