// The LMDB partition: the store's contract, and what only files have: formats, places, neighbors,
// copies.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Environment, openPartition, partitionPath } from '../../storage/environment.ts';
import { assertOpenable, writeMeta } from '../../storage/meta.ts';
import { commitTurn, storeConformance } from '../conformance/store.ts';
import { temporaryDirectory } from './support/directory.ts';

const onFatal = (error: Error) => {
  throw error;
};
const options = (dataDir: string, partition = 0) => ({
  dataDir,
  partition,
  partitions: 8,
  nowMs: 1_700_000_000_000,
  onFatal,
});
const directories = new WeakMap<object, string>();
const opened = (dataDir: string) => {
  const store = openPartition(options(dataDir));
  directories.set(store, dataDir);
  return store;
};

storeConformance('LMDB', {
  open: async () => opened(temporaryDirectory()),
  reopen: async (store) => {
    await store.close();
    return opened(directories.get(store) as string);
  },
  destroy: (store) => store.close(),
});

t.test('a partition lives in its own numbered directory, closed to other users', async (t) => {
  const dataDir = temporaryDirectory();
  const store = openPartition(options(dataDir, 7));
  t.equal(partitionPath(dataDir, 7), join(dataDir, 'partitions', '07'));
  t.ok(existsSync(join(dataDir, 'partitions', '07', 'data.mdb')));
  t.equal(statSync(store.path).mode & 0o077, 0);
  t.same(store.meta, { format: 2, partition: 7, partitions: 8, createdMs: 1_700_000_000_000 });
  await store.close();
});

t.test('what a partition says about itself does not change with the opener', async (t) => {
  const dataDir = temporaryDirectory();
  await openPartition(options(dataDir)).close();
  const store = openPartition({ ...options(dataDir), nowMs: 1_800_000_000_000 });
  t.equal(store.meta.createdMs, 1_700_000_000_000);
  await store.close();
});

t.test('another number of partitions, or another partition’s files, are refused', async (t) => {
  const dataDir = temporaryDirectory();
  await openPartition(options(dataDir)).close();
  t.throws(
    () => openPartition({ ...options(dataDir), partitions: 4 }),
    /created with 8 partitions, not 4/,
  );
});

t.test('a newer format is refused in one sentence', async (t) => {
  const dataDir = temporaryDirectory();
  const { open } = await import('lmdb');
  await openPartition(options(dataDir)).close();
  const root = open<Buffer, Uint8Array>({
    path: partitionPath(dataDir, 0),
    encoding: 'binary',
    keyEncoding: 'binary',
    overlappingSync: false,
    maxDbs: 4,
  });
  const meta = root.openDB<Buffer, Uint8Array>('meta', {
    encoding: 'binary',
    keyEncoding: 'binary',
  });
  root.transactionSync(() =>
    writeMeta(meta, { format: 3, partition: 0, partitions: 8, createdMs: 0 }),
  );
  await root.close();
  t.throws(
    () => openPartition(options(dataDir)),
    /has storage format 3 and this program reads up to 2: start/,
  );
});

t.test('data of an older format opens, says the new one, and keeps what it said', async (t) => {
  const dataDir = temporaryDirectory();
  const first = openPartition(options(dataDir));
  first.raiseEpoch('none');
  for (let seq = 1; seq <= 3; seq++) await commitTurn(first, seq);
  const { path } = first;
  await first.close();
  const { open } = await import('lmdb');
  const form = { encoding: 'binary', keyEncoding: 'binary' } as const;
  const root = open<Buffer, Uint8Array>({ path, ...form, overlappingSync: false, maxDbs: 4 });
  const meta = root.openDB<Buffer, Uint8Array>('meta', form);
  root.transactionSync(() => {
    writeMeta(meta, { format: 1, partition: 0, partitions: 8, createdMs: 5 });
    void meta.remove(Buffer.from('kinds'));
  });
  await root.close();
  const store = openPartition({ ...options(dataDir), nowMs: 9 });
  t.same(store.meta, { format: 2, partition: 0, partitions: 8, createdMs: 5 });
  t.same([store.epoch, store.resend, store.durableSeq, store.kinds.size], [2, 'none', 3, 0]);
  await store.close();
  t.throws(() => assertOpenable(store.meta, { partition: 0, partitions: 4 }, path), /not 4/);
});

