// Runs `npm start` and `npm test`, even first in a fresh clone: installs and builds what is missing
// or outdated, then runs the task in this process.

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);
const [task, ...rest] = process.argv.slice(2);
const productSources = [
  'engine',
  'storage',
  'actors',
  'http',
  'sandbox',
  'cli',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
];

install();
await import(new URL('set-hooks.mjs', import.meta.url)); // an install runs no scripts
if (task === 'start') {
  build('tsconfig.build.json', 'dist/.tsbuildinfo', productSources);
  process.argv = [process.argv[0], join(root, 'dist/cli/main.js'), 'start', ...rest];
  await import(pathToFileURL(join(root, 'dist/cli/main.js')).href);
} else if (task === 'test') {
  if (!existsSync('.tap/plugins')) run('npx', ['tap', 'build'], 'preparing the test runner');
  // Tests and their servers run compiled: loading with tsx would take longer than running.
  build('tsconfig.test.json', 'dist/.tsbuildinfo-test', [...productSources, 'test']);
  const { compiled, testPaths } = await import(new URL('../test/groups.mjs', import.meta.url));
  const named = rest.map((word) => (/^test\/.*\.ts$/.test(word) ? compiled(word) : word));
  const paths = named.some((word) => word.startsWith('dist/')) ? [] : testPaths();
  const plainNode = '--node-arg=--no-warnings';
  process.exitCode = run('npx', ['tap', 'run', plainNode, ...named, ...paths], undefined, false);
} else {
  process.stderr.write(`npm-script: unknown task ${task}\n`);
  process.exitCode = 2;
}

function install() {
  // Links belong to another checkout.
  if (lstatSync('node_modules', { throwIfNoEntry: false })?.isSymbolicLink()) return;
  const lock = 'package-lock.json';
  const installed = 'node_modules/.package-lock.json';
  // Native packages fit one Node version: under another the server's HTTP is slower.
  const stamp = 'node_modules/.installed-by';
  const node = `${process.versions.modules} ${process.platform} ${process.arch}`;
  const isCurrent = existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
  const isSameNode = !existsSync(stamp) || readFileSync(stamp, 'utf8') === node;
  if (isCurrent && isSameNode) return;
  process.stderr.write('engage: installing packages (once) …\n');
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  writeFileSync(stamp, node);
}

/** Both build into dist; the tests' project includes the product, so `npm test` compiles once. */
function build(project, stamp, sources) {
  if (existsSync(stamp)) {
    const builtMs = statSync(stamp).mtimeMs;
    if ([...sources, project].every((path) => newest(path) <= builtMs)) return;
  }
  run('npx', ['tsc', '-p', project], 'building');
  run(process.execPath, ['cli/copy-assets.mjs'], undefined);
  // The compiler keeps its stamp for newer but unchanged sources, as after a checkout.
  const now = new Date();
  utimesSync(stamp, now, now);
}

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function run(command, args, what, must = true) {
  if (what !== undefined) process.stderr.write(`engage: ${what} …\n`);
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (must && (error !== undefined || status !== 0)) {
    process.stderr.write(
      `engage: \`${command} ${args.join(' ')}\` failed${error ? `: ${error.message}` : ''}\n`,
    );
    process.exit(1);
  }
  return status ?? 1;
}
