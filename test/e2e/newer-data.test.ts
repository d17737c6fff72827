// A program on data that a newer one has written to: every command ends with the sentence, nothing
// is written or served, and the newer program finds it as it was.

import '../../engine/base/plain-msgpack.ts';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import t from 'tap';
import { describeFile } from '../../storage/backup-manifest.ts';
import { partitionPath } from '../../storage/environment.ts';
import { nodeArguments, root } from '../support/places.ts';
import { makeOrg, startServer, until } from '../support/server.ts';

const server = await startServer(t, { environment: { ENGAGE_PARTITIONS: '2' } });

/** Changes what a partition notes of itself, as another program would. */
async function change(path: string, key: string, to: (text: string) => string): Promise<void> {
  const form = { encoding: 'binary', keyEncoding: 'binary' } as const;
  const database = open<Buffer, Uint8Array>({ path, ...form, maxDbs: 4 });
  const meta = database.openDB<Buffer, Uint8Array>('meta', form);
  const stored = meta.getBinary(Buffer.from(key));
  await meta.put(Buffer.from(key), Buffer.from(to(stored?.toString() ?? '')));
  await database.close();
}

const withKind = (kind: string) => (text: string) =>
  JSON.stringify([...(JSON.parse(text) as string[]), kind]);
const withoutKind = (kind: string) => (text: string) =>
  JSON.stringify((JSON.parse(text) as string[]).filter((one) => one !== kind));

function engage(...words: string[]) {
  return spawnSync(process.execPath, [...nodeArguments('cli/main.ts'), ...words], {
    cwd: root,
    env: { PATH: process.env['PATH'], ENGAGE_DATA_DIR: server.dataDir, ENGAGE_PARTITIONS: '2' },
    encoding: 'utf8',
  });
}

t.test('data of a newer program is refused by every command, with one sentence', async (t) => {
  const { id, client } = await makeOrg(server, 'Acme');
  await client.must('POST /v1/apps', { name: 'Shop' });
  await server.stop();
  const backup = join(server.dataDir, '..', 'backup');
  t.equal(engage('backup', backup).status, 0);

  const path = partitionPath(server.dataDir, 1);
  const sentence =
    /partitions\/01 has data that this program does not know \(riddle\.asked\): start the newer program, or restore the backup from before the upgrade\./;
  await change(path, 'kinds', withKind('riddle.asked'));
  const before = server.log().length;
  server.launch();
  await until(async () => server.ended(), 'it does not end', 40_000);
  const said = server.log().slice(before);
  t.match(said, sentence);
  t.equal(said.split('riddle.asked').length, 2, 'once');
  t.notMatch(said, /engine\.exit|is ready/);
  t.equal(await server.stop(), 1);

  const check = engage('check');
  t.equal(check.status, 1);
  t.match(check.stdout + check.stderr, sentence);
  const copy = engage('backup', `${backup}-2`);
  t.equal(copy.status, 1);
  t.match(copy.stderr, sentence);
  t.notMatch(copy.stderr, /damaged/);

  const copied = join(backup, 'partitions', '01');
  await change(copied, 'kinds', withKind('riddle.asked'));
  const manifestPath = join(backup, 'manifest.json');
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'));
  for (const { files } of manifest.partitions)
    for (const file of files) Object.assign(file, await describeFile(backup, file.path));
  writeFileSync(manifestPath, JSON.stringify(manifest));
  const restored = engage('restore', backup, '--resend', 'none', '--into', `${backup}-3`);
  t.equal(restored.status, 1);
  t.match(restored.stderr, /01 has data that this program does not know \(riddle\.asked\)/);

  await change(path, 'kinds', withoutKind('riddle.asked'));
  await change(path, 'partition', (text) => JSON.stringify({ ...JSON.parse(text), format: 3 }));
  const later = server.log().length;
  server.launch();
  await until(async () => server.ended(), 'it does not end', 40_000);
  t.match(server.log().slice(later), /has storage format 3 and this program reads up to 2/);
  await change(path, 'partition', (text) => JSON.stringify({ ...JSON.parse(text), format: 2 }));
  await server.start();
  t.match(await client.must('GET /v1/org'), { id, name: 'Acme' }, 'the newer program goes on');
});
