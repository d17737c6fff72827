// The metric of the oldest reader: how long somebody has read an old version of a file, so that its
// pages cannot be used again.

import t from 'tap';
import { openPartition } from '../../storage/environment.ts';
import { OldestReader } from '../../storage/oldest-reader.ts';
import { PartitionSnapshot } from '../../storage/partition-snapshot.ts';
import { commitTurn } from '../conformance/store.ts';
import { temporaryDirectory } from './support/directory.ts';

t.test(
  'a snapshot that is held while others write grows old, and ends when it closes',
  async (t) => {
    const dataDir = temporaryDirectory();
    const store = openPartition({
      dataDir,
      partition: 0,
      partitions: 1,
      nowMs: 0,
      onFatal: t.fail,
    });
    let seq = 0;
    const write = () => commitTurn(store, ++seq, [{ key: Buffer.of(1), value: Buffer.of(seq) }]);
    await write();
    t.equal(store.oldestReaderMs(1_000), 0, 'nobody reads');
    const snapshot = new PartitionSnapshot(store.path);
    t.equal(store.oldestReaderMs(2_000), 0, 'it reads the newest version');
    await write();
    await write();
    t.equal(store.oldestReaderMs(10_000), 0, 'it is seen behind for the first time');
    t.equal(store.oldestReaderMs(17_500), 7_500);
    await write();
    t.equal(store.oldestReaderMs(20_000), 10_000, 'further writes do not make it younger');
    await snapshot.close();
    t.equal(store.oldestReaderMs(30_000), 0);
    await store.close();
  },
);

t.test('the oldest of several counts, and a slot that is used again begins anew', async (t) => {
  const reader = new OldestReader();
  const list = (...lines: string[]) => `    pid     thread     txnid\n${lines.join('\n')}\n`;
  t.equal(reader.look('(no active readers)\n', 5, 0), 0);
  t.equal(reader.look(list('  7 aa 4', '  7 bb 5'), 5, 1_000), 0);
  t.equal(reader.look(list('  7 aa 4', '  7 bb 5'), 6, 3_000), 2_000, 'bb is behind now, too');
  t.equal(reader.look(list('  7 bb 5'), 7, 4_000), 1_000, 'aa has gone');
  t.equal(reader.look(list('  7 bb 6'), 7, 9_000), 0, 'bb reads another old version');
  t.equal(reader.look(list('  7 bb -'), 7, 9_500), 0, 'it has the slot and reads nothing');
});