t.test('the epoch is raised durably', async (t) => {
  const dataDir = temporaryDirectory();
  const store = openPartition(options(dataDir));
  t.equal(store.raiseEpoch(), 2);
  t.equal(store.epoch, 2);
  await store.close();
  const again = openPartition(options(dataDir));
  t.equal(again.epoch, 2);
  await again.close();
});

t.test('partitions of one process do not share anything', async (t) => {
  const dataDir = temporaryDirectory();
  const one = openPartition(options(dataDir, 0));
  const two = openPartition(options(dataDir, 1));
  await Promise.all([
    commitTurn(one, 1, [{ key: Buffer.from('k'), value: Buffer.from('one') }]),
    commitTurn(two, 1, [{ key: Buffer.from('k'), value: Buffer.from('two') }]),
  ]);
  t.equal(String(one.get(Buffer.from('k'))), 'one');
  t.equal(String(two.get(Buffer.from('k'))), 'two');
  await Promise.all([one.close(), two.close()]);
});

t.test(
  'a key or block that LMDB would refuse halfway is refused before anything is written',
  async (t) => {
    const store = openPartition(options(temporaryDirectory()));
    const good = { key: Buffer.from('a'), value: Buffer.from('1') };
    for (const bad of [Buffer.alloc(0), Buffer.alloc(513)]) {
      const documents = [good, { key: bad, value: Buffer.from('x') }];
      t.throws(
        () => store.commit({ seq: 1, block: Buffer.from('b'), documents }, t.fail),
        /1 to 512 bytes/,
      );
    }
    t.throws(
      () => store.commit({ seq: 1, block: Buffer.alloc(0), documents: [good] }, t.fail),
      /a block/,
    );
    await commitTurn(store, 1);
    t.equal(store.get(Buffer.from('a')), undefined);
    await store.close();
  },
);

t.test('a copy made while turns are committed is a whole partition', async (t) => {
  for (const compact of [false, true]) {
    const store = openPartition(options(temporaryDirectory()));
    const copyDir = temporaryDirectory();
    const turns: Promise<void>[] = [];
    const given = (seq: number) =>
      commitTurn(store, seq, [{ key: Buffer.from(`k${seq}`), value: Buffer.alloc(2000, seq) }]);
    for (let seq = 1; seq <= 50; seq++) turns.push(given(seq));
    await turns[20];
    const copied = store.backup(partitionPath(copyDir, 0), compact);
    for (let seq = 51; seq <= 100; seq++) turns.push(given(seq));
    await copied;
    await Promise.all(turns);
    await store.close();
    const copy: Environment = openPartition(options(copyDir));
    t.ok(copy.durableSeq >= 21, `compact ${compact}: up to ${copy.durableSeq}`);
    t.equal(copy.blocks(1, 1000).length, copy.durableSeq);
    for (let seq = 1; seq <= 100; seq++)
      t.equal(
        copy.get(Buffer.from(`k${seq}`)) !== undefined,
        seq <= copy.durableSeq,
        `document ${seq}`,
      );
    await copy.close();
  }
});

t.test('stats count what there is', async (t) => {
  const store = openPartition(options(temporaryDirectory()));
  await commitTurn(store, 1, [{ key: Buffer.from('a'), value: Buffer.from('1') }]);
  await commitTurn(store, 2, [{ key: Buffer.from('b'), value: Buffer.from('1') }]);
  const { documents, blocks, inFlight, fileBytes } = store.stats();
  t.same({ documents, blocks, inFlight }, { documents: 2, blocks: 2, inFlight: 0 });
  t.ok(fileBytes > 0);
  await store.close();
});

t.test('pages of blocks that were dropped are room that the file need not grow for', async (t) => {
  const store = openPartition(options(temporaryDirectory()));
  const block = Buffer.alloc(100_000, 1);
  for (let seq = 1; seq <= 40; seq++) await commitTurn(store, seq, [], block);
  const before = store.reusableBytes;
  t.ok(before < 10 * block.length, `${before} before`);
  await store.dropBlocks(39, 1000);
  await commitTurn(store, 41, [], block);
  const { fileBytes } = store.stats();
  const room = store.reusableBytes;
  t.ok(room > 37 * block.length && room < fileBytes, `${room} of ${fileBytes}`);
  for (let seq = 42; seq <= 70; seq++) await commitTurn(store, seq, [], block);
  t.ok(store.stats().fileBytes < fileBytes + 5 * block.length, 'it is used');
  t.ok(store.reusableBytes < room - 24 * block.length);
  await store.close();
});
