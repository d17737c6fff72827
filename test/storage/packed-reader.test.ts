// The cursor over packed bytes against the library: whatever is packed, each value is read as the
// library reads it, and what is skipped ends where it ends.

import '../../engine/base/plain-msgpack.ts';
import fc from 'fast-check';
import { Packr } from 'msgpackr';
import t from 'tap';
import { PackedReader } from '../../storage/packed-reader.ts';
import { tries } from '../support/tries.ts';

const packr = new Packr({ useRecords: false, encodeUndefinedAsNil: true, moreTypes: true });
const key = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({ minLength: 30, maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.nat({ max: 99_999 }).map(String),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: 'grapheme', maxLength: 80 }),
    fc.constant('long '.repeat(14_000)),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.double({ noNaN: true }),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array({ maxLength: 300 }),
    fc.date({ noInvalidDate: true }),
    fc.array(tie('any'), { maxLength: 20 }),
    fc.dictionary(
      key.filter((text) => text !== '__proto__'),
      tie('any'),
      { maxKeys: 20, noNullPrototype: true },
    ),
  ),
})).any;

const shown = (read: unknown): string =>
  JSON.stringify(read, (_key, part) =>
    typeof part === 'bigint'
      ? `${part}n`
      : part instanceof Uint8Array
        ? Buffer.from(part).toString('hex')
        : part,
  );

t.test('each value is read as the library reads it, and left where it ends', async (t) => {
  fc.assert(
    fc.property(value, value, (one, two) => {
      const packed = packr.pack([one, two, 7]);
      const [first, second] = packr.unpack(packed) as unknown[];
      const read = new PackedReader(packed, 0);
      if (read.list() !== 3) return false;
      const isFirst = shown(read.value()) === shown(first);
      const isSecond = shown(read.value()) === shown(second);
      const skipped = new PackedReader(packed, 0);
      skipped.list();
      skipped.skip();
      const { place } = skipped;
      skipped.skip();
      const isGoneBackTo = shown(skipped.valueAt(place)) === shown(second);
      return isFirst && isSecond && isGoneBackTo && read.value() === 7 && skipped.value() === 7;
    }),
    { seed: 4, numRuns: tries(500) },
  );
  t.pass('500 pairs');
});

t.test('keys are known by their bytes', async (t) => {
  fc.assert(
    fc.property(
      fc.uniqueArray(key, { maxLength: 20 }),
      fc.array(key, { maxLength: 5 }),
      (all, more) => {
        const map = Object.fromEntries(
          all.filter((one) => one !== '__proto__').map((one) => [one, 1]),
        );
        const names = [...more, ...all.slice(0, 3)];
        const known = names.map((name) => new TextEncoder().encode(name));
        const read = new PackedReader(packr.pack(map), 0);
        const count = read.map();
        const found: (string | undefined)[] = [];
        for (let i = 0; i < count; i++) {
          found.push(names[read.keyAmong(known, i - 1)]);
          read.skip();
        }
        const expected = Object.keys(map).map((one) => (names.includes(one) ? one : undefined));
        return count === expected.length && JSON.stringify(found) === JSON.stringify(expected);
      },
    ),
    { seed: 4, numRuns: tries(500) },
  );
  t.pass('500 maps');
});

t.test('what is no list and no map stays the next value', async (t) => {
  const read = new PackedReader(packr.pack('text'), 0);
  t.equal(read.list(), -1);
  t.equal(read.map(), -1);
  t.equal(read.value(), 'text');
  for (const length of [0, 15, 16, 65_535, 65_536]) {
    t.equal(new PackedReader(packr.pack(new Array(length).fill(1)), 0).list(), length);
    if (length > 65_535) continue; // the library writes no larger maps
    const map = Object.fromEntries(Array.from({ length }, (_, i) => [`k${i}`, 1]));
    t.equal(new PackedReader(packr.pack(map), 0).map(), length);
  }
});
