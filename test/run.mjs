// Runs compiled test files, each in a process, some at a time, and prints tap's protocol:
// `node test/run.mjs [--jobs=3] dist/test/…`. `tap run` would load into each process what measures
// coverage: a fifth of a small group's processor time, and nothing here asks for coverage.

import { constants } from 'node:os';
import t from 'tap';

/** For two processors; a test waits now and then, and four are slower. */
const jobsUsual = 3;
/** The long form runs four at a time on machines of any speed. */
const limitMs = process.env.ENGAGE_TEST_LONG === '1' ? 600_000 : 300_000;

const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith('--'));
const unknown = options.find((word) => !/^--jobs=[1-9]\d?$/.test(word));
if (unknown !== undefined) {
  process.stderr.write(`test: unknown option ${unknown}; there is --jobs=<number>\n`);
  process.exit(2);
}
const jobs = options.at(-1);
t.jobs = jobs === undefined ? jobsUsual : Number(jobs.slice('--jobs='.length));
t.setTimeout(0);
const paths = words.filter((word) => !word.startsWith('--'));
t.comment(`${paths.length} files`);

const running = new Set();
t.on('spawn', (file) =>
  file.on('process', (child) => {
    running.add(child);
    child.once('close', () => running.delete(child));
  }),
);
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    for (const child of running) child.kill(signal);
    process.exit(128 + constants.signals[signal]);
  });

const plainNode = [
  ...['-u', 'NODE_OPTIONS'], // tap would hand the loader on in it
  process.execPath,
  ...['--no-warnings', '--enable-source-maps'],
  `--import=${new URL('./untracked.mjs', import.meta.url)}`,
];
const env = { ...process.env, TAP_TIMEOUT: String(limitMs / 1000) };
for (const path of paths)
  t.spawn('env', [...plainNode, path], { name: path, buffered: true, timeout: limitMs, env });
