// A partition says what it has used, and a program that does not know it all does not open it.

import { cpSync } from 'node:fs';
import t from 'tap';
import { openPartition } from '../../storage/environment.ts';
import { encodeKey } from '../../storage/keys.ts';
import type { KnownKinds } from '../../storage/kinds.ts';
import { PartitionSnapshot } from '../../storage/partition-snapshot.ts';
import { sends } from '../../storage/tables/send.ts';
import { temporaryDirectory } from './support/directory.ts';

const knows = (names: readonly string[], always: readonly string[] = []): KnownKinds => ({
  has: (name) => names.includes(name) || always.includes(name),
  always,
});

function openAt(dataDir: string, known?: KnownKinds) {
  const onFatal = (error: Error) => {
    throw error;
  };
  const options = { dataDir, partition: 0, partitions: 1, nowMs: 0, onFatal };
  return openPartition({ ...options, ...(known === undefined ? {} : { known }) });
}

type Opened = ReturnType<typeof openAt>;

function commit(store: Opened, kinds?: readonly string[], key?: Uint8Array): Promise<void> {
  const documents = key === undefined ? [] : [{ key, value: Buffer.from([1]) }];
  const turn = { seq: store.durableSeq + 1, block: Buffer.from([1]), documents };
  return new Promise((resolve) =>
    store.commit(kinds === undefined ? turn : { ...turn, kinds }, resolve),
  );
}

const table = `table sends@${sends.version}`;

t.test('a kind is there with the turn that used it, and a restart knows', async (t) => {
  const dataDir = temporaryDirectory();
  const known = knows(['a', 'b', table], ['entries@1']);
  let store = openAt(dataDir, known);
  t.same([...store.kinds], ['entries@1'], 'before anything is written');
  await commit(store, ['a']);
  await commit(store);
  await commit(store, undefined, encodeKey(sends.id, 1, ['x']));
  const { path } = store;
  await store.close();
  store = openAt(dataDir, known);
  t.same([...store.kinds], ['a', 'entries@1', table]);
  await store.close();
  const snapshot = new PartitionSnapshot(path, known);
  await snapshot.close();
});

t.test('what it does not know it does not open, and nothing is changed', async (t) => {
  const dataDir = temporaryDirectory();
  const store = openAt(dataDir, knows(['a', 'b', 'c', 'd', table], ['entries@2']));
  await commit(store, ['a', 'b', 'c', 'd'], encodeKey(sends.id, 1, ['x']));
  const { path } = store;
  await store.close();
  const cases: [KnownKinds, RegExp][] = [
    [
      knows(['a', 'b', 'c', 'd'], ['entries@2']),
      /does not know \(table sends@\d+\): start the newer/,
    ],
    [knows(['a', 'b', 'c', table], ['entries@2']), /does not know \(d\): start the newer program/],
    [knows(['a', 'b', 'c', 'd', table], ['entries@1']), /does not know \(entries@2\)/],
    [knows([]), /\(a, b, c and 3 more\): start the newer program, or restore the backup/],
  ];
  for (const [known, sentence] of cases) {
    const copy = temporaryDirectory();
    cpSync(dataDir, copy, { recursive: true });
    t.throws(() => openAt(copy, known), { name: 'CannotOpen', message: sentence });
    t.throws(() => new PartitionSnapshot(path, known), { message: sentence });
  }
  const again = openAt(dataDir, knows(['a', 'b', 'c', 'd', table], ['entries@2']));
  t.equal(again.durableSeq, 1);
  await again.close();
});

t.test('a store without actors notes tables alone, and keeps what others noted', async (t) => {
  const dataDir = temporaryDirectory();
  const first = openAt(dataDir, knows(['a'], ['entries@1']));
  await commit(first, ['a']);
  await first.close();
  const plain = openAt(dataDir);
  await commit(plain, undefined, encodeKey(sends.id, 1, ['x']));
  await plain.close();
  t.throws(() => openAt(dataDir, knows(['a'], ['entries@1'])), { message: /table sends@/ });
  const last = openAt(dataDir, knows(['a', table], ['entries@1']));
  t.same([...last.kinds], ['a', 'entries@1', table]);
  await last.close();
});
