// Puts a server that runs into one folder, for this platform and this Node version: the compiled
// program, its packages without those for development, and these deployment files.
//
//   npm run package                 build/engage-<version>-<platform>-<arch>-node<major>.tar.gz
//   npm run package -- --into /app  the folder alone, as the Dockerfile does it
//   npm run package -- --single     one executable that needs no Node, and the same compressed:
//                                   build/engage-<version>-<platform>-<arch>.tar.gz

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bytesBelow, stripPackages } from './strip-packages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const parts = [
  ...['engine', 'storage', 'actors', 'http', 'sandbox', 'cli'],
  ...['bundle', 'dashboard-files', 'node-client', 'web-sdk'],
];
const beside = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  'README.md',
  'CHANGELOG.md',
  'docs',
  'deploy',
  ...parts.map((part) => join('dist', part)),
];

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const [major] = process.versions.node.split('.');
const platform = `${process.platform}-${process.arch}`;
const name = `engage-${version}-${platform}-node${major}`;
const words = process.argv.slice(2);
if (words.join() === '--single') {
  packageSingle();
  process.exit(0);
}
const wanted = words[0] === '--into' ? words[1] : undefined;
if (words.length > 0 && (wanted === undefined || words.length > 2)) {
  process.stderr.write('usage: npm run package [-- --single | --into <empty folder>]\n');
  process.exit(2);
}
const folder = wanted === undefined ? join(root, 'build', name) : resolve(wanted);

run('npm', ['run', 'build'], root);
if (wanted === undefined) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const path of beside)
  cpSync(join(root, path), join(folder, path), {
    recursive: true,
    filter: (source) => !source.endsWith('.map'),
  });
rewriteScripts(join(folder, 'package.json'));
run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
bringServerBinary();
const freed = stripPackages(join(folder, 'node_modules'));
chmodSync(join(folder, 'dist/cli/main.js'), 0o755);
mkdirSync(join(folder, 'bin'), { recursive: true });
rmSync(join(folder, 'bin/engage'), { force: true });
symlinkSync('../dist/cli/main.js', join(folder, 'bin/engage'));

const mebibytes = (bytes) => `${Math.ceil(bytes / 1_048_576)} MiB`;
process.stdout.write(`${folder}: ${mebibytes(bytesBelow(folder))}, ${mebibytes(freed)} left out\n`);
if (wanted === undefined) process.stdout.write(`${archived(folder)}\n`);

function packageSingle() {
  const folder = join(root, 'build', `engage-${version}-${platform}`);
  const executable = join(folder, 'engage');
  run('npm', ['run', 'build'], root);
  run(process.execPath, [join(root, 'deploy/single.mjs'), executable], root);
  for (const path of [executable, archived(folder)])
    process.stdout.write(`${path}: ${Math.ceil(statSync(path).size / 1_000_000)} MB\n`);
}

/** The folder as an archive beside it. */
function archived(folder) {
  const archive = `${folder}.tar.gz`;
  run('tar', ['--owner=0', '--group=0', '-czf', archive, basename(folder)], dirname(folder));
  return archive;
}

/** An optional package: `npm ci` goes on without it, also where its mirror is gone. */
function bringServerBinary() {
  const binary = join('node_modules', `@uwsjs/${platform}-${major}`);
  if (existsSync(join(folder, binary))) return;
  if (existsSync(join(root, binary)))
    cpSync(join(root, binary), join(folder, binary), { recursive: true });
  else
    process.stdout.write(`package: without ${binary} it serves with node:http, which is slower\n`);
}

/** Of the checkout's scripts only `npm start` works without the sources, and it builds nothing. */
function rewriteScripts(path) {
  const described = JSON.parse(readFileSync(path, 'utf8'));
  const scripts = { start: 'exec node dist/cli/main.js start' };
  writeFileSync(path, `${JSON.stringify({ ...described, scripts }, null, 2)}\n`);
}

function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status === 0) return;
  process.stderr.write(`package: \`${command} ${args.join(' ')}\` failed ${error ?? ''}\n`);
  process.exit(1);
}
