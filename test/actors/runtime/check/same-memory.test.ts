// Where two snapshots of memory first differ, and what an older version could not know.

import t from 'tap';
import { firstDifference } from '../../../../actors/runtime/check/same-memory.ts';

t.test('equal memory has no difference, in whatever order or class of bytes', async (t) => {
  const one = { a: 1, list: [1, { b: Buffer.from('x') }], map: new Map([[1, 2]]) };
  const other = { list: [1, { b: new Uint8Array([120]) }], map: new Map([[1, 2]]), a: 1 };
  t.equal(firstDifference(one, other), undefined);
});

t.test('a difference is named by its path', async (t) => {
  for (const [one, other, path] of [
    [1, 2, ''],
    [{ a: 1 }, { a: 2 }, '.a'],
    [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, '.a.b.1'],
    [{ a: [1] }, { a: [1, 2] }, '.a'],
    [{ a: [1, 2] }, { a: [1] }, '.a.1'],
    [{ a: 1 }, { a: 1, b: 2 }, ''],
    [{ a: { 0: 1 } }, { a: [1] }, '.a'],
    [{ bits: new Uint8Array([1]) }, { bits: new Uint8Array([2]) }, '.bits.0'],
    [{ map: new Map([[1, 2]]) }, { map: new Map([[1, 3]]) }, '.map'],
    [{ set: new Set([1]) }, { set: new Set([2]) }, '.set'],
    [{ a: null }, { a: 1 }, '.a'],
  ] as const) {
    t.equal(firstDifference(one, other), path, JSON.stringify([one, other]));
    t.type(firstDifference(other, one), 'string', 'the other way round');
  }
});

t.test('null in a list is what an older version did not note', async (t) => {
  const known = { days: [3, 5, 8], month: 1 };
  t.equal(firstDifference({ days: [null, 5, 8], month: 1 }, known), undefined);
  t.equal(firstDifference(known, { days: [3, null, null], month: 1 }), undefined);
  t.equal(firstDifference({ days: [null, 5, 9], month: 1 }, known), '.days.2');
  t.equal(firstDifference({ days: [null, 5], month: 1 }, known), '.days', 'another length');
  t.equal(firstDifference({ days: [3, 5, 8], month: null }, known), '.month');
});
