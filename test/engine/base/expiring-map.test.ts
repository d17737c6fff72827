import fc from 'fast-check';
import t from 'tap';
import { hourMs, minuteMs } from '../../../engine/base/brand.ts';
import { ExpiringMap } from '../../../engine/base/expiring-map.ts';
import { seededRng } from '../../../engine/base/rng.ts';
import type { Words4 } from '../../../engine/base/words.ts';
import { tries } from '../../support/tries.ts';

const keptMinutes = 24 * 60;

const startMs = 1_763_700_000_000;
const word = fc.constantFrom(0, 1, 0x80000000, 0xffffffff);
const op = fc.record({
  key: fc.tuple(word, word, word, word),
  inMs: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    fc.integer({ min: -5000, max: 9 * hourMs }),
  ),
  expires: fc.boolean(),
  restart: fc.boolean(),
});

/** A second word of 0 is stored as 1: such keys are one key. */
const nameOf = (key: Words4) => [key[0], key[1] || 1, key[2], key[3]].join();

t.test(
  'an entry is there for 24 hours from its minute, with its fingerprint and value, and then gone',
  async (t) => {
    fc.assert(
      fc.property(fc.array(op, { maxLength: 200 }), (ops) => {
        let map = new ExpiringMap(12);
        const naive = new Map<string, { minute: number; mark: number }>();
        let nowMs = startMs;
        let latest = Math.floor(nowMs / minuteMs);
        let mark = 0;
        for (const { key, inMs, expires, restart } of ops) {
          nowMs += inMs;
          latest = Math.max(latest, Math.floor(nowMs / minuteMs));
          const kept = naive.get(nameOf(key));
          const expected =
            kept !== undefined && kept.minute >= latest - keptMinutes ? kept.mark : undefined;
          const got = map.get(key, nowMs);
          const value =
            expected === undefined
              ? undefined
              : { fingerprint: [expected, 7], value: [expected, 0, 9, 4294967295] };
          if (JSON.stringify(got) !== JSON.stringify(value))
            throw new Error(`get ${JSON.stringify(got)}`);
          const live = [...naive.values()].filter(
            (each) => each.minute >= latest - keptMinutes,
          ).length;
          const known = map.count;
          if (map.isFull(nowMs) !== live >= 12) throw new Error(`full with ${live}`);
          if (map.isFull(nowMs, 5) !== live + 5 >= 12) throw new Error(`no room beside ${live}`);
          if (map.count !== known) throw new Error('a question changed the map');
          if (expires) map.expire(nowMs);
          if (expires && map.count !== live) throw new Error(`count ${map.count} of ${live}`);
          if (got === undefined && live < 12) {
            map.put(key, [mark, 7], [mark, 0, 9, 4294967295], nowMs);
            naive.set(nameOf(key), { minute: latest, mark: mark++ });
          }
          if (restart) map = ExpiringMap.restore(map.snapshot());
        }
      }),
      { seed: 41, numRuns: tries(400) },
    );
    t.pass();
  },
);

t.test('a full map refuses: nothing is ever dropped to make room', async (t) => {
  const map = new ExpiringMap(3);
  for (let i = 0; i < 3; i++) map.put([i, 1, 1, 1], [0, 0], [i, 0, 0, 0], startMs);
  t.ok(map.isFull(startMs));
  t.throws(() => map.put([9, 1, 1, 1], [0, 0], [0, 0, 0, 0], startMs));
  for (let i = 0; i < 3; i++)
    t.same(map.get([i, 1, 1, 1], startMs + 24 * hourMs)?.value, [i, 0, 0, 0]);
  t.ok(map.isFull(startMs + 24 * hourMs));
});

t.test(
  'a full map has room again a day later, though nothing was put and nothing swept',
  async (t) => {
    const map = new ExpiringMap(3);
    for (let i = 0; i < 3; i++) map.put([i, 1, 1, 1], [0, 0], [i, 0, 0, 0], startMs + i * hourMs);
    const laterMs = startMs + 24 * hourMs + minuteMs;
    t.notOk(map.isFull(laterMs));
    t.equal(map.count, 3, 'the question changed nothing');
    map.put([9, 1, 1, 1], [0, 0], [9, 0, 0, 0], laterMs);
    t.ok(map.isFull(laterMs), 'one expired, one came');
    t.notOk(map.isFull(laterMs + hourMs));
  },
);

