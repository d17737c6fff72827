// The binary of uWebSockets.js is loaded only if it is the file that was tested.

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import t from 'tap';
import { createHttpServer } from '../../../http/server/server.ts';
import { binaryProblem } from '../../../http/server/uws-binaries.ts';
import { loadUws } from '../../../http/server/uws-library.ts';
import { temporaryDirectory } from '../../storage/support/directory.ts';
import { root } from '../../support/places.ts';

const [major] = process.versions.node.split('.');
const name = `@uwsjs/${process.platform}-${process.arch}-${major}`;
const options = { handler: () => undefined, onError: () => undefined };
const installed = () => createRequire(import.meta.url).resolve(`${name}/uws.node`);
const load = await loadUws();
const skip = load.ok ? false : load.reasons.join(' | ');

/** A module in a folder with this file as the package's binary. */
function withBinary(change: (bytes: Buffer) => Uint8Array): string {
  const folder = temporaryDirectory();
  const place = join(folder, 'node_modules', name);
  mkdirSync(place, { recursive: true });
  copyFileSync(join(root, 'node_modules', name, 'package.json'), join(place, 'package.json'));
  writeFileSync(join(place, 'index.js'), "throw new Error('its code ran');");
  writeFileSync(join(place, 'uws.node'), change(readFileSync(installed())));
  return join(folder, 'from.js');
}

t.test('each package of the lock file has a hash', async (t) => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { readonly version: string }>>;
  };
  const versions = Object.entries(packages)
    .filter(([path]) => path.startsWith('node_modules/@uwsjs/'))
    .map(([path, { version }]) => [path.slice('node_modules/'.length), version]);
  // A new version fails here: its hash belongs into http/server/uws-binaries.ts and decision 0001.
  t.same(versions, [
    ['@uwsjs/linux-x64-20', '20.51.4'],
    ['@uwsjs/linux-x64-22', '20.51.4'],
    ['@uwsjs/linux-x64-24', '20.69.0'],
    ['@uwsjs/linux-x64-26', '20.69.0'],
  ]);
  const page = readFileSync(join(root, 'docs/decisions/0001-uwebsockets-and-its-twin.md'), 'utf8');
  const other = join(temporaryDirectory(), 'other');
  writeFileSync(other, 'other');
  for (const [packageName = ''] of versions) {
    const [, hash = 'none'] = /expected ([0-9a-f]{64})$/.exec(
      binaryProblem(packageName, other) ?? '',
    ) ?? ['', undefined];
    t.ok(page.includes(hash), `decision 0001 says the hash of ${packageName}`);
  }
  t.match(binaryProblem('@uwsjs/linux-x64-21', other), 'is not a package that was tested');
});

t.test('the installed file is the one that was tested', { skip }, async (t) => {
  t.equal(binaryProblem(name, installed()), undefined);
});

t.test('a changed file is not loaded, and the twin serves with a sentence', { skip }, async (t) => {
  const changes: Readonly<Record<string, (bytes: Buffer) => Uint8Array>> = {
    'one byte': (bytes) => {
      const at = bytes.length >> 1;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      return bytes;
    },
    'one byte more': (bytes) => Buffer.concat([bytes, Buffer.of(0)]),
    'cut short': (bytes) => bytes.subarray(0, 1000),
    empty: () => Buffer.alloc(0),
  };
  for (const [change, make] of Object.entries(changes)) {
    const from = withBinary(make);
    const altered = await loadUws(from);
    t.match(altered, { ok: false, isAltered: true }, change);
    const { server, warning, isAltered } = await createHttpServer(options, 'uws', from);
    t.equal(server.kind, 'node', change);
    t.equal(isAltered, true);
    t.match(warning, /^serving with node:http.* is not the one that this version was tested with/);
    t.match(warning, `${join('node_modules', name, 'uws.node')} is not the file that was tested`);
    t.notMatch(warning, 'its code ran');
  }
});

t.test('a package that is missing, or lacks its file, lets the twin serve', async (t) => {
  const empty = join(temporaryDirectory(), 'from.js');
  const { server, warning, isAltered } = await createHttpServer(options, 'uws', empty);
  t.equal(server.kind, 'node');
  t.equal(isAltered, false);
  t.match(warning, `${name} is not installed`);
  if (!load.ok) return;
  const from = withBinary((bytes) => bytes);
  rmSync(join(from, '..', 'node_modules', name, 'uws.node'));
  t.match(await loadUws(from), { ok: false, isAltered: false });
});
