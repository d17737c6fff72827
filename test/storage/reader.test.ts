// A reader in another thread: it follows the writer commit by commit, and its coming and going
// disturbs nobody.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { openPartition } from '../../storage/environment.ts';
import { commitTurn } from '../conformance/store.ts';
import { moduleAt } from '../support/places.ts';
import { temporaryDirectory } from './support/directory.ts';
import { problemOf, turnOf } from './support/workload.ts';

const boot = moduleAt('engine/thread/boot.mjs');
const entry = moduleAt('test/storage/support/reader-thread.ts').href;

t.test('a reader in another thread sees every durable turn, and may come and go', async (t) => {
  const dataDir = temporaryDirectory();
  const store = openPartition({ dataDir, partition: 0, partitions: 1, nowMs: 0, onFatal: t.fail });
  let seq = 0;
  const commit = async () => {
    const turn = turnOf(++seq);
    await commitTurn(store, seq, turn.documents, turn.block);
  };
  for (let round = 0; round < 2; round++) {
    const worker = new Worker(boot, { workerData: { entry, dataDir } });
    const [ready] = await once(worker, 'message');
    t.equal(ready, 'ready');
    for (let i = 0; i < 20; i++) {
      await commit();
      if (i === 10) await store.dropBlocks(seq - 5, 100);
      worker.postMessage(seq);
      const [answer] = await once(worker, 'message');
      t.same(answer, { durableSeq: seq, problem: undefined });
    }
    worker.postMessage('close');
    t.same(await once(worker, 'exit'), [0]);
  }
  await commit();
  t.equal(problemOf(store, seq), undefined);
  await store.close();
});

t.test('a reader that has read holds no old pages back, however long it works on', async (t) => {
  const dataDir = temporaryDirectory();
  const store = openPartition({ dataDir, partition: 0, partitions: 1, nowMs: 0, onFatal: t.fail });
  const value = Buffer.alloc(1_000_000, 1);
  let seq = 0;
  const overwrite = () => commitTurn(store, ++seq, [{ key: Buffer.of(1), value }], Buffer.of(seq));
  for (let i = 0; i < 5; i++) await overwrite();
  const worker = new Worker(boot, { workerData: { entry, dataDir } });
  await once(worker, 'message');
  const word = new Int32Array(new SharedArrayBuffer(4));
  worker.postMessage(word);
  t.same(await once(worker, 'message'), ['read']);
  const before = store.stats().fileBytes;
  for (let i = 0; i < 12; i++) await overwrite();
  t.ok(store.stats().fileBytes - before < 3 * value.length, 'the pages were used again');
  Atomics.store(word, 0, 1);
  Atomics.notify(word, 0);
  worker.postMessage('close');
  t.same(await once(worker, 'exit'), [0]);
  await store.close();
});
