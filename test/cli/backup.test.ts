// `engage backup`, `restore`, `check` and `keys` as an operator runs them on the files of a stopped
// server: what they print, what they refuse, and their exit codes (0 done, 1 failed, 2 called
// wrongly).

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { command as backupCommand } from '../../cli/backup.ts';
import { command as checkCommand } from '../../cli/check.ts';
import { type Command, UsageError } from '../../cli/command.ts';
import { command as keysCommand } from '../../cli/keys.ts';
import { command as restoreCommand } from '../../cli/restore.ts';
import { lockDataDirectory } from '../../storage/lock.ts';
import { PartitionSnapshot } from '../../storage/partition-snapshot.ts';
import { keyId } from '../../storage/sealed.ts';
import { temporaryDirectory } from '../storage/support/directory.ts';
import { livedIn } from '../support/lived-in.ts';
import { testClock } from '../support/partition.ts';
import { type Run, engage as run } from './support/engage.ts';

const masterKey = new Uint8Array(32).fill(7);

function engage(words: readonly string[], dataDir: string): Promise<Run> {
  return run(words, { ENGAGE_DATA_DIR: dataDir, ENGAGE_PARTITIONS: '1' });
}

/** A stopped server's data directory, key and all. */
async function stopped(): Promise<string> {
  const dataDir = temporaryDirectory();
  await livedIn(dataDir, { seed: 8, steps: [25, 25, 25], masterKeys: [masterKey] });
  writeFileSync(join(dataDir, 'master-key'), `${Buffer.from(masterKey).toString('base64')}\n`, {
    mode: 0o600,
  });
  writeFileSync(join(dataDir, 'bootstrap-token'), 'a-token-of-this-test\n', { mode: 0o600 });
  return dataDir;
}

async function newestBlock(path: string): Promise<Buffer> {
  const snapshot = new PartitionSnapshot(path);
  let newest: Uint8Array = Buffer.alloc(0);
  for (const { block } of snapshot.blocks()) newest = block;
  await snapshot.close();
  return Buffer.from(newest);
}

const dataDir = await stopped();
const backup = join(temporaryDirectory(), 'backup');
// What a command refuses is tried in this process, which must look like one that was called with
// these settings.
const settings = Object.entries(process.env).filter(([name]) => name.startsWith('ENGAGE_'));
for (const [name] of settings) delete process.env[name];
process.env['ENGAGE_DATA_DIR'] = dataDir;
t.teardown(() => {
  delete process.env['ENGAGE_DATA_DIR'];
  for (const [name, value] of settings) process.env[name] = value;
});

t.test('a backup is whole, verified, and has no secret in it', async (t) => {
  const { code, stdout, stderr } = await engage(['backup', backup], dataDir);
  t.equal(code, 0, stderr);
  t.match(JSON.parse(stdout), { backup, partitions: [{ partition: 0, epoch: 1 }] });
  t.match(stderr, new RegExp(`The master key \\(${keyId(masterKey)}\\) is not`));
  t.same(readdirSync(backup).sort(), ['manifest.json', 'partitions']);
  t.notOk(existsSync(`${backup}.tmp`));
  t.equal(statSync(backup).mode & 0o777, 0o700);

  await t.rejects(backupCommand.run([backup]), /already exists/);
});

t.test('a draft that an interrupted backup left is replaced, and nothing else is', async (t) => {
  const target = join(temporaryDirectory(), 'b');
  mkdirSync(`${target}.tmp`);
  writeFileSync(join(`${target}.tmp`, 'letters'), 'mine');
  await t.rejects(backupCommand.run([target]), /is in the way/);
  t.equal(readFileSync(join(`${target}.tmp`, 'letters'), 'utf8'), 'mine');
  writeFileSync(join(`${target}.tmp`, 'unfinished-backup'), '');
  t.equal((await engage(['backup', target], dataDir)).code, 0);
});

t.test('a check prints the active people of the meter, and of its recount', async (t) => {
  const dataDir = temporaryDirectory();
  await livedIn(dataDir, {
    seed: 9,
    steps: [0],
    clock: testClock(Date.now()),
    last: async (one, app) => {
      const events = ['ada', 'ben', 'ada'].map((externalUserId) => ({
        name: 'visit',
        externalUserId,
      }));
      const bytes = Buffer.from(JSON.stringify({ events }));
      await one.value(app, 'events.ingest', { keyless: false }, { bytes });
    },
  });
  const { code, stdout } = await engage(['check'], dataDir);
  t.equal(code, 0, stdout);
  const [names = [], figures = []] = stdout.split('\n').map((line) => line.trim().split(/ +/));
  const shown = (name: string) => figures[names.indexOf(name)];
  t.same([shown('active'), shown('recounted')], ['2', '2']);
});

