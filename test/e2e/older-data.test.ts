// A data directory that an older commit wrote opens with the program of today: what was stored is
// read as it was, what waited goes on, and every index agrees with its records.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { nodeArguments, root } from '../support/places.ts';
import { client, startServer } from '../support/server.ts';
import { shiftedClock } from '../support/shifted-clock.ts';

const folder = join(root, 'test/fixtures');
const masterKey = Buffer.alloc(32, 7).toString('base64');
const names = readdirSync(folder).flatMap((name) => /^(data-.*)\.tar\.gz$/.exec(name)?.[1] ?? []);

interface Filled {
  readonly appId: string;
  readonly key: string;
  readonly atMs: number;
  readonly reads: Readonly<Record<string, object>>;
}

t.ok(names.length > 0, 'there is data of an older commit');

for (const name of names)
  await t.test(`${name} opens, and reads as it did`, async (t) => {
    const filled = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Filled;
    const environment: Record<string, string> = {
      // A minute later: nothing has expired since.
      ...shiftedClock(filled.atMs + 60_000 - Date.now()),
      ENGAGE_PARTITIONS: '2',
      ENGAGE_MASTER_KEY: masterKey,
      ENGAGE_BOOTSTRAP_TOKEN: 'a-token-of-this-fixture',
    };
    const server = await startServer(t, {
      environment,
      before(dataDir) {
        mkdirSync(dataDir, { recursive: true, mode: 0o700 });
        const packed = join(folder, `${name}.tar.gz`);
        t.equal(spawnSync('tar', ['-xzf', packed, '-C', dataDir]).status, 0);
      },
    });
    const { must } = client(server.url, filled.key);
    for (const [path, read] of Object.entries(filled.reads))
      t.match(await must(`GET ${path}`), read, path);

    // It goes on: an old person gets a message, a new event is found.
    const base = `/v1/apps/${filled.appId}`;
    const body = { externalUserId: 'user-8', title: 'Hello', body: 'again' };
    t.match((await must(`POST ${base}/notifications`, body)).id, /^ntf_/);
    const events = [{ name: 'order_placed', externalUserId: 'user-1', id: 'later' }];
    t.match(await must('POST /e', { appId: filled.appId, events }), { accepted: 1 });
    t.notMatch(server.log(), /dead_letter|quarantin|partition\.fatal/);

    await server.stop();
    const check = spawnSync(process.execPath, [...nodeArguments('cli/main.ts'), 'check'], {
      cwd: root,
      env: { PATH: process.env['PATH'], ...environment, ENGAGE_DATA_DIR: server.dataDir },
      encoding: 'utf8',
    });
    t.equal(check.status, 0, check.stdout + check.stderr);
    await server.start();
    t.match(await must(`GET ${base}`), { id: filled.appId }, 'and it starts once more');
  });
