// Data whose checkpoints are all damaged: the start says so in one sentence and ends, also where a
// server served before. Restarting would find the same.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startServer, until } from '../support/server.ts';

t.test('a start without a readable checkpoint says so once, and ends', async (t) => {
  const server = await startServer(t);
  const [partition = ''] = readdirSync(join(server.dataDir, 'partitions'));
  const checkpoints = join(server.dataDir, 'partitions', partition, 'checkpoints');
  const damaged = join(checkpoints, '0000000000000009.0000000000000009');
  mkdirSync(damaged, { recursive: true });
  writeFileSync(join(damaged, 'manifest.json'), 'not a manifest');
  const before = server.log().length;
  process.kill(server.enginePid(), 'SIGKILL'); // the primary starts it again
  await until(() => server.ended(), 'the primary starts it again and again', 30_000);
  const lines = server
    .log()
    .slice(before)
    .split('\n')
    .filter((line) => line.startsWith('engage: '));
  t.equal(lines.length, 1, lines.join('\n'));
  t.match(lines[0], /checkpoints: no checkpoint can be read; .*`engage check`.*`engage restore`/);
});
