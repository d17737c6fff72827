// `engage import-endpoints` as an operator runs it, against a stand-in for the server: what it
// prints, how it ends, and that a killed process loses nothing and duplicates nobody with a user
// id.

import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { exportOf } from '../../sandbox/endpoint-export.ts';
import { temporaryDirectory } from '../storage/support/directory.ts';
import { nodeArguments, root } from '../support/places.ts';
import { engage } from './support/engage.ts';
import { closedPort, startImportServer, type Trouble } from './support/import-server.ts';

const sample = join(root, 'sandbox/sample-endpoints.jsonl.gz');

t.test('the sample comes in, and the summary is JSON on stdout', async (t) => {
  const server = await startImportServer(t);
  const directory = temporaryDirectory();
  const file = join(directory, 'export.gz');
  copyFileSync(sample, file);
  const errors = join(directory, 'errors.jsonl');
  const settings = { ENGAGE_URL: `${server.url}/`, ENGAGE_API_KEY: 'right' };
  const words = ['import-endpoints', 'app_1', file, '--errors', errors];
  const { code, stdout, stderr } = await engage(words, settings);
  t.equal(code, 0, stderr);
  const summary = JSON.parse(stdout) as {
    lines: number;
    skipped: { total: number };
    devices: { leftOut: { address_missing: number } };
  };
  t.equal(summary.lines, [...exportOf(120)].length);
  const { total } = summary.skipped;
  const without = summary.devices.leftOut.address_missing;
  t.equal(readFileSync(errors, 'utf8').trim().split('\n').length, total + without);
  t.match(stderr, /lines make up \d+ subscribers: \d+ created, 0 updated, 0 failed\./);
  t.match(stderr, /Lines skipped: .*channel_baidu/);
  t.notOk(
    stderr.includes('[#') || stderr.includes('\u001b'),
    'no bar and no control characters off a terminal',
  );
  t.same(readdirSync(directory).sort(), ['errors.jsonl', 'export.gz']);
});

t.test(
  'it ends with 1 when a subscriber failed, and with 2 when it was called wrongly',
  async (t) => {
    const server = await startImportServer(t);
    const file = join(temporaryDirectory(), 'export.jsonl');
    writeFileSync(
      file,
      '{"ChannelType":"GCM","Address":"x","User":{"UserId":"refused"}}\nnonsense\n',
    );
    const key = { ENGAGE_KEY: 'right' };
    const closed = await closedPort();
    const run = (words: readonly string[], settings = {}) =>
      engage(['import-endpoints', ...words], settings);
    const [noEncoding, failed, noFile, noKey, wrongKey, wrongUrl, nowhere, missing, noApp] =
      await Promise.all([
        run(['app_1', file, '--url', server.url, '--encoding', 'latin9x'], key),
        run(['app_1', file, '--url', server.url], key),
        run(['app_1'], key),
        run(['app_1', file]),
        run(['app_1', file, '--url', server.url, '--key', 'wrong']),
        run(['app_1', file, '--url', 'ftp://x'], key),
        run(['app_1', file, '--url', `http://127.0.0.1:${closed}`], key),
        run(['app_1', `${file}.no`, '--url', server.url], key),
        run(['app_2', file, '--url', server.url], key),
      ]);
    t.match(noEncoding, { code: 2, stderr: /--encoding is "latin9x", which is not an encoding/ });
    t.equal(failed.code, 1);
    t.match(JSON.parse(failed.stdout), { subscribers: { failed: 1 }, skipped: { total: 1 } });
    t.match(noFile, { code: 2, stderr: /an app id and a file/ });
    t.match(noKey, { code: 2, stderr: /ENGAGE_API_KEY/ });
    t.match(wrongKey, { code: 1, stderr: /rejected the key/ });
    t.match(wrongUrl, { code: 2, stderr: /--url is "ftp:\/\/x"/ });
    t.match(nowhere, { code: 1, stderr: /no server responds at .* \(ECONNREFUSED\)/ });
    t.match(missing, { code: 1, stderr: /does not exist/ });
    t.match(noApp, { code: 1, stderr: /has no app app_2/ });
    const directory = join(temporaryDirectory(), 'parts');
    mkdirSync(directory);
    t.match(await run(['app_1', directory], key), {
      code: 1,
      stderr: /is a directory; concatenate/,
    });
  },
);

t.test('killed in the middle, it goes on from stdin where it was', async (t) => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  // The calls after the third hang until the process is gone.
  const server = await startImportServer(t, async (call): Promise<Trouble> => {
    if (call > 3) await held;
    return 'none';
  });
  const statePath = join(temporaryDirectory(), 'state.json');
  const tags = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`t${n}`, ['x']]));
  const lines = Array.from({ length: 9_000 }, (_, i) =>
    JSON.stringify({ ChannelType: 'GCM', Address: `t${i}`, Attributes: tags, User: { UserId: i } }),
  );
  const bytes = gzipSync(`${lines.join('\n')}\n`);
  const run = () => {
    const kept = Object.entries(process.env).filter(
      ([name]) => !/^(ENGAGE|TAP)_|^NODE_OPTIONS$/.test(name),
    );
    const child = spawn(
      process.execPath,
      [...nodeArguments('cli/main.ts'), 'import-endpoints', 'app_1', '-', '--state', statePath],
      {
        cwd: root,
        stdio: ['pipe', 'pipe', 'ignore'],
        env: { ...Object.fromEntries(kept), ENGAGE_URL: server.url, ENGAGE_API_KEY: 'right' },
      },
    );
    child.stdin.end(bytes);
    let stdout = '';
    child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
    const ended = new Promise<{ code: number | null; stdout: string }>((resolve) =>
      child.once('close', (code) => resolve({ code, stdout })),
    );
    return { child, ended };
  };
  const first = run();
  const rows = (): number =>
    existsSync(statePath)
      ? (JSON.parse(readFileSync(statePath, 'utf8')) as { rows: number }).rows
      : 0;
  while (rows() < 1_000 && first.child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 10));
  first.child.kill('SIGKILL');
  await first.ended;
  const acknowledged = rows();
  t.ok(acknowledged > 0 && acknowledged < 9_000, `${acknowledged} rows`);
  release();
  const second = await run().ended;
  t.equal(second.code, 0);
  t.match(JSON.parse(second.stdout), { complete: true, resumedAt: acknowledged, lines: 9_000 });
  t.equal(server.people.size, 9_000);
  t.notOk(existsSync(statePath));
});
