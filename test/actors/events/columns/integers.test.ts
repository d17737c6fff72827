import fc from 'fast-check';
import t from 'tap';
import { ByteReader } from '../../../../actors/events/columns/byte-cursor.ts';
import { ByteWriter } from '../../../../actors/events/columns/byte-writer.ts';
import {
  type IntegerOrder,
  openIntegers,
  readIntegers,
  writeIntegers,
} from '../../../../actors/events/columns/integers.ts';
import { openPlane, writePlane } from '../../../../actors/events/columns/plane.ts';
import { tries } from '../../../support/tries.ts';

function packed(values: readonly number[], order: IntegerOrder): Buffer {
  const writer = new ByteWriter();
  writeIntegers(writer, values, order);
  writer.u8(77);
  return writer.finish();
}

const column = fc.oneof(
  fc.array(fc.integer({ min: -(2 ** 51), max: 2 ** 51 }), { maxLength: 80 }),
  fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 80 }),
  fc.array(fc.integer({ min: -40, max: 300 }), { maxLength: 80 }),
  fc
    .tuple(fc.integer({ min: -(2 ** 50), max: 2 ** 50 }), fc.array(fc.nat(5), { maxLength: 80 }))
    .map(([start, steps]) => steps.map((step, i) => start + i * 3 + step)),
);

t.test('numbers come back from either order, all at once or one by one in any order', async () => {
  fc.assert(
    fc.property(
      column,
      fc.constantFrom<IntegerOrder>('values', 'steps'),
      fc.array(fc.nat(), { maxLength: 60 }),
      (values, order, picks) => {
        const bytes = packed(values, order);
        const reader = new ByteReader(bytes);
        const all = [...readIntegers(reader, values.length)];
        if (JSON.stringify(all) !== JSON.stringify(values)) throw new Error(`got ${all}`);
        if (reader.u8() !== 77) throw new Error('it read beyond its column');
        const one = openIntegers(new ByteReader(bytes), values.length);
        for (const pick of picks) {
          const row = pick % Math.max(1, values.length);
          if (row < values.length && one(row) !== values[row]) throw new Error(`row ${row}`);
        }
      },
    ),
    { seed: 51, numRuns: tries(600) },
  );
});

t.test('a column that begins high and steps little takes a byte a value, not eight', async (t) => {
  const values = Array.from({ length: 1000 }, (_, i) => 2 ** 50 + i * 100 + (i % 7) * 13);
  t.ok(packed(values, 'steps').length < 1050);
});

t.test('a plane gives each of its bytes, in whichever form it lies', async () => {
  const plane = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.uint8Array({ minLength: 600, maxLength: 600 }),
    fc.array(fc.constantFrom(3, 9, 200), { maxLength: 300 }).map((list) => Uint8Array.from(list)),
    fc
      .array(fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 90 })), { maxLength: 6 })
      .map((runs) =>
        Uint8Array.from(runs.flatMap(([value, length]) => new Array<number>(length).fill(value))),
      ),
    fc
      .tuple(fc.uint8Array({ minLength: 3, maxLength: 20 }), fc.integer({ min: 10, max: 40 }))
      .map(([some, times]) =>
        Uint8Array.from({ length: some.length * times }, (_, i) => some[i % some.length] as number),
      ),
  );
  const forms = new Set<number>();
  fc.assert(
    fc.property(plane, (bytes) => {
      const writer = new ByteWriter();
      writePlane(writer, bytes);
      const written = writer.finish();
      forms.add(written[0] as number);
      const opened = openPlane(new ByteReader(written), bytes.length);
      for (let i = 0; i < bytes.length; i++)
        if (opened.at(i) !== bytes[i]) throw new Error(`byte ${i} of form ${written[0]}`);
      if (Buffer.compare(opened.bytes(), bytes) !== 0) throw new Error(`form ${written[0]}`);
    }),
    { seed: 52, numRuns: tries(500) },
  );
  t.equal(forms.size, 5, 'and every form was there');
});
