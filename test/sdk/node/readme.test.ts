// The README of the client: its program compiles against the built package and runs against a
// server, and its figures are right.

import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';
import t from 'tap';
import { codeBlocks } from '../../support/documented-code.ts';
import { root } from '../../support/places.ts';
import { makeOrg, sharedServer } from '../../support/server.ts';
import { clientFolder, complaintsAbout } from '../support/installed-client.ts';

const page = 'sdk/node/README.md';
const folder = clientFolder(t);
const program = codeBlocks(page, 'ts').join('\n');

t.test('the program of the README compiles', async (t) => {
  const platform = 'declare const process: { env: Record<string, string | undefined> };\n';
  t.equal(complaintsAbout(folder, 'readme.ts', platform + program), '');
});

t.test('the program of the README runs, built, against a server', async (t) => {
  const server = await sharedServer(t);
  const org = await makeOrg(server, 'Readme');
  const { id: app } = await org.client.must('POST /v1/apps', { name: 'Readme' });
  const file = join(folder, 'readme.mjs');
  const { code } = await transform(program, { loader: 'ts' });
  const probe = `
const signed = new Request('http://127.0.0.1', { method: 'POST', body: '{}' });
console.log('forged', (await receive(signed)).status);`;
  writeFileSync(file, code + probe);
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    env: { ENGAGE_URL: server.url, ENGAGE_KEY: org.key, ENGAGE_APP: app },
  });
  const lines = stdout.trim().split('\n');
  t.match(lines[0], /^ntf_[0-9a-z]{26}$/);
  t.match(lines[1], /^VIPs req_\w+ \d+$/);
  t.ok(lines.includes('VIP customers'), 'the list has the changed segment');
  t.ok(lines.includes('ada'), 'the export has the person');
  t.ok(lines.includes('1 0 queued undefined'), 'the batch has a result for each');
  t.ok(
    lines.some((line) => line.startsWith('1 1 not_found')),
    'also for who is not there',
  );
  t.ok(lines.includes('there is no such segment'));
  t.ok(lines.includes('forged 400'));
});

t.test('the figures of the README are right', async (t) => {
  const text = readFileSync(join(root, page), 'utf8');
  const [, minified = '', zipped = ''] = /(\d+) kB, ([\d.]+) kB gzip/.exec(text) ?? [];
  const { outputFiles } = await build({
    entryPoints: [join(root, 'sdk/node/src/engage.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  const bytes = outputFiles[0]?.contents ?? new Uint8Array();
  t.ok(Math.abs(bytes.length / 1_000 - Number(minified)) < 3, `${bytes.length} bytes`);
  t.ok(
    Math.abs(gzipSync(bytes).length / 1_000 - Number(zipped)) < 1,
    `${gzipSync(bytes).length} bytes`,
  );
});
