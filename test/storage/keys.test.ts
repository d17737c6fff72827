// Document keys: byte order is tuple order, and nothing is lost on the way.

import fc from 'fast-check';
import t from 'tap';
import type { KeyPart } from '../../engine/actor/message.ts';
import { decodeKey, encodeKey, maxKeyBytes, prefixRange } from '../../storage/keys.ts';
import { binaryName, bytesOfName } from '../../storage/ordered-map.ts';
import { tries } from '../support/tries.ts';

const part: fc.Arbitrary<KeyPart> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.string({
    unit: fc.constantFrom('\0', '\u0001', 'a', '\u007f', 'é', '\uffff', '😀'),
    maxLength: 5,
  }),
  fc.maxSafeNat(),
  fc.constantFrom(0, 1, 255, 256, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER),
  fc.uint8Array({ maxLength: 5 }),
);
const tuple = fc.array(part, { maxLength: 4 });
const table = fc.integer({ min: 0, max: 255 });
const owner = fc.integer({ min: 0, max: 0xffffffff });

// Slow and obvious: numbers before bytes before strings; strings by their UTF-8; a shorter tuple
// first.
function compareTuples(a: readonly KeyPart[], b: readonly KeyPart[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareParts(a[i] as KeyPart, b[i] as KeyPart);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareParts(a: KeyPart, b: KeyPart): number {
  const rank = (p: KeyPart) => (typeof p === 'number' ? 0 : typeof p === 'string' ? 2 : 1);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === 'number') return a - (b as number);
  return Buffer.compare(Buffer.from(a as string), Buffer.from(b as string));
}

const asPlain = (parts: readonly KeyPart[]) =>
  parts.map((p) => (p instanceof Uint8Array ? { bytes: Buffer.from(p).toString('hex') } : p));

t.test('a key decodes to the tuple it was made from', async () => {
  fc.assert(
    fc.property(table, owner, tuple, (table, owner, parts) => {
      const decoded = decodeKey(encodeKey(table, owner, parts));
      return (
        decoded.table === table &&
        decoded.owner === owner &&
        JSON.stringify(asPlain(decoded.parts)) === JSON.stringify(asPlain(parts))
      );
    }),
    { seed: 11, numRuns: tries(3000) },
  );
});

t.test('keys order as their tuples do', async () => {
  fc.assert(
    fc.property(tuple, tuple, (a, b) => {
      const encoded = Buffer.compare(encodeKey(1, 7, a), encodeKey(1, 7, b));
      return Math.sign(encoded) === Math.sign(compareTuples(a, b));
    }),
    { seed: 12, numRuns: tries(5000) },
  );
});

t.test('tables come first, owners second, as unsigned numbers', async (t) => {
  const sorted = [
    encodeKey(0, 0xffffffff, ['z']),
    encodeKey(1, 0, []),
    encodeKey(1, 1, []),
    encodeKey(1, 0x7fffffff, []),
    encodeKey(1, 0x80000000, []),
    encodeKey(255, 0, []),
  ];
  for (let i = 1; i < sorted.length; i++)
    t.equal(Buffer.compare(sorted[i - 1] as Uint8Array, sorted[i] as Uint8Array), -1);
});

t.test('a prefix range holds exactly the tuples that start with the prefix', async () => {
  const within = (key: Uint8Array, { start, end }: ReturnType<typeof prefixRange>) =>
    Buffer.compare(key, start) >= 0 && Buffer.compare(key, end) < 0;
  fc.assert(
    fc.property(tuple, tuple, (prefix, parts) => {
      const range = prefixRange(3, 9, prefix);
      const starts =
        parts.length >= prefix.length && compareTuples(parts.slice(0, prefix.length), prefix) === 0;
      return (
        within(encodeKey(3, 9, parts), range) === starts &&
        within(encodeKey(3, 9, [...prefix, ...parts]), range) &&
        !within(encodeKey(3, 10, prefix), range) &&
        !within(encodeKey(4, 9, prefix), range)
      );
    }),
    { seed: 13, numRuns: tries(3000) },
  );
});

t.test('a key has at most 512 bytes', async (t) => {
  const room = maxKeyBytes - 5 - 2; // header, tag and terminator
  t.equal(encodeKey(1, 1, ['x'.repeat(room)]).length, maxKeyBytes);
  t.equal(encodeKey(1, 1, [Buffer.alloc(room, 1)]).length, maxKeyBytes);
  t.throws(() => encodeKey(1, 1, ['x'.repeat(room + 1)]), /longer than 512 bytes/);
  t.throws(() => encodeKey(1, 1, [Buffer.alloc(room + 1, 1)]), /longer than 512 bytes/);
  t.throws(() => encodeKey(1, 1, ['\0'.repeat(300)]), /longer than 512 bytes/, 'escapes count');
  t.throws(() => encodeKey(1, 1, [Buffer.alloc(300)]), /longer than 512 bytes/);
  t.throws(() => encodeKey(1, 1, ['😀'.repeat(130)]), /longer than 512 bytes/, 'UTF-8 counts');
  t.throws(() => encodeKey(1, 1, ['x'.repeat(1e7)]), /longer than 512 bytes/);
  t.throws(() => encodeKey(1, 1, ['x'.repeat(room - 4), 1]), /longer than 512 bytes/);
  t.equal(encodeKey(1, 1, ['x'.repeat(room - 8), 1]).length, maxKeyBytes);
});

t.test('what has no place in a key is refused', async (t) => {
  for (const number of [-1, 1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY])
    t.throws(() => encodeKey(1, 1, [number]), /integer in \[0, 2\^53\)/, String(number));
  for (const text of ['\ud800', 'a\ud800b', '\udc00', '\ud800\ud800', 'x\udfff'])
    t.throws(() => encodeKey(1, 1, [text]), /lone surrogate/, JSON.stringify(text));
  t.throws(() => encodeKey(256, 1, []), /0 to 255/);
  t.throws(() => encodeKey(1, -1, []), /32-bit/);
  t.throws(() => encodeKey(1, 2 ** 32, []), /32-bit/);
});

t.test('bytes that are no key are refused', async (t) => {
  const good = Buffer.from(encodeKey(1, 1, ['abc', 5]));
  t.throws(() => decodeKey(good.subarray(0, 3)), /five bytes/);
  t.throws(() => decodeKey(good.subarray(0, 7)), /inside a string/);
  t.throws(() => decodeKey(good.subarray(0, good.length - 1)), /cut short/);
  t.throws(() => decodeKey(Buffer.concat([good, Buffer.from([0x77])])), /unknown tag/);
});

t.test('a key stays what it was when the next one is made', async (t) => {
  const first = Buffer.from(encodeKey(1, 1, ['first']));
  const kept = encodeKey(1, 1, ['first']);
  encodeKey(1, 1, ['another, longer one']);
  t.ok(first.equals(kept));
});

t.test('names of keys are equal and ordered as the bytes are', async () => {
  const bytes = fc.uint8Array({ maxLength: 8 });
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      const [nameA, nameB] = [binaryName(a), binaryName(b)];
      const order = nameA < nameB ? -1 : nameA > nameB ? 1 : 0;
      return order === Buffer.compare(a, b) && Buffer.compare(bytesOfName(nameA), a) === 0;
    }),
    { seed: 14, numRuns: tries(2000) },
  );
});
