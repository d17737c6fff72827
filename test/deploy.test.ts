// The files in deploy/ against the program: settings that exist, time to drain, no registry of
// somebody, and a strip that leaves what runs.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t from 'tap';
import { providerNames, readConfig, variables } from '../http/process/config.ts';
import { fileAt, root } from './support/places.ts';
import { filesBelow } from './support/source-graph.ts';

const files = filesBelow('deploy');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const named = (text: string) => [...new Set(text.match(/\bENGAGE_[A-Z_]+\b/g))];
/** For Caddy alone. */
const ofProxy = new Set(['ENGAGE_DOMAIN', 'ENGAGE_UPSTREAM']);
const ofProviders = new Set(providerNames.map((name) => `ENGAGE_${name}_URL`));

t.test('deployment files name settings that exist', (t) => {
  for (const file of files.filter((path) => !/grafana|prometheus/.test(path)))
    for (const name of named(textOf(file)))
      t.ok(name in variables || ofProxy.has(name) || ofProviders.has(name), `${file}: ${name}`);
  t.end();
});

t.test('the example settings start a live server once the master key is in them', (t) => {
  const lines = textOf('deploy/engage.env.example')
    .split('\n')
    .filter((line) => /^ENGAGE_/.test(line))
    .map((line): [string, string] => [
      line.slice(0, line.indexOf('=')),
      line.slice(line.indexOf('=') + 1),
    ]);
  const environment = Object.fromEntries(lines);
  t.equal(environment['ENGAGE_MASTER_KEY'], '', 'nobody shares a key');
  const config = readConfig({
    ...environment,
    ENGAGE_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  });
  t.match(config, {
    mode: 'live',
    trustedProxies: 1,
    publicUrl: 'https://engage.example.com',
    mailFrom: 'engage@example.com',
  });
  t.end();
});

t.test('in the package `npm start` starts the server, for the sources are not there', (t) => {
  const script = textOf('deploy/package.mjs');
  t.match(script, "const scripts = { start: 'exec node dist/cli/main.js start' }");
  t.match(script, /rewriteScripts\(join\(folder, 'package\.json'\)\);\nrun\('npm', \['ci'/);
  t.end();
});

t.test('the image is made of files that are there, and runs as an ordinary user', (t) => {
  const dockerfile = textOf('deploy/Dockerfile');
  for (const [, list = ''] of dockerfile.matchAll(/^COPY (?!--)(.*) \S+$/gm))
    for (const path of list.split(' ')) t.ok(existsSync(join(root, path)), path);
  for (const [, path = ''] of dockerfile.matchAll(/\/app\/(deploy\/[\w.-]+)/g))
    t.ok(existsSync(join(root, path)), path);
  const stages = dockerfile.split(/^FROM /m);
  t.match(stages.at(-1), /^USER node$/m);
  for (const [, image = ''] of dockerfile.matchAll(/^FROM (\S+)/gm))
    t.equal(image, 'node:$NODE', 'no registry but the public one');
  const tags = [...dockerfile.matchAll(/NODE=(\S+?),?(?:\s|$)/g)].map(([, tag]) => tag);
  // Debian 12 has glibc 2.36, Debian 13 has 2.41; the binary for Node 24 needs 2.38.
  t.same(tags.sort(), ['22-bookworm-slim', '24-trixie-slim']);
  t.end();
});

t.test('who stops the server leaves it the time to drain', (t) => {
  const drain = Number(
    /drainLimitMs = ([\d_]+)/.exec(textOf('engine/cluster/primary.ts'))?.[1]?.replace('_', ''),
  );
  const stop = Number(/^TimeoutStopSec=(\d+)$/m.exec(textOf('deploy/engage.service'))?.[1]);
  const grace = Number(/stop_grace_period: (\d+)s/.exec(textOf('deploy/compose.yaml'))?.[1]);
  t.ok(stop * 1000 > drain, 'systemd');
  t.ok(grace * 1000 > drain, 'compose');
  t.end();
});

t.test('stripping packages leaves code, native parts and licenses', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'engage-strip-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const stay = ['a/index.js', 'a/package.json', 'a/LICENSE.md', '@b/c/x.node', '@b/c/esm/m.mjs'];
  const go = ['a/index.d.ts', 'a/index.js.map', 'a/README.md', '@b/c/m.d.mts', 'lmdb/src/env.cpp'];
  for (const path of [...stay, ...go]) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), path);
  }
  const { stripPackages } = (await import(fileAt('deploy/strip-packages.mjs').href)) as {
    stripPackages(nodeModules: string): number;
  };
  t.ok(stripPackages(folder) >= 0);
  for (const path of stay) t.ok(existsSync(join(folder, path)), path);
  for (const path of go) t.notOk(existsSync(join(folder, path)), path);
});
