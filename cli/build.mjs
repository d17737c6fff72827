// Builds all of dist: `node cli/build.mjs [compiler project]`. Writes `dist/.built`, or
// `dist/.built-test` for the tests' project, when everything is there: a build that was stopped
// begins anew.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { removeLeftovers } from './remove-leftovers.mjs';

const project = process.argv[2] ?? 'tsconfig.build.json';
const stamp = project === 'tsconfig.test.json' ? 'dist/.built-test' : 'dist/.built';

rmSync(stamp, { force: true });
const { include } = JSON.parse(readFileSync(project, 'utf8'));
const isWhole = include.every((folder) => existsSync(`dist/${folder}`));
// The compiler remembers what it wrote: where something is gone, it writes all of it again.
if (removeLeftovers('.').length > 0 || !isWhole)
  for (const name of ['.tsbuildinfo', '.tsbuildinfo-test']) rmSync(`dist/${name}`, { force: true });
run('npx', 'tsc', '-p', project, '--noCheck'); // `npm run types` checks: four times as long
run('npx', 'tsc', '-p', 'sdk/node', '--noCheck');
const steps = ['cli/copy-assets.mjs', 'cli/bundle.mjs', 'dashboard/build.mjs', 'sdk/web/build.mjs'];
for (const step of steps) run(process.execPath, step);
// npm does so when it links a command, but not for a link that stands from an earlier build.
chmodSync('dist/cli/main.js', 0o755);
writeFileSync(stamp, '');

function run(command, ...words) {
  const { status } = spawnSync(command, words, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
