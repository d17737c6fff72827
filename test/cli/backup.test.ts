// `engage backup`, `restore`, `check` and `keys` as an operator runs them on the files of a stopped server: what they
// print, what they refuse, and their exit codes (0 done, 1 failed, 2 called wrongly).

import { spawn } from 'node:child_process';
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
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { lockDataDirectory } from '../../storage/lock.ts';
import { keyId } from '../../storage/sealed.ts';
import { temporaryDirectory } from '../storage/support/directory.ts';
import { livedIn } from '../support/lived-in.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const masterKey = new Uint8Array(32).fill(7);

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function engage(words: readonly string[], dataDir: string): Promise<Run> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(ENGAGE|TAP)_|^NODE_OPTIONS$/.test(name),
  );
  const child = spawn(process.execPath, ['--import', 'tsx', 'cli/main.ts', ...words], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(kept), ENGAGE_DATA_DIR: dataDir, ENGAGE_PARTITIONS: '1' },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
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

const dataDir = await stopped();
const backup = join(temporaryDirectory(), 'backup');

t.test('a backup is whole, verified, and has no secret in it', async (t) => {
  const { code, stdout, stderr } = await engage(['backup', backup], dataDir);
  t.equal(code, 0, stderr);
  t.match(JSON.parse(stdout), { backup, partitions: [{ partition: 0, epoch: 1 }] });
  t.match(stderr, new RegExp(`The master key \\(${keyId(masterKey)}\\) is not`));
  t.same(readdirSync(backup).sort(), ['manifest.json', 'partitions']);
  t.notOk(existsSync(`${backup}.tmp`));
  t.equal(statSync(backup).mode & 0o777, 0o700);

  const again = await engage(['backup', backup], dataDir);
  t.equal(again.code, 1);
  t.match(again.stderr, /exists already/);
});

t.test('a draft that an interrupted backup left is replaced, and nothing else is', async (t) => {
  const target = join(temporaryDirectory(), 'b');
  mkdirSync(`${target}.tmp`);
  writeFileSync(join(`${target}.tmp`, 'letters'), 'mine');
  const refused = await engage(['backup', target], dataDir);
  t.equal(refused.code, 1);
  t.match(refused.stderr, /is in the way/);
  t.equal(readFileSync(join(`${target}.tmp`, 'letters'), 'utf8'), 'mine');
  writeFileSync(join(`${target}.tmp`, 'unfinished-backup'), '');
  t.equal((await engage(['backup', target], dataDir)).code, 0);
});

t.test('a check of the data and of a backup finds nothing, and finds a changed byte', async (t) => {
  const sound = await engage(['check'], dataDir);
  t.equal(sound.code, 0, sound.stdout);
  t.match(sound.stdout, /Everything is as it should be/);
  const json = await engage(['check', backup, '--json'], dataDir);
  t.match(JSON.parse(json.stdout), {
    ok: true,
    damage: null,
    reports: [{ partition: 0, problems: [] }],
  });

  const damaged = join(temporaryDirectory(), 'damaged');
  cpSync(backup, damaged, { recursive: true });
  const file = join(damaged, 'partitions', '00', 'data.mdb');
  const bytes = readFileSync(file);
  const at = bytes.indexOf('events.tracked'); // in some log block
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(file, bytes);
  const found = await engage(['check', damaged], dataDir);
  t.equal(found.code, 1);
  t.match(found.stdout, /data\.mdb fails its checksum/);
  t.match(found.stdout, /partition 0: log block \d+: log block fails its checksum/);
  const restored = await engage(
    ['restore', damaged, '--resend', 'all', '--into', join(damaged, 'x')],
    dataDir,
  );
  t.equal(restored.code, 1, 'and it is not restored');
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
  t.match(done.stderr, /bring the file master-key into it/);
  t.same(readdirSync(into).sort(), ['lock', 'partitions']);
  const checked = await engage(['check', into, '--json'], dataDir);
  t.match(JSON.parse(checked.stdout), { ok: true, reports: [{ epoch: 2 }] });

  for (const target of [into, dataDir]) {
    const refused = await engage(
      ['restore', backup, '--into', target, '--resend', 'none'],
      dataDir,
    );
    t.equal(refused.code, 1);
    t.match(refused.stderr, /never written over data/);
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
    t.match(done.stderr, /is not one of the backup's/);
  },
);

t.test('keys counts what is sealed, and rotating needs a server', async (t) => {
  const listed = await engage(['keys'], dataDir);
  t.equal(listed.code, 0, listed.stderr);
  t.match(listed.stdout, new RegExp(`^${keyId(masterKey)} +\\d+ sealed  seals and opens`, 'm'));
  const rotated = await engage(['keys', 'rotate'], dataDir);
  t.equal(rotated.code, 1);
  t.match(rotated.stderr, /no server runs/);
});

t.test('files that somebody else has open are left alone', async (t) => {
  const lock = await lockDataDirectory(dataDir);
  for (const words of [['check'], ['keys'], ['backup', join(temporaryDirectory(), 'b')]]) {
    const { code, stderr } = await engage(words, dataDir);
    t.equal(code, 1, words.join(' '));
    t.match(stderr, /is in use by process \d+/);
  }
  await lock.release();
});

t.test('a command that is called wrongly says how, and exits with 2', async (t) => {
  const wrong = [
    ['backup'],
    ['backup', 'a', 'b'],
    ['restore', backup],
    ['restore', backup, '--resend', 'some'],
    ['check', '--repair', 'always'],
    ['keys', 'lose'],
  ];
  const runs = await Promise.all(wrong.map((words) => engage(words, dataDir)));
  for (const [index, { code, stderr }] of runs.entries()) {
    t.equal(code, 2, wrong[index]?.join(' '));
    t.match(stderr, /^engage: .+\n$/);
  }
});
