// What `npm start` and `npm test` run, also as the very first command in a fresh clone: installs and builds what is
// missing or older than its source, then does what was asked in this same process.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);
const [task, ...rest] = process.argv.slice(2);

install();
if (task === 'start') {
  build();
  process.argv = [process.argv[0], join(root, 'dist/cli/main.js'), 'start', ...rest];
  await import(pathToFileURL(join(root, 'dist/cli/main.js')).href);
} else if (task === 'test') {
  if (!existsSync('.tap/plugins')) run('npx', ['tap', 'build'], 'preparing the test runner');
  // Servers that tests start run the build, which starts faster than the sources do.
  build();
  process.env.ENGAGE_TEST_DIST ??= 'dist';
  process.exitCode = run('npx', ['tap', 'run', ...rest], undefined, false);
} else {
  process.stderr.write(`npm-script: there is no task ${task}\n`);
  process.exitCode = 2;
}

function install() {
  const lock = 'package-lock.json';
  const installed = 'node_modules/.package-lock.json';
  // Native parts are chosen for the Node that installs: under another one the server would fall back to its slower twin.
  const stamp = 'node_modules/.installed-by';
  const node = `${process.versions.modules} ${process.platform} ${process.arch}`;
  const isCurrent = existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
  const isSameNode = !existsSync(stamp) || readFileSync(stamp, 'utf8') === node;
  if (isCurrent && isSameNode) return;
  process.stderr.write('engage: installing packages (once) …\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund'];
  // `npm ci` refuses a lock file without the optional binaries of other platforms, which not every registry has;
  // `npm install` then takes the very same versions from the lock file.
  const clean = spawnSync('npm', ['ci', ...options], { stdio: 'ignore' });
  if (clean.status !== 0) run('npm', ['install', '--no-save', ...options]);
  writeFileSync(stamp, node);
}

function build() {
  const stamp = 'dist/.tsbuildinfo';
  if (existsSync(stamp)) {
    const builtMs = statSync(stamp).mtimeMs;
    const sources = [
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
    if (sources.every((path) => newest(path) <= builtMs)) return;
  }
  run('npx', ['tsc', '-p', 'tsconfig.build.json'], 'building');
  run(process.execPath, ['cli/copy-assets.mjs'], undefined);
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