t.test('a check of the data and of a backup finds nothing, and finds a changed byte', async (t) => {
  const damaged = join(temporaryDirectory(), 'damaged');
  cpSync(backup, damaged, { recursive: true });
  const file = join(damaged, 'partitions', '00', 'data.mdb');
  const bytes = readFileSync(file);
  const block = await newestBlock(join(damaged, 'partitions', '00'));
  for (let at = bytes.indexOf(block); at >= 0; at = bytes.indexOf(block, at + 1)) {
    bytes[at + block.length - 1] = (bytes[at + block.length - 1] as number) ^ 1;
  }
  writeFileSync(file, bytes);
  const [sound, json, found] = await Promise.all([
    engage(['check'], dataDir),
    engage(['check', backup, '--json'], dataDir),
    engage(['check', damaged], dataDir),
  ]);
  t.equal(sound.code, 0, sound.stdout);
  t.match(sound.stdout, /No problems found/);
  t.match(JSON.parse(json.stdout), {
    ok: true,
    damage: null,
    reports: [{ partition: 0, problems: [] }],
  });
  t.equal(found.code, 1);
  t.match(found.stdout, /data\.mdb fails its checksum/);
  t.match(found.stdout, /partition 0: log block \d+: log block fails its checksum/);
  const into = ['--resend', 'all', '--into', join(damaged, 'x')];
  await t.rejects(restoreCommand.run([damaged, ...into]), /fails its checksum/);
  t.notOk(existsSync(join(damaged, 'x', 'partitions')));
});

t.test('a restore makes the same data of a later epoch, and never goes over data', async (t) => {
  const into = join(temporaryDirectory(), 'restored');
  const done = await engage(['restore', backup, '--into', into, '--resend', 'none'], dataDir);
  t.equal(done.code, 0, done.stderr);
  t.match(JSON.parse(done.stdout), {
    restored: into,
    resend: 'none',
    partitions: 1,
    masterKeyIds: [keyId(masterKey)],
  });
  t.match(done.stderr, /copy the file master-key into it/);
  t.same(readdirSync(into).sort(), ['lock', 'partitions']);
  const checked = await engage(['check', into, '--json'], dataDir);
  t.match(JSON.parse(checked.stdout), { ok: true, reports: [{ epoch: 2 }] });

  for (const target of [into, dataDir]) {
    const words = [backup, '--into', target, '--resend', 'none'];
    await t.rejects(restoreCommand.run(words), /never overwrites data/);
  }
});

t.test(
  'a restore into a directory that has only its secrets says whether the key fits',
  async (t) => {
    const into = temporaryDirectory();
    writeFileSync(join(into, 'master-key'), `${Buffer.alloc(32, 9).toString('base64')}\n`, {
      mode: 0o600,
    });
    const done = await engage(['restore', backup, '--resend=all'], into);
    t.equal(done.code, 0, done.stderr);
    t.match(done.stderr, /is none of the backup's keys/);
  },
);

t.test('keys counts what is sealed, and rotating needs a server', async (t) => {
  const listed = await engage(['keys'], dataDir);
  t.equal(listed.code, 0, listed.stderr);
  t.match(
    listed.stdout,
    new RegExp(`^${keyId(masterKey)} +\\d+ encrypted  encrypts and decrypts`, 'm'),
  );
  await t.rejects(keysCommand.run(['rotate']), /no server is running/);
});

t.test('files that somebody else has open are left alone', async (t) => {
  const lock = await lockDataDirectory(dataDir);
  const held = /is in use by process \d+/;
  await t.rejects(checkCommand.run([]), held);
  await t.rejects(keysCommand.run([]), held);
  await t.rejects(backupCommand.run([join(temporaryDirectory(), 'b')]), held);
  await lock.release();
});

t.test('a command that is called wrongly says how, and exits with 2', async (t) => {
  const wrong: [Command, string[]][] = [
    [backupCommand, []],
    [backupCommand, ['a', 'b']],
    [restoreCommand, [backup]],
    [restoreCommand, [backup, '--resend', 'some']],
    [checkCommand, ['--repair', 'always']],
    [keysCommand, ['lose']],
  ];
  for (const [command, words] of wrong) await t.rejects(command.run(words), UsageError);
  const { code, stderr } = await engage(['restore'], dataDir);
  t.equal(code, 2);
  t.match(stderr, /^engage: .+\n$/);
});
