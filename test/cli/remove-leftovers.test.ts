// A build leaves nothing in dist that no source makes any more (cli/remove-leftovers.mjs).

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { root } from '../support/places.ts';

const { removeLeftovers } = (await import(
  pathToFileURL(join(root, 'cli/remove-leftovers.mjs')).href
)) as { removeLeftovers(folder: string): readonly string[] };

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.includes('.'))
    .sort();
}

t.test('what lost its source goes, with its folder, and all else stays', async (t) => {
  const sources = ['engine/a.ts', 'http/docs/page.html', 'engine/boot.mjs', 'test/x.test.ts'];
  const kept = [
    ...['.built', '.tsbuildinfo', 'engine/a.js', 'engine/a.js.map', 'engine/boot.mjs'],
    ...['http/docs/page.html', 'test/x.test.js', 'test/together/x-1.js'],
    ...['bundle/cli-main.js', 'dashboard-files/a/main-1.js', 'pictures/home.png'],
    ...['web-sdk/engage.js'],
  ];
  const left = [
    ...['engine/b.js', 'engine/b.js.map', 'http/old/page.html', 'looks/email.js'],
    ...['sandbox/inbox/page.js', 'sandbox/inbox/late/more.js'],
  ];
  const folder = t.testdir();
  for (const path of [...sources, ...[...kept, ...left].map((path) => `dist/${path}`)]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  const looks = join(folder, 'looks'); // a source that is no longer copied
  mkdirSync(looks);
  writeFileSync(join(looks, 'email.js'), '');

  const removed = removeLeftovers(folder);
  t.same(filesBelow(join(folder, 'dist')), [...kept].sort());
  t.notOk(readdirSync(join(folder, 'dist')).includes('sandbox'), 'an empty folder goes');
  t.same(
    removed.filter((path) => path.startsWith('looks')),
    ['looks'],
  );
  t.same(removeLeftovers(folder), [], 'a second time there is nothing to do');
});

t.test('a checkout that was never built has nothing to remove', async (t) => {
  t.same(removeLeftovers(t.testdir()), []);
});

t.test('what the compiler made stays: it makes nothing that did not change again', async (t) => {
  const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const { include } = read('tsconfig.test.json') as { readonly include: readonly string[] };
  const folder = t.testdir();
  // These are not included, but tests import parts of them.
  for (const name of [...include, 'bench', 'dashboard'])
    for (const path of [`${name}/a.ts`, `dist/${name}/a.js`]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), '');
    }
  t.same(removeLeftovers(folder), []);
});
