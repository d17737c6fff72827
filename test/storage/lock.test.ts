// The lock of a data directory: one process, until it ends, however it ends.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { lockDataDirectory } from '../../storage/lock.ts';
import { nodeArguments } from '../support/places.ts';
import { temporaryDirectory } from './support/directory.ts';

const holder = nodeArguments('test/storage/support/lock-holder.ts');
const kinds = [
  { by: 'flock', options: {} },
  { by: 'socket', options: { flockCommand: '/nonexistent/flock' } },
] as const;

for (const { by, options } of kinds) {
  t.test(`${by}: a second process is kept out until the first is killed`, async (t) => {
    const dataDir = join(temporaryDirectory(), 'data');
    const other = spawn(process.execPath, [...holder, dataDir, JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.teardown(() => other.kill('SIGKILL'));
    const [said] = (await once(other.stdout, 'data')) as [Buffer];
    t.equal(said.toString().trim(), by);
    await t.rejects(
      lockDataDirectory(dataDir, options),
      new RegExp(`data is in use by process ${other.pid} on .+: one process at a time may open it`),
    );
    other.kill('SIGKILL');
    await once(other, 'exit');
    const lock = await lockDataDirectory(dataDir, options);
    t.equal(lock.by, by);
    await t.rejects(lockDataDirectory(dataDir, options), new RegExp(`process ${process.pid} on`));
    await lock.release();
    await (await lockDataDirectory(dataDir, options)).release();
  });

  t.test(`${by}: directories do not lock each other`, async (t) => {
    const one = await lockDataDirectory(temporaryDirectory(), options);
    const two = await lockDataDirectory(temporaryDirectory(), options);
    t.same([one.by, two.by], [by, by]);
    await Promise.all([one.release(), two.release()]);
  });
}

t.test(
  'a process with an empty PATH takes the lock that others see',
  { skip: !['/usr/bin/flock', '/bin/flock'].some((path) => existsSync(path)) },
  async (t) => {
    const dataDir = temporaryDirectory();
    const path = process.env['PATH'];
    t.teardown(() => {
      process.env['PATH'] = path;
    });
    process.env['PATH'] = '';
    const lock = await lockDataDirectory(dataDir);
    t.equal(lock.by, 'flock');
    process.env['PATH'] = path;
    await t.rejects(lockDataDirectory(dataDir), /is in use by process/);
    await lock.release();
  },
);
