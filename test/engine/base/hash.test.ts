import fc from 'fast-check';
import t from 'tap';
import {
  hash32,
  hash32Keyed,
  hash32Word,
  hash64,
  newHashKey,
  utf8,
} from '../../../engine/base/hash.ts';
import { seededRng } from '../../../engine/base/rng.ts';
import { tries } from '../../support/tries.ts';

/** HalfSipHash-c-d as its authors wrote it down, on BigInt; 4 or 8 bytes out. */
function reference(c: number, d: number, key: Uint8Array, bytes: Uint8Array, size: 4 | 8): string {
  const u32 = (value: bigint) => value & 0xffffffffn;
  const rotate = (value: bigint, by: bigint) => u32((value << by) | (value >> (32n - by)));
  const word = (from: Uint8Array, at: number) =>
    BigInt(new DataView(from.buffer, from.byteOffset).getUint32(at, true));
  const k0 = word(key, 0);
  const k1 = word(key, 4);
  let [v0, v1, v2, v3] = [k0, k1, 0x6c796765n ^ k0, 0x74656462n ^ k1] as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  if (size === 8) v1 ^= 0xeen;
  const rounds = (count: number) => {
    for (let i = 0; i < count; i++) {
      v0 = u32(v0 + v1);
      v1 = rotate(v1, 5n) ^ v0;
      v0 = rotate(v0, 16n);
      v2 = u32(v2 + v3);
      v3 = rotate(v3, 8n) ^ v2;
      v0 = u32(v0 + v3);
      v3 = rotate(v3, 7n) ^ v0;
      v2 = u32(v2 + v1);
      v1 = rotate(v1, 13n) ^ v2;
      v2 = rotate(v2, 16n);
    }
  };
  const padded = new Uint8Array((bytes.length & ~3) + 4);
  padded.set(bytes);
  padded[padded.length - 1] = bytes.length;
  for (let at = 0; at < padded.length; at += 4) {
    v3 ^= word(padded, at);
    rounds(c);
    v0 ^= word(padded, at);
  }
  v2 ^= size === 8 ? 0xeen : 0xffn;
  rounds(d);
  const out = Buffer.alloc(size);
  out.writeUInt32LE(Number(v1 ^ v3), 0);
  if (size === 8) {
    v1 ^= 0xddn;
    rounds(d);
    out.writeUInt32LE(Number(v1 ^ v3), 4);
  }
  return out.toString('hex');
}

const upTo = (length: number) => Uint8Array.from({ length }, (_, i) => i);

t.test(
  "the reference in this test gives the authors' own vectors for HalfSipHash-2-4",
  async (t) => {
    // github.com/veorq/SipHash, vectors.h: key 00…07, message 00, 01, … of the given length.
    const vectors = [
      [0, 'a9359f5b', '218d1f59b9b83cc8'],
      [1, '27475ab8', 'be552412f8387315'],
      [3, '8afee704', 'ce0f1a45f7060679'],
      [4, '2a6e4689', 'd5e78a175be52ea1'],
      [15, '74fe2b97', '217d0bcb4e81c902'],
      [63, '59ea4a74', '2ea63c71bf326087'],
    ] as const;
    for (const [length, short, long] of vectors) {
      t.equal(reference(2, 4, upTo(8), upTo(length), 4), short);
      t.equal(reference(2, 4, upTo(8), upTo(length), 8), long);
    }
  },
);

t.test(
  'the keyed hashes are HalfSipHash-1-3 of exactly the bytes between start and end',
  async (t) => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 8, maxLength: 8 }),
        fc.uint8Array({ maxLength: 70 }),
        fc.nat(7),
        fc.nat(7),
        (keyBytes, message, before, after) => {
          const view = new DataView(keyBytes.buffer, keyBytes.byteOffset);
          const key = { low: view.getUint32(0, true), high: view.getUint32(4, true) };
          const buffer = new Uint8Array(before + message.length + after).fill(0xa5);
          buffer.set(message, before);
          const out = { high: 0, low: 0 };
          hash64(key, buffer, before, before + message.length, out);
          const got = Buffer.alloc(12);
          got.writeUInt32LE(out.high, 0);
          got.writeUInt32LE(out.low, 4);
          got.writeUInt32LE(hash32Keyed(key, buffer, before, before + message.length), 8);
          const expected =
            reference(1, 3, keyBytes, message, 8) + reference(1, 3, keyBytes, message, 4);
          return got.toString('hex') === expected;
        },
      ),
      { seed: 11, numRuns: tries(500) },
    );
    t.pass();
  },
);

t.test('placement never changes: hash32 is MurmurHash3 x86 32 with seed 0', async (t) => {
  // Published vectors of the algorithm: data directories rest on them.
  t.equal(hash32(''), 0);
  t.equal(hash32('test'), 0xba6bd213);
  t.equal(hash32('Hello, world!'), 0xc0363e43);
  t.equal(hash32('The quick brown fox jumps over the lazy dog'), 0x2e4ff723);
  t.equal(hash32('\ud800'), hash32('\ufffd'));
  t.not(hash32('é'), hash32('e'));
});

t.test('placement spreads sequential names evenly over 4,096 slots', async (t) => {
  const slots = new Uint32Array(4096);
  for (let i = 0; i < 409_600; i++) {
    const slot = hash32(`org_${i}`) & 4095;
    slots[slot] = (slots[slot] ?? 0) + 1;
  }
  let chiSquared = 0;
  for (const count of slots) chiSquared += (count - 100) ** 2 / 100;
  t.ok(
    chiSquared > 3700 && chiSquared < 4500,
    `chi-squared ${chiSquared} of 4,095 degrees of freedom`,
  );
});

t.test(
  'another key gives an unrelated hash, and one flipped bit changes half of the bits',
  async (t) => {
    const rng = seededRng(3);
    const out = { high: 0, low: 0 };
    let changed = 0;
    const bytes = Uint8Array.from({ length: 16 }, () => rng.uint32() & 255);
    const key = newHashKey(rng);
    hash64(key, bytes, 0, 16, out);
    const first = { ...out };
    for (let bit = 0; bit < 128; bit++) {
      const flipped = bytes.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      hash64(key, flipped, 0, 16, out);
      changed += bits(out.high ^ first.high) + bits(out.low ^ first.low);
    }
    t.ok(Math.abs(changed / 128 - 32) < 1.5, `${changed / 128} of 64 bits`);
    hash64(newHashKey(rng), bytes, 0, 16, out);
    t.not(out.high, first.high);
  },
);

t.test('utf8 gives the bytes of any text, also one longer than any before', async (t) => {
  for (const text of ['', 'plain', 'é€😀', 'a'.repeat(1000), '€'.repeat(5000), 'short again']) {
    t.same(Buffer.from(utf8(text)), Buffer.from(text, 'utf8'));
  }
});

function bits(word: number): number {
  let count = 0;
  for (let left = word; left !== 0; left &= left - 1) count++;
  return count;
}

t.test('a word hashes under a seed as MurmurHash3 says, and as its four letters do', async (t) => {
  // The published vectors of MurmurHash3_x86_32.
  t.equal(hash32Word(0, 0), 0x2362f9de);
  t.equal(hash32Word(0x9747b28c, 0x74736574), 0x704b81dc, '"test"');
  t.equal(hash32Word(0x9747b28c, 0x61616161), 0x5a97808a, '"aaaa"');
  fc.assert(
    fc.property(fc.stringMatching(/^[ -~]{4}$/), (text) => {
      t.equal(hash32Word(0, Buffer.from(text).readUInt32LE()), hash32(text));
    }),
    { seed: 3, numRuns: tries(50) },
  );
});
