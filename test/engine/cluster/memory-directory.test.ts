// The directory's twin in memory.

import t from 'tap';
import { MemoryBucket, MemoryDirectory } from '../../../engine/cluster/memory-directory.ts';
import { directoryConformance } from '../../conformance/directory.ts';

directoryConformance('memory', {
  create: async () => {
    const bucket = new MemoryBucket();
    return { reach: async () => new MemoryDirectory(bucket) };
  },
});

t.test('what is not answered is not known', async (t) => {
  const bucket = new MemoryBucket();
  const cut = new MemoryDirectory(bucket, async () => undefined);
  const deaf = new MemoryDirectory(bucket, async (call) => {
    call();
    return undefined;
  });
  t.equal(await cut.readAll(), undefined);
  t.equal((await cut.update('plan', Buffer.from('a'), 0)).state, 'unknown');
  t.equal(bucket.readAll().size, 0);
  t.equal((await deaf.update('plan', Buffer.from('a'), 0)).state, 'unknown');
  t.equal(bucket.readAll().size, 1, 'it was done all the same');
});
