// What `npm ci` installs, and that it installs at all. No package runs a script of its own when it
// is installed: a stolen version would run as the developer or the operator. All native parts come
// prebuilt, so nothing is lost.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { root } from './support/places.ts';

/** Packages that have such scripts, and why they work without. A new one has to be looked at. */
const withScripts: Readonly<Record<string, string>> = {
  '@firebase/util': 'looks for the defaults of a web app; development only',
  esbuild: 'checks the binary that comes in @esbuild/*; development only',
  lmdb: 'builds where no @lmdb/* fits; without one the server says so and ends',
  'msgpackr-extract': 'builds where no @msgpackr-extract/* fits; msgpackr then works without it',
  protobufjs: 'warns of a version range; development only',
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
  '@uwsjs/linux-x64-20',
  '@uwsjs/linux-x64-22',
  '@uwsjs/linux-x64-24',
  '@uwsjs/linux-x64-26',
];

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const textOf = (name: string) => readFileSync(join(root, name), 'utf8');
const { overrides } = JSON.parse(textOf('package.json')) as { overrides: Record<string, string> };
const isOverridden = (name: string) => name in overrides;
const { packages } = JSON.parse(textOf('package-lock.json')) as {
  packages: Readonly<Record<string, LockedPackage>>;
};

t.test('every package with an install script is on the list, and no other', (t) => {
  const scripted = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  t.same([...new Set(scripted)].sort(), Object.keys(withScripts).sort());
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
  t.match(textOf('cli/npm-script.mjs'), /\['ci', '--ignore-scripts', /);
  const installs = textOf('.ci/run').match(/npm (ci|install) .*/g) ?? [];
  t.ok(installs.length > 0);
  for (const line of installs) t.match(line, /--ignore-scripts/);
  t.end();
});

t.test('the lock file has the native parts for the platforms of the README', (t) => {
  for (const name of prebuilt) t.ok(packages[`node_modules/${name}`], name);
  t.end();
});

/** Where Node would find `name` from the package at `path`. */
function found(path: string, name: string): LockedPackage | undefined {
  for (
    let from = path;
    ;
    from = from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1))
  ) {
    const locked = packages[`${from === '' ? '' : `${from}/`}node_modules/${name}`];
    if (locked !== undefined || from === '') return locked;
  }
}

t.test('`npm ci` takes the lock file: it has what every package asks for, anywhere', (t) => {
  // npm 11 refuses a lock file that lacks an optional package of another platform.
  const missing: string[] = [];
  for (const [path, locked] of Object.entries(packages)) {
    const wanted = {
      ...locked.dependencies,
      ...locked.optionalDependencies,
      ...(path === '' ? locked.devDependencies : {}),
    };
    for (const [name, range] of Object.entries(wanted)) {
      const version = found(path, name)?.version;
      const isExact = /^\d+\.\d+\.\d+$/.test(range);
      if (version === undefined || (isExact && version !== range && !isOverridden(name)))
        missing.push(`${path || 'package.json'}: ${name}@${range}, found ${version}`);
    }
  }
  t.same(missing, []);
  t.end();
});

t.test('the lock file has a hash of each package, and names no registry', (t) => {
  for (const [path, { integrity, resolved }] of Object.entries(packages)) {
    if (path === '') continue;
    t.match(integrity, /^sha512-/, path);
    t.equal(resolved, undefined, path);
  }
  t.match(textOf('.npmrc'), /^omit-lockfile-registry-resolved=true$/m);
  t.end();
});

t.test('a server is installed without what only development and the cloud need', (t) => {
  const heavy = /node_modules\/(firebase-admin|@google-cloud|@grpc|google-gax|typescript|tap)$/;
  const production = Object.entries(packages).filter(([, locked]) => !('dev' in locked));
  t.same(
    production.map(([path]) => path).filter((path) => heavy.test(path)),
    [],
  );
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
