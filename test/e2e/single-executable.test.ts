// The single executable where nothing is installed: an empty folder, no environment, an empty PATH.
// It is made of dist as it is built. The README's calls work as they stand, and so do the commands,
// restarts, kills and an upgrade.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import t from 'tap';
import { connected } from '../contract/mcp-client.ts';
import { root } from '../support/places.ts';
import { client, eventually, startServer, until } from '../support/server.ts';

t.setTimeout(290_000); // a machine that is busy with other tests

const folder = mkdtempSync(join(tmpdir(), 'engage-single-'));
const executable = join(folder, 'engage');
t.teardown(() => rmSync(folder, { recursive: true, force: true }));
const made = spawnSync(process.execPath, ['deploy/single.mjs', executable], {
  cwd: root,
  encoding: 'utf8',
});
if (made.status !== 0) throw new Error(made.stderr);
const server = await startServer(t, { program: [executable] });
const place = join(server.dataDir, 'program');

/** A command beside the server's data, without PATH as well. */
function engage(words: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  return spawnSync(executable, words, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: '', HOME: folder, ENGAGE_DATA_DIR: server.dataDir, ...settings },
  });
}

t.test('it is small enough to hand around', async (t) => {
  t.ok(statSync(executable).size <= 140_000_000);
  const packed = createGzip();
  let bytes = 0;
  packed.on('data', (part: Buffer) => (bytes += part.length));
  packed.end(readFileSync(executable));
  await once(packed, 'end');
  t.ok(bytes <= 55_000_000, `${bytes} bytes compressed`);
});

t.test("the README's calls work as they stand", async (t) => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, chapter = ''] = /## The same by `curl`\n([\s\S]*?)\n## /.exec(readme) ?? [];
  const script = [...chapter.matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(([, block]) => `${block}\necho`)
    .join('\n')
    .replaceAll('http://127.0.0.1:8400', server.url)
    .replaceAll('data/', `${server.dataDir}/`);
  t.match(script, /notifications/);
  await eventually(
    async () => readdirSync(server.dataDir).includes('demo.env') || undefined,
    'no demo',
  );
  const run = spawnSync('sh', ['-e', '-c', script], { cwd: folder, encoding: 'utf8' });
  t.equal(run.status, 0, run.stderr);
  t.match(run.stdout, /"externalUserId":"ada"/);
  t.match(run.stdout, /"id":"ntf_[^"]+","status":"pending"/);
  t.notMatch(run.stdout, /"error"/);
  const seen = await eventually(async () => {
    const { messages } = await client(server.sandboxUrl).must('GET /control/messages?limit=10');
    return messages.length > 0 ? messages : undefined;
  }, 'the mail does not arrive');
  t.match(seen[0], { channel: 'email', text: /Hello Ada, parcel A-1042 has left/ });
});

t.test('the dashboard, the reference and the inbox have their pages', async (t) => {
  for (const url of [`${server.url}/dashboard`, `${server.url}/docs`, server.sandboxUrl]) {
    const answer = await fetch(url);
    t.equal(answer.status, 200, url);
    const [, style] = /(?:href|src)="([^"]+\.(?:css|js))"/.exec(await answer.text()) ?? [];
    t.equal((await fetch(new URL(String(style), url))).status, 200, `${url}: ${style}`);
  }
});

t.test('commands work beside a running server, and without one', async (t) => {
  const version = engage(['version']);
  t.match(version.stdout, `node ${process.version} `);
  t.equal(version.stderr, '');
  const backup = engage(['backup', join(folder, 'backup')]);
  t.equal(backup.status, 0, backup.stderr);
  const check = engage(['check', join(folder, 'backup')]);
  t.equal(check.status, 0, check.stderr);
  t.match(check.stdout, 'No problems found.');
  const into = join(folder, 'restored');
  mkdirSync(join(into, 'program'), { recursive: true });
  copyFileSync(join(server.dataDir, 'master-key'), join(into, 'master-key'));
  const restored = engage(['restore', join(folder, 'backup'), '--resend', 'none'], {
    ENGAGE_DATA_DIR: into,
  });
  t.equal(restored.status, 0, restored.stderr);
  const again = engage(['check'], { ENGAGE_DATA_DIR: into });
  t.match(again.stdout, 'No problems found.', again.stderr);
  const wrong = engage(['starts']);
  t.equal(wrong.status, 2);
  t.match(wrong.stderr, 'unknown command `engage starts`');
});

