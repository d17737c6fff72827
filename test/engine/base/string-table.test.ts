import fc from 'fast-check';
import t from 'tap';
import { newHashKey } from '../../../engine/base/hash.ts';
import { seededRng } from '../../../engine/base/rng.ts';
import { StringTable } from '../../../engine/base/string-table.ts';
import { same } from '../../support/same.ts';
import { tries } from '../../support/tries.ts';

const maxStringBytes = 32767;

const rng = seededRng(1, 'keys');
const text = fc.oneof(
  fc.string({ maxLength: 3 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '\0', 'user-1'),
);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('add' as const), text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);

t.test(
  'a table is a map from strings to indexes that count up, through removals and restarts under new keys',
  async (t) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
        let table = new StringTable(newHashKey(rng));
        const naive = new Map<string, number>();
        let next = 0;
        for (const step of steps) {
          if (step.kind === 'add') {
            // a lone surrogate is another string in UTF-8
            const key = Buffer.from(step.text).toString('hex');
            const expected = naive.get(key) ?? next++;
            naive.set(key, expected);
            same(table.addText(step.text), expected);
            same(table.findText(step.text), expected);
          } else if (step.kind === 'remove') {
            const index = step.which % (next + 1);
            const entry = [...naive].find(([, value]) => value === index);
            same(table.remove(index), entry !== undefined);
            if (entry !== undefined) {
              naive.delete(entry[0]);
              same(table.find(Buffer.from(entry[0], 'hex')), -1);
            }
            same(table.bytesOf(index), undefined);
          } else {
            table = StringTable.restore(table.snapshot(), newHashKey(rng));
          }
        }
        same(table.count, naive.size);
        same(table.nextIndex, next);
        const entries = [...table.entries()].map(([index, bytes]) => [
          Buffer.from(bytes).toString('hex'),
          index,
        ]);
        same(
          entries,
          [...naive].sort((a, b) => a[1] - b[1]),
        );
        for (const [hex, index] of naive)
          same(table.find(Buffer.from(`00${hex}ff`, 'hex'), 1, 1 + hex.length / 2), index);
        // All of them in one go, with strings that are not there and absent ones in between.
        const asked = [...naive].flatMap(([hex, index]) => [
          { hex, index },
          { hex: `${hex}00ff00`, index: naive.get(`${hex}00ff00`) ?? -1 },
          { hex: undefined, index: -1 },
        ]);
        const texts = { start: new Uint32Array(asked.length), end: new Uint32Array(asked.length) };
        let bytes = 'ff';
        for (const [i, { hex }] of asked.entries()) {
          texts.start[i] = bytes.length / 2;
          if (hex === undefined) continue;
          bytes += hex;
          texts.end[i] = bytes.length / 2;
        }
        const found = new Int32Array(asked.length);
        table.findAll(Buffer.from(bytes, 'hex'), texts, asked.length, found);
        same(
          [...found],
          asked.map(({ index }) => index),
        );
      }),
      { seed: 5, numRuns: tries(300) },
    );
    t.pass();
  },
);

t.test('300,000 ids over several chunks are all found, and no other one is', async (t) => {
  const table = new StringTable(newHashKey(rng));
  for (let i = 0; i < 300_000; i++) table.addText(`customer-number-${i}`);
  const again = StringTable.restore(table.snapshot(), newHashKey(rng));
  t.ok(table.snapshot().chunks.length > 1);
  for (const each of [table, again]) {
    let wrong = 0;
    for (let i = 0; i < 300_000; i++) if (each.findText(`customer-number-${i}`) !== i) wrong++;
    for (let i = 300_000; i < 400_000; i++)
      if (each.findText(`customer-number-${i}`) !== -1) wrong++;
    t.equal(wrong, 0);
  }
  t.ok(table.byteLength / 300_000 < 60, `${table.byteLength / 300_000} bytes an id of 22 bytes`);
});

t.test('an erased string leaves no byte of itself, and its index stays unused', async (t) => {
  const table = new StringTable(newHashKey(rng));
  table.addText('before');
  const index = table.addText('erase-me@example.com');
  t.ok(table.remove(index));
  t.notOk(table.remove(index));
  const held = Buffer.concat(table.snapshot().chunks.map((chunk) => Buffer.from(chunk))).toString(
    'latin1',
  );
  t.notMatch(held, /erase|example/);
  t.match(held, /before/);
  t.equal(table.addText('erase-me@example.com'), index + 1);
  const again = StringTable.restore(table.snapshot(), newHashKey(rng));
  t.equal(again.bytesOf(index), undefined);
  t.equal(again.findText('erase-me@example.com'), index + 1);
});

t.test('a snapshot does not change with the table it was taken from', async (t) => {
  const table = new StringTable(newHashKey(rng));
  table.addText('one');
  const snapshot = table.snapshot();
  table.remove(0);
  table.addText('two');
  const again = StringTable.restore(snapshot, newHashKey(rng));
  t.equal(again.findText('one'), 0);
  t.equal(again.nextIndex, 1);
});

t.test('the longest string fits and a longer one is a bug', async (t) => {
  const table = new StringTable(newHashKey(rng));
  t.equal(table.add(new Uint8Array(maxStringBytes)), 0);
  t.equal(table.bytesOf(0)?.length, maxStringBytes);
  t.throws(() => table.add(new Uint8Array(maxStringBytes + 1)));
  t.equal(
    StringTable.restore(table.snapshot(), newHashKey(rng)).find(new Uint8Array(maxStringBytes)),
    0,
  );
});

t.test('strings are found by their first bytes, and removed ones are not', async (t) => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é'), maxLength: 5 }));
  fc.assert(
    fc.property(
      texts,
      fc.string({ unit: fc.constantFrom('a', 'b', 'é'), maxLength: 3 }),
      (all, by) => {
        const table = new StringTable(newHashKey(rng));
        const known = new Map<number, string>();
        for (const text of all) known.set(table.addText(text), text);
        for (const [index] of known)
          if (index % 3 === 2) {
            table.remove(index);
            known.delete(index);
          }
        for (const one of [table, StringTable.restore(table.snapshot(), newHashKey(rng))]) {
          const found: number[] = [];
          one.eachWithPrefix(Buffer.from(by), (index) => found.push(index));
          same(
            found,
            [...known].filter(([, text]) => text.startsWith(by)).map(([index]) => index),
          );
        }
      },
    ),
  );
  t.pass();
});
