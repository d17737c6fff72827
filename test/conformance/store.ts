// What every PartitionStore must do, LMDB's and the memory twin's alike. Each case opens a store of
// its own, works it through the port alone, and reopens it where the guarantee is about what
// survives.

import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { DocumentChange, PartitionStore } from '../../engine/actor/store.ts';
import { tries } from '../support/tries.ts';

/** How the suite gets at an implementation. */
interface StoreUnderTest {
  /** A new, empty store. */
  open(): Promise<PartitionStore>;
  /** Closes this one in an orderly way and opens its data again. */
  reopen(store: PartitionStore): Promise<PartitionStore>;
  /** Closes it and removes its data. */
  destroy(store: PartitionStore): Promise<void>;
}

const bytes = (text: string) => Buffer.from(text);
const put = (key: string, value: string): DocumentChange => ({
  key: bytes(key),
  value: bytes(value),
});
const remove = (key: string): DocumentChange => ({ key: bytes(key), value: undefined });
const text = (value: Uint8Array | undefined) => value && Buffer.from(value).toString();
const everything = { start: bytes('\x00'), end: bytes('\x7f') };

/** Commits the next turn and waits until it is durable. */
export function commitTurn(
  store: PartitionStore,
  seq: number,
  documents: readonly DocumentChange[] = [],
  block: Uint8Array = bytes(`block ${seq}`),
): Promise<void> {
  return new Promise((resolve) => store.commit({ seq, block, documents }, resolve));
}

