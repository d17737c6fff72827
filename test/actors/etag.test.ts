import fc from 'fast-check';
import t from 'tap';
import { etagOf } from '../../actors/etag.ts';
import { tries } from '../support/tries.ts';

const json = fc.dictionary(fc.string(), fc.jsonValue());

/** The same value with its members written in another order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, turned(member)]),
  );
}

t.test('equal things have equal tags in any order of their members', (t) => {
  fc.assert(
    fc.property(json, (thing) => etagOf(thing) === etagOf(turned(thing) as object)),
    { numRuns: tries(200) },
  );
  t.end();
});

t.test('things that differ have tags that differ', (t) => {
  const all = [
    {},
    { a: 1 },
    { a: '1' },
    { a: [1] },
    { a: [[1]] },
    { a: { b: 1 } },
    { a: null },
    { a: [1, 2] },
    { a: [12] },
    { a: { b: { c: 1 } } },
    { 'a":1,"b': 1 },
    { a: new Uint8Array([1]) },
    { a: new Uint8Array([2]) },
    { a: { updatedMs: 1 } },
    { a: { updatedMs: 2 } },
  ];
  t.equal(new Set(all.map((one) => etagOf(one))).size, all.length);
  t.end();
});

t.test('an absent member, the time of a change and what is left out make no difference', (t) => {
  const tag = etagOf({ a: 1 });
  t.equal(etagOf({ a: 1, b: undefined, updatedMs: 5, createdMs: 7 }), tag);
  t.equal(etagOf({ a: 1, count: 9 }, ['count']), tag);
  t.not(etagOf({ a: 1, b: { count: 9 } }, ['count']), etagOf({ a: 1, b: {} }, ['count']));
  t.equal(etagOf({ a: Buffer.from([1, 2]) }), etagOf({ a: new Uint8Array([1, 2]) }));
  t.end();
});