t.test('a remembered key is not overwritten', async (t) => {
  const map = new ExpiringMap(3);
  map.put([1, 2, 3, 4], [5, 6], [7, 8, 9, 10], startMs);
  t.throws(() => map.put([1, 2, 3, 4], [0, 0], [0, 0, 0, 0], startMs + hourMs));
  t.same(map.get([1, 2, 3, 4], startMs), { fingerprint: [5, 6], value: [7, 8, 9, 10] });
});

t.test(
  '200,000 entries are found again, cost at most 60 bytes, and give their memory back',
  async (t) => {
    const map = new ExpiringMap(1_000_000);
    const rng = seededRng(2);
    const keys: Words4[] = [];
    for (let i = 0; i < 200_000; i++) {
      const key = [rng.uint32(), rng.uint32(), rng.uint32(), rng.uint32()] as const;
      keys.push(key);
      map.put(key, [i, 0], [i, 1, 2, 3], startMs + i);
    }
    const again = ExpiringMap.restore(map.snapshot());
    t.equal(
      keys.filter(
        (key, i) =>
          map.get(key, startMs)?.value[0] !== i || again.get(key, startMs)?.value[0] !== i,
      ).length,
      0,
    );
    t.ok(map.byteLength / map.count < 60, `${map.byteLength / map.count} bytes`);
    for (let i = 0; i < 1000; i++) map.expire(startMs + 25 * hourMs + i);
    t.equal(map.count, 0);
    t.ok(map.byteLength < 1_000_000, `${map.byteLength} bytes left`);
  },
);

t.test('a snapshot is the same whether or not the map swept and was asked', async (t) => {
  const swept = new ExpiringMap(1_000_000);
  const lazy = new ExpiringMap(1_000_000);
  const rng = seededRng(3);
  for (let i = 0; i < 20_000; i++) {
    const key = [rng.uint32(), rng.uint32(), rng.uint32(), rng.uint32()] as const;
    const nowMs = startMs + i * 10_000;
    for (let call = 0; call < 3; call++) swept.expire(nowMs);
    swept.get(key, nowMs + hourMs);
    swept.put(key, [1, 2], [3, 4, 5, 6], nowMs);
    lazy.put(key, [1, 2], [3, 4, 5, 6], nowMs);
  }
  t.same(swept.snapshot(), lazy.snapshot());
});

t.test('a tenant may use four times what is free, and others always find room', async (t) => {
  const map = new ExpiringMap(1_000, (ordinal) => ordinal % 16);
  const cutMs = startMs - 24 * hourMs;
  let key = 0;
  const flood = (tenant: number) => {
    let puts = 0;
    while (!map.isFull(startMs) && !map.isShareFull(tenant % 16, 0, cutMs)) {
      map.put([++key, 1, 1, 1], [0, 0], [tenant, 0, 0, 0], startMs);
      puts++;
    }
    return puts;
  };
  t.equal(flood(1), 800);
  t.equal(flood(17), 0, 'another app of the same tenant');
  t.equal(flood(2), 160);
  t.notOk(map.isShareFull(3, 0, cutMs));
  t.ok(map.isShareFull(3, 40, cutMs), 'more than what is left');
  const restored = ExpiringMap.restore(map.snapshot(), (ordinal) => ordinal % 16);
  for (const one of [map, restored]) {
    t.ok(one.isShareFull(1, 0, cutMs));
    t.notOk(one.isShareFull(3, 0, cutMs));
  }
  const laterMs = startMs + 26 * hourMs;
  t.notOk(map.isShareFull(1, 0, laterMs - 24 * hourMs), 'its entries expired, unswept');
  map.rebase(laterMs, () => laterMs);
  t.ok(map.isShareFull(1, 0, laterMs - 24 * hourMs), 'and count from a corrected clock on');
});
