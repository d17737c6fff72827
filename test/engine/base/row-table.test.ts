import fc from 'fast-check';
import t from 'tap';
import { seededRng } from '../../../engine/base/rng.ts';
import { RowTable } from '../../../engine/base/row-table.ts';
import { tries } from '../../support/tries.ts';

/** Words that share leading bits, ends and whole values, as a good hash would not give them. */
const first = fc.oneof(
  fc.integer({ min: 0, max: 0xffffffff }),
  fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff),
  fc.integer({ min: 0, max: 40 }).map((n) => 0xffffffff - n),
);
const op = fc.record({
  add: fc.boolean(),
  first,
  second: fc.integer({ min: 1, max: 3 }),
  tag: fc.nat(255),
});

t.test(
  'a table is a sorted set of rows that keep their words and tags, however unlucky the hashes',
  async (t) => {
    fc.assert(
      fc.property(
        fc.array(op, { maxLength: 400 }),
        fc.constantFrom(2, 5),
        fc.integer({ min: 8, max: 40 }),
        (ops, width, segmentRows) => {
          const table = new RowTable({ width, tagged: true, segmentRows });
          const naive = new Map<string, number[]>();
          for (const { add, first, second, tag } of ops) {
            const name = `${first}/${second}`;
            let segment = table.segmentOf(first);
            let at = table.seek(segment, first, second);
            const there = segment.words[at] === first && segment.words[at + 1] === second;
            if (there !== naive.has(name)) throw new Error(`${name} ${there}`);
            if (add && !there) {
              segment = table.reserve(first);
              at = table.seek(segment, first, second);
              table.insertAt(segment, at, first, second);
              for (let i = 2; i < width; i++) segment.words[at + i] = tag * i;
              segment.tags[at / width] = tag;
              naive.set(name, [first, second, tag]);
            } else if (!add && there) {
              table.removeAt(segment, at);
              naive.delete(name);
            }
          }
          const expected = [...naive.values()].sort(
            (a, b) => (a[0] as number) - (b[0] as number) || (a[1] as number) - (b[1] as number),
          );
          if (JSON.stringify(rowsOf(table)) !== JSON.stringify(expected))
            throw new Error('other rows');
          if (table.count !== naive.size) throw new Error('other count');
          const loaded = new RowTable({ width, tagged: true, segmentRows });
          loaded.load(
            Uint32Array.from(
              expected.flatMap(([one, two, tag]) => [
                one as number,
                two as number,
                ...Array.from({ length: width - 2 }, (_, i) => (tag as number) * (i + 2)),
              ]),
            ),
            Uint8Array.from(expected, (row) => row[2] as number),
          );
          if (JSON.stringify(rowsOf(loaded)) !== JSON.stringify(expected))
            throw new Error('other rows when loaded');
          if (loaded.count !== naive.size) throw new Error('other count when loaded');
          for (const [one, two] of expected as [number, number][]) {
            const segment = loaded.segmentOf(one);
            const at = loaded.seek(segment, one, two);
            if (segment.words[at] !== one || segment.words[at + 1] !== two)
              throw new Error('a loaded row is not found');
          }
          for (const segment of table.segments())
            table.retain(segment, (at) => (segment.words[at + 1] as number) > 1);
          const kept = expected.filter((row) => (row[1] as number) > 1);
          if (JSON.stringify(rowsOf(table)) !== JSON.stringify(kept))
            throw new Error('other rows after retain');
          if (table.count !== kept.length) throw new Error('other count after retain');
        },
      ),
      { seed: 21, numRuns: tries(400) },
    );
    t.pass();
  },
);

t.test(
  'half a million rows stay within 13 bytes each, and no insertion rebuilds more than one segment',
  async (t) => {
    const table = new RowTable({ width: 2, tagged: true });
    const rng = seededRng(9);
    for (let i = 0; i < 500_000; i++) {
      const first = rng.uint32();
      const second = (rng.uint32() | 1) >>> 0;
      const segment = table.reserve(first);
      table.insertAt(segment, table.seek(segment, first, second), first, second);
      if (i > 50_000 && i % 10_000 === 0 && table.byteLength > table.count * 13.1)
        t.fail(`${table.byteLength / table.count}`);
    }
    t.equal(table.count, 500_000);
    for (const segment of table.segments())
      if (segment.count > 8192) t.fail('a segment outgrew its bound');
  },
);

/** (first, second, tag) of every row, having checked that the rest of the row came along. */
function rowsOf(table: RowTable): number[][] {
  const rows: number[][] = [];
  for (const segment of table.segments()) {
    for (let at = 0; at < segment.words.length; at += table.width) {
      if (segment.words[at + 1] === 0) continue;
      const tag = segment.tags[at / table.width] as number;
      for (let i = 2; i < table.width; i++)
        if (segment.words[at + i] !== tag * i) throw new Error('torn row');
      rows.push([segment.words[at] as number, segment.words[at + 1] as number, tag]);
    }
  }
  return rows;
}
