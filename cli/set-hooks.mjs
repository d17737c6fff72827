// Points Git at .githooks in a developer's checkout, at `npm start` and `npm test`. Not in CI,
// without Git, in a tarball or another repository's folder, or where hooks are set.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const isCheckout = existsSync(join(root, '.git')) && existsSync(join(root, '.githooks'));

if (isCheckout && !process.env.CI) {
  const set = git('--get', 'core.hooksPath');
  // 1: set nowhere; else a value, or Git does not run.
  if (set.status === 1) git('--local', 'core.hooksPath', '.githooks');
}

function git(...words) {
  return spawnSync('git', ['config', ...words], { cwd: root, stdio: 'ignore' });
}
