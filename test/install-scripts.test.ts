// No package runs a script of its own when it is installed: a stolen version would run as the
// developer or the operator. All native parts come prebuilt, so nothing is lost.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { root } from './support/places.ts';

/** Packages that have such scripts, and why they work without. A new one has to be looked at. */
const withScripts: Readonly<Record<string, string>> = {
  '@firebase/util': 'writes defaults for web pages; we have none',
  esbuild: 'checks the binary that comes in @esbuild/*; development only',
  lmdb: 'builds where no @lmdb/* fits; without one the server says so and ends',
  'msgpackr-extract': 'builds where no @msgpackr-extract/* fits; msgpackr then works without it',
  protobufjs: 'warns of version schemes',
};

/** Where we say that the server runs, what is native must be there without a build. */
const prebuilt = [
  '@lmdb/lmdb-linux-x64',
  '@lmdb/lmdb-linux-arm64',
  '@lmdb/lmdb-darwin-x64',
  '@lmdb/lmdb-darwin-arm64',
  '@esbuild/linux-x64',
  '@esbuild/linux-arm64',
  '@esbuild/darwin-x64',
  '@esbuild/darwin-arm64',
];

const textOf = (name: string) => readFileSync(join(root, name), 'utf8');
const { packages } = JSON.parse(textOf('package-lock.json')) as {
  packages: Record<string, { hasInstallScript?: boolean }>;
};

t.test('every package with an install script is on the list, and no other', (t) => {
  const found = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  t.same([...new Set(found)].sort(), Object.keys(withScripts).sort());
  t.end();
});

t.test('npm itself runs none of them in this folder', (t) => {
  const environment = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const { stdout } = spawnSync('npm', ['config', 'get', 'ignore-scripts'], {
    cwd: root,
    env: Object.fromEntries(environment),
    encoding: 'utf8',
  });
  t.equal(stdout.trim(), 'true');
  t.end();
});

t.test('nor do `npm start` and CI, wherever the settings come from', (t) => {
  t.match(textOf('cli/npm-script.mjs'), /\['--ignore-scripts', /);
  const installs = textOf('.ci/run').match(/npm (ci|install) .*/g) ?? [];
  t.ok(installs.length > 0);
  for (const line of installs) t.match(line, /--ignore-scripts/);
  t.end();
});

t.test('the lock file has the native parts for the platforms of the README', (t) => {
  for (const name of prebuilt) t.ok(packages[`node_modules/${name}`], name);
  t.end();
});

t.test('no script of our own relies on being run by an install', (t) => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const names = ['preinstall', 'install', 'postinstall', 'prepublish', 'prepare', 'dependencies'];
  t.same(
    names.filter((name) => name in scripts),
    [],
  );
  for (const name of Object.keys(scripts))
    t.notOk(`pre${name}` in scripts || `post${name}` in scripts, `${name} has no hook around it`);
  t.end();
});