/** Runs the suite; `name` goes before every guarantee. */
export function storeConformance(name: string, subject: StoreUnderTest): void {
  const guarantee = (sentence: string, body: (t: Test, store: PartitionStore) => Promise<void>) =>
    t.test(`${name}: ${sentence}`, async (t) => {
      const store = await subject.open();
      await body(t, store);
    });

  guarantee('a new store is empty and at seq 0', async (t, store) => {
    t.equal(store.durableSeq, 0);
    t.equal(store.oldestSeq, 1);
    t.equal(store.epoch, 1);
    t.equal(store.get(bytes('a')), undefined);
    t.same(store.range(everything), []);
    t.same(store.blocks(1, 10), []);
    await subject.destroy(store);
  });

  guarantee('a turn is invisible until it is durable, then it is all there', async (t, store) => {
    let told = false;
    const turn = { seq: 1, block: bytes('one'), documents: [put('a', '1'), put('b', '2')] };
    const durable = new Promise<void>((resolve) =>
      store.commit(turn, () => {
        told = true;
        t.equal(store.durableSeq, 1);
        t.equal(text(store.get(bytes('a'))), '1', 'visible from inside the callback');
        resolve();
      }),
    );
    t.equal(told, false, 'commit never calls back before it returns');
    t.equal(store.durableSeq, 0);
    t.equal(store.get(bytes('a')), undefined);
    t.same(store.blocks(1, 10), []);
    await durable;
    t.same(
      store.blocks(1, 10).map(({ seq, block }) => [seq, text(block)]),
      [[1, 'one']],
    );
    t.same(
      store.range(everything).map(({ key, value }) => [text(key), text(value)]),
      [
        ['a', '1'],
        ['b', '2'],
      ],
    );
    await subject.destroy(store);
  });

  guarantee('turns given together become durable in their order', async (t, store) => {
    const order: number[] = [];
    const all: Promise<void>[] = [];
    for (let seq = 1; seq <= 20; seq++)
      all.push(commitTurn(store, seq, [put('k', String(seq))]).then(() => void order.push(seq)));
    await Promise.all(all);
    t.same(
      order,
      order.map((_, i) => i + 1),
    );
    t.equal(text(store.get(bytes('k'))), '20');
    t.equal(store.durableSeq, 20);
    await subject.destroy(store);
  });

  guarantee('a gap or a repeat in seq is refused', async (t, store) => {
    const turn = (seq: number) => () =>
      store.commit({ seq, block: bytes('x'), documents: [] }, () => {});
    t.throws(turn(2), /does not follow/);
    await commitTurn(store, 1);
    t.throws(turn(1), /does not follow/);
    t.throws(turn(3), /does not follow/);
    await commitTurn(store, 2);
    await subject.destroy(store);
  });

  guarantee('the last change of a key in a turn wins', async (t, store) => {
    await commitTurn(store, 1, [
      put('a', '1'),
      remove('a'),
      put('b', '1'),
      put('b', '2'),
      remove('c'),
    ]);
    t.equal(store.get(bytes('a')), undefined);
    t.equal(text(store.get(bytes('b'))), '2');
    await commitTurn(store, 2, [remove('b'), put('b', '3')]);
    t.equal(text(store.get(bytes('b'))), '3');
    await subject.destroy(store);
  });

  guarantee('everything durable is there after a reopen', async (t, store) => {
    await commitTurn(store, 1, [put('a', '1'), put('b', '1')]);
    await commitTurn(store, 2, [remove('a'), put('b', '2')]);
    const again = await subject.reopen(store);
    t.equal(again.durableSeq, 2);
    t.equal(again.oldestSeq, 1);
    t.equal(again.epoch, 1);
    t.equal(again.get(bytes('a')), undefined);
    t.equal(text(again.get(bytes('b'))), '2');
    t.same(
      again.blocks(1, 10).map(({ block }) => text(block)),
      ['block 1', 'block 2'],
    );
    await commitTurn(again, 3);
    t.equal(again.durableSeq, 3);
    await subject.destroy(again);
  });

  guarantee('closing waits for the turns in flight', async (t, store) => {
    let told = 0;
    for (let seq = 1; seq <= 3; seq++)
      store.commit({ seq, block: bytes('x'), documents: [] }, () => told++);
    const again = await subject.reopen(store);
    t.equal(told, 3);
    t.equal(again.durableSeq, 3);
    await subject.destroy(again);
  });

  guarantee('bytes read are the reader’s to keep and to change', async (t, store) => {
    await commitTurn(store, 1, [put('a', '1'.repeat(100)), put('b', '2'.repeat(100_000))]);
    const a = store.get(bytes('a')) as Uint8Array;
    const b = store.get(bytes('b')) as Uint8Array;
    const rows = store.range(everything);
    store.get(bytes('b'));
    t.equal(text(a), '1'.repeat(100));
    t.equal(text(b), '2'.repeat(100_000));
    t.equal(text(rows[0]?.value), '1'.repeat(100));
    a.fill(0);
    b.fill(0);
    t.equal(text(store.get(bytes('a'))), '1'.repeat(100));
    t.equal(text(store.get(bytes('b'))), '2'.repeat(100_000));
    await subject.destroy(store);
  });

  guarantee('a block of many megabytes comes back whole', async (t, store) => {
    const block = Buffer.alloc(9_000_000, 'abcdefg');
    await commitTurn(store, 1, [put('a', 'x'.repeat(3_000_000))], block);
    const again = await subject.reopen(store);
    t.ok(block.equals((again.blocks(1, 1)[0]?.block ?? bytes('')) as Uint8Array));
    t.equal(again.get(bytes('a'))?.length, 3_000_000);
    await subject.destroy(again);
  });

  guarantee('dropping removes the oldest blocks, a bounded number a call', async (t, store) => {
    for (let seq = 1; seq <= 10; seq++) await commitTurn(store, seq);
    t.equal(await store.dropBlocks(6, 4), 2, 'two are left to remove');
    t.equal(store.oldestSeq, 5);
    t.equal(await store.dropBlocks(6, 4), 0);
    t.equal(store.oldestSeq, 7);
    t.equal(await store.dropBlocks(3, 4), 0, 'what is gone is gone');
    t.equal(store.oldestSeq, 7);
    t.same(
      store.blocks(1, 100).map(({ seq }) => seq),
      [7, 8, 9, 10],
      'a read from before the oldest starts at the oldest',
    );
    t.same(
      store.blocks(9, 1).map(({ seq }) => seq),
      [9],
    );
    const again = await subject.reopen(store);
    t.equal(again.oldestSeq, 7);
    await subject.destroy(again);
  });

  guarantee('the newest block is never dropped, and seq goes on from it', async (t, store) => {
    t.equal(await store.dropBlocks(99, 100), 0);
    for (let seq = 1; seq <= 3; seq++) await commitTurn(store, seq);
    t.equal(await store.dropBlocks(99, 100), 0);
    t.equal(store.oldestSeq, 3);
    const again = await subject.reopen(store);
    t.equal(again.durableSeq, 3);
    t.equal(again.oldestSeq, 3);
    await commitTurn(again, 4);
    t.equal(await again.dropBlocks(3, 100), 0);
    t.same(
      again.blocks(1, 10).map(({ seq }) => seq),
      [4],
    );
    await subject.destroy(again);
  });

  guarantee('blocks are dropped while turns are in flight', async (t, store) => {
    for (let seq = 1; seq <= 10; seq++) await commitTurn(store, seq);
    const turns = [commitTurn(store, 11), commitTurn(store, 12)];
    const [first, second] = [store.dropBlocks(9, 5), store.dropBlocks(9, 5)];
    turns.push(commitTurn(store, 13));
    t.same([await first, await second], [4, 0]);
    await Promise.all(turns);
    t.same(
      store.blocks(1, 100).map(({ seq }) => seq),
      [10, 11, 12, 13],
    );
    await subject.destroy(store);
  });

  guarantee('a range agrees with a sorted list, both ways and at any bounds', async (t, store) => {
    const key = fc.uint8Array({ minLength: 1, maxLength: 3 });
    const change = fc.record({
      key,
      value: fc.option(fc.uint8Array({ minLength: 1, maxLength: 9 })),
    });
    const model = new Map<string, string>();
    let seq = 0;
    const property = fc.asyncProperty(
      fc.array(change, { maxLength: 30 }),
      key,
      key,
      fc.boolean(),
      fc.integer({ min: 0, max: 12 }),
      async (changes, start, end, reverse, limit) => {
        const documents = changes.map(({ key, value }) => ({ key, value: value ?? undefined }));
        await commitTurn(store, ++seq, documents);
        for (const { key, value } of documents) {
          const name = Buffer.from(key).toString('hex');
          if (value === undefined) model.delete(name);
          else model.set(name, Buffer.from(value).toString('hex'));
        }
        const low = Buffer.from(start).toString('hex');
        const high = Buffer.from(end).toString('hex');
        const expected = [...model].filter(([name]) => name >= low && name < high).sort(byName);
        if (reverse) expected.reverse();
        const rows = store.range({ start, end, reverse, limit });
        const found = rows.map(({ key, value }) => [hex(key), hex(value)]);
        t.strictSame(found, expected.slice(0, limit));
      },
    );
    await fc.assert(property, { seed: 71, numRuns: tries(150) });
    await subject.destroy(store);
  });
}

function hex(value: Uint8Array): string {
  return Buffer.from(value).toString('hex');
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}