t.test('an import and the tools of an assistant reach it', async (t) => {
  const [, app = ''] = /ENGAGE_APP=(\S+)/.exec(demo()) ?? [];
  const [, key = ''] = /ENGAGE_KEY=(\S+)/.exec(demo()) ?? [];
  const file = join(folder, 'sample.gz');
  copyFileSync(join(root, 'sandbox/sample-endpoints.jsonl.gz'), file);
  const ours = { ENGAGE_URL: server.url, ENGAGE_KEY: key };
  const run = engage(['import-endpoints', app, file], ours);
  t.equal(run.status, 0, run.stderr);
  t.ok(JSON.parse(run.stdout).subscribers.created > 50);
  const transport = new StdioClientTransport({
    command: executable,
    args: ['mcp'],
    cwd: folder,
    env: { PATH: '', HOME: folder, ENGAGE_URL: server.url, ENGAGE_API_KEY: key },
    stderr: 'pipe',
  });
  const tools = await connected(t, transport);
  t.match(await tools.must('list_segments', { appId: app }), { items: Array });
  t.match(readdirSync(join(folder, '.cache/engage')), [/^engage-/], 'away from the data');
});

t.test('a killed engine is started again, also when the file was replaced', async (t) => {
  const other = join(folder, 'other');
  copyFileSync('/bin/true', other);
  renameSync(executable, join(folder, 'kept'));
  renameSync(other, executable);
  const pid = server.enginePid();
  process.kill(pid, 'SIGKILL');
  await server.ready(pid);
  renameSync(join(folder, 'kept'), executable);
  t.match(readFileSync(`/proc/${server.enginePid()}/cmdline`, 'utf8'), /\/dist\/cli\/engine-proc/);
});

t.test('it stops on SIGTERM, and unpacks again what was changed meanwhile', async (t) => {
  t.equal(await server.stop(), 0);
  const [name = ''] = readdirSync(place);
  const native = join(place, name, 'node_modules/lmdb/package.json');
  const before = readFileSync(native, 'utf8');
  writeFileSync(native, before.replace('"lmdb"', '"lmdx"'));
  mkdirSync(join(place, 'engage-0.0.9-0123456789ab/dist'), { recursive: true });
  await server.start();
  t.equal(readFileSync(native, 'utf8'), before);
  await until(() => readdirSync(place).join() === name, 'the old version stays');
});

t.test('whenever a first run is killed, the next one is right', async (t) => {
  const place = join(folder, 'killed');
  const settings = { ENGAGE_PROGRAM_DIR: place };
  let drafts = 0;
  // A run may end before the signal comes: then the next one is killed earlier again.
  for (let run = 0; run < 3 || (drafts === 0 && run < 20); run++) {
    rmSync(place, { recursive: true, force: true });
    const child = spawn(executable, ['version'], { cwd: folder, env: settings, stdio: 'ignore' });
    const ended = once(child, 'exit');
    const begun = () => drafted(place).some((count) => count > (run % 3) * 400);
    await until(() => begun() || child.exitCode !== null, 'nothing is unpacked');
    child.kill('SIGKILL');
    await ended;
    if (drafted(place).length > 0) drafts++;
    const version = engage(['version'], settings);
    t.equal(version.status, 0, version.stderr);
    t.equal(drafted(place).length, 0, 'and nothing is left');
  }
  t.ok(drafts > 0, `${drafts} were killed while they unpacked`);
});

t.test('a disk from which no program runs is named', async (t) => {
  const disk = join(folder, 'noexec');
  mkdirSync(disk);
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'noexec,size=64m', 'tmpfs', disk]);
  if (mount.status !== 0) {
    t.pass('a disk can only be mounted by root');
    return;
  }
  t.teardown(() => spawnSync('umount', ['-l', disk]));
  const { status, stderr } = engage(['version'], { ENGAGE_PROGRAM_DIR: join(disk, 'program') });
  t.equal(status, 1);
  t.match(stderr, /^engage: \S+noexec is mounted with noexec, .* set ENGAGE_PROGRAM_DIR .*\n$/);
});

function demo(): string {
  return readFileSync(join(server.dataDir, 'demo.env'), 'utf8');
}

/** How many files each unfinished folder has. */
function drafted(place: string): readonly number[] {
  try {
    return readdirSync(place)
      .filter((name) => name.startsWith('.'))
      .map((name) => readdirSync(join(place, name), { recursive: true }).length);
  } catch {
    return []; // not made yet, or already gone
  }
}
