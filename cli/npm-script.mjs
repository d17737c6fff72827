// Runs `npm start` and `npm test`, even first in a fresh clone: installs and builds what is missing
// or outdated, then runs the task in this process. npm passes SIGTERM and SIGINT to this process,
// because package.json says `exec`: a shell in between would die of them and leave this running.

import { spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);
const [task, ...rest] = process.argv.slice(2);
const testStamp = 'dist/.built-test';
const signals = ['SIGINT', 'SIGTERM'];
let child;
let asked;
for (const signal of signals) process.on(signal, ask);
const productSources = [
  'engine',
  'storage',
  'actors',
  'http',
  'looks',
  'files',
  'dashboard',
  'sandbox',
  'cli',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
];

endWithParent();
await install();
await import(new URL('set-hooks.mjs', import.meta.url)); // an install runs no scripts
if (task === 'start') {
  await build('tsconfig.build.json', 'dist/.built', productSources);
  for (const signal of signals) process.off(signal, ask);
  process.argv = [process.argv[0], join(root, 'dist/cli/main.js'), 'start', ...rest];
  await import(pathToFileURL(join(root, 'dist/cli/main.js')).href);
} else if (task === 'test') {
  if (!existsSync('.tap/plugins'))
    await run('npx', ['tap', 'build'], { what: 'preparing the test runner' });
  // Tests and their servers run compiled: loading with tsx would take longer than running.
  await build('tsconfig.test.json', testStamp, [...productSources, 'test']);
  const { compiled, longForm, testPaths } = await import(
    new URL('../test/groups.mjs', import.meta.url)
  );
  const named = rest.map((word) => (/^test\/.*\.ts$/.test(word) ? compiled(word) : word));
  const paths = named.some((word) => word.startsWith('dist/')) ? [] : testPaths();
  if (paths.length > 0 && process.env.ENGAGE_TEST_LONG !== '1')
    process.stderr.write(
      `engage: ENGAGE_TEST_LONG=1 also runs the ${longForm.length} longest tests\n`,
    );
  const scratch = makeScratch();
  const { tellReport } = await import(new URL('../test/report.mjs', import.meta.url));
  const isRaw = named.includes('--raw');
  const words = [...named.filter((word) => word !== '--raw'), ...paths];
  const runner = fileURLToPath(new URL('../test/run.mjs', import.meta.url));
  process.exitCode = await run(process.execPath, [runner, ...words], {
    must: false,
    read: isRaw ? undefined : tellReport,
  });
  if (scratch !== undefined) remove(scratch);
} else {
  process.stderr.write(`npm-script: unknown task ${task}\n`);
  process.exitCode = 2;
}

async function install() {
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
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  writeFileSync(stamp, node);
}

/** Both build into dist; the tests' project includes the product, so `npm test` compiles once. */
async function build(project, stamp, sources) {
  const stamps = stamp === testStamp ? [stamp] : [stamp, testStamp];
  const isCurrent = (path) => {
    const builtMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return [...sources, project].every((source) => newest(source) <= builtMs);
  };
  if (stamps.some(isCurrent)) return;
  const status = await run(process.execPath, ['cli/build.mjs', project], {
    what: 'building',
    must: false,
  });
  if (status !== 0) process.exit(1);
}

/**
 * Tests write and sync a lot and keep nothing, so they use a folder in memory where there is room.
 * Also removes the folders that interrupted runs left. Returns the folder, if it made one.
 */
function makeScratch() {
  const memory = '/dev/shm';
  const begin = 'engage-test-';
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (process.env.TMPDIR !== undefined || bavail * bsize < 4 * 1024 ** 3) return undefined;
    for (const name of readdirSync(memory).filter((name) => name.startsWith(begin)))
      if (!existsSync(`/proc/${name.slice(begin.length)}`)) remove(join(memory, name));
    const path = join(memory, `${begin}${process.pid}`);
    mkdirSync(path);
    process.env.TMPDIR = path;
    return path;
  } catch {
    return undefined; // macOS has no such folder
  }
}

function remove(path) {
  rmSync(path, { recursive: true, force: true });
}

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/**
 * Ends this process when a signal ended the child, or when one that `must` succeed did not. `read`
 * gets what the child prints, and where to write instead.
 */
async function run(command, args, { what, must = true, read } = {}) {
  if (what !== undefined) process.stderr.write(`engage: ${what} …\n`);
  let told;
  const { status, error } = await new Promise((resolve) => {
    child = spawn(command, args, { stdio: ['inherit', read ? 'pipe' : 'inherit', 'inherit'] });
    told = read?.(child.stdout, process.stdout);
    child.once('error', (error) => resolve({ error }));
    child.once('exit', (code) => resolve({ status: code }));
  });
  await told;
  child = undefined;
  if (asked !== undefined) process.exit(128 + constants.signals[asked]);
  if (must && (error !== undefined || status !== 0)) {
    process.stderr.write(
      `engage: \`${command} ${args.join(' ')}\` failed${error ? `: ${error.message}` : ''}\n`,
    );
    process.exit(1);
  }
  return status ?? 1;
}

/** While something is installed, built or tested; a server has handlers of its own. */
function ask(signal) {
  asked = signal;
  if (child === undefined) process.exit(128 + constants.signals[signal]);
  child.kill(signal);
}

/** Nobody else would end the server after `kill -9` of npm. */
function endWithParent() {
  const parent = process.ppid;
  const check = () => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  };
  const timer = setInterval(check, 500);
  timer.unref();
}
