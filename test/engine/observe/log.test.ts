// The log's output: lines are whole, and a full disk below it costs lines only.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import t from 'tap';
import { temporaryDirectory } from '../../storage/support/directory.ts';
import { nodeArguments } from '../../support/places.ts';
import { mountDisk } from '../../support/small-disk.ts';

const program = nodeArguments('test/engine/observe/logging-process.ts');

function jsonLines(path: string): { readonly count: number }[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  const whole: { count: number }[] = [];
  for (const line of lines)
    if (line.startsWith('{') && line.endsWith('}')) whole.push(JSON.parse(line));
  return whole;
}

const disk = temporaryDirectory();
const skip = mountDisk(t, disk, '1m') ? false : 'a disk can only be mounted by root';

t.test(
  'a full disk loses lines, ends nothing, and the log goes on with room',
  { skip },
  async (t) => {
    spawnSync('sh', ['-c', 'cat /dev/zero >rest 2>/dev/null; truncate -s -9000 rest'], {
      cwd: disk,
    });
    const path = join(disk, 'log');
    const file = openSync(path, 'a');
    const child = spawn(process.execPath, program, { stdio: ['pipe', file, 'pipe'] });
    closeSync(file);
    const said = createInterface({ input: child.stderr as Readable });
    const [lost] = (await once(said, 'line')) as [string];
    t.equal(lost, 'logged 5001', 'also at a fatal line, on a disk that took the first few');
    t.ok(jsonLines(path).length < 200);
    rmSync(join(disk, 'rest'));
    child.stdin?.end('more');
    const [exitCode] = await once(child, 'exit');
    t.equal(exitCode, 0);
    t.equal(jsonLines(path).at(-1)?.count, 5_002, 'its line is whole');
  },
);

t.test('what a slow reader of a pipe gets is whole', async (t) => {
  const child = spawn(process.execPath, program, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end('more');
  const counts: number[] = [];
  for await (const line of createInterface({ input: child.stdout }))
    counts.push(JSON.parse(line).count);
  t.same(
    counts,
    Array.from({ length: 5_003 }, (_, n) => n),
  );
});
