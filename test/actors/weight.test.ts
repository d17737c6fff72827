import fc from 'fast-check';
import t from 'tap';
import { bytesOfRecord, rowBytes, WeighedMap } from '../../actors/weight.ts';
import { tries } from '../support/tries.ts';

t.test('equal records weigh the same, and longer texts and bytes more', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      t.equal(bytesOfRecord(structuredClone(value)), bytesOfRecord(value));
    }),
    { seed: 3, numRuns: tries(100) },
  );
  t.equal(bytesOfRecord('ปุ่ม'), 12, 'in UTF-8');
  t.equal(bytesOfRecord(new Uint8Array(40)), 40);
  t.equal(bytesOfRecord({ a: undefined }), bytesOfRecord({}), 'an absent member takes nothing');
});

t.test('a map knows what its records weigh, whatever was set and deleted', async (t) => {
  const change = fc.record({ key: fc.nat(5).map(String), text: fc.option(fc.string()) });
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const map = new WeighedMap<{ record: { text: string } }>(({ record }) => record);
      for (const { key, text } of changes) {
        const before = map.bytes;
        const growth = text === null ? 0 : map.growth(key, { text });
        if (text === null) map.delete(key);
        else map.set(key, { record: { text } });
        if (text !== null) t.equal(map.bytes, before + growth);
      }
      const all = [...map.values()].reduce(
        (sum, one) => sum + rowBytes + bytesOfRecord(one.record),
        0,
      );
      t.equal(map.bytes, all);
    }),
    { seed: 4, numRuns: tries(200) },
  );
});
