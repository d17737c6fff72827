// What helps a developer keep the house's habits: the hook that reads commit messages, and the
// script that installs it. Both run for real, the script in scratch checkouts.

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { root } from './support/places.ts';

const scratch = mkdtempSync(join(tmpdir(), 'engage-habits-'));
t.teardown(() => rmSync(scratch, { recursive: true, force: true }));
const body = '\nThe relay closes idle connections after a minute.\n';

t.test('a message with an area, a short subject and a reason passes', (t) => {
  for (const message of [
    `dispatch: retry after a reset\n${body}`,
    `engine, storage: lend the block's bytes\n${body}`,
    `.ci: 25 kills\n${body}`,
    `sending/gate: one judge\n\n# a comment of Git\n${body}`,
    `\n\ndispatch: blank lines first\n${body}`,
    `dispatch: ${'é'.repeat(62)}\n${body}`,
    `dispatch: retry after a reset\n${body}# --- >8 ---\ndiff --git a/x b/x\n`,
  ])
    t.match(checked(message), { status: 0, stderr: '' }, message);
  t.end();
});

t.test('merges, reverts and fixups pass as Git words them', (t) => {
  for (const message of [
    "Merge branch 'gate'\n",
    'Revert "dispatch: retry after a reset"\n',
    'fixup! dispatch: retry after a reset\n',
    'squash! dispatch: retry after a reset\n',
    'amend! dispatch: retry after a reset\n',
  ])
    t.equal(checked(message).status, 0, message);
  t.end();
});

t.test('a message that lacks one of them is refused, and the hook says which', (t) => {
  const cases: [message: string, says: RegExp][] = [
    [`Retry after a reset\n${body}`, /the area/],
    [`dispatch:retry after a reset\n${body}`, /the area/],
    [`Dispatch: retry after a reset\n${body}`, /the area/],
    [`dispatch: ${'é'.repeat(63)}\n${body}`, /72 characters; it has 73/],
    ['dispatch: retry after a reset\n', /say why/],
    ['dispatch: retry after a reset\n\n# Please enter the commit message\n', /say why/],
    ['dispatch: retry after a reset\n\nSigned-off-by: Ada <ada@example.com>\n', /say why/],
    ['dispatch: retry after a reset\n# --- >8 ---\ndiff --git a/x b/x\n', /say why/],
    ['dispatch: retry after a reset\nThe relay closes idle ones.\n', /second line blank/],
    ['\n', /the area/],
  ];
  for (const [message, stderr] of cases) t.match(checked(message), { status: 1, stderr }, message);
  t.end();
});

t.test('in a checkout, the setter makes Git run the hook', (t) => {
  const folder = checkout(t, true);
  t.match(setHooks(folder), { status: 0, stderr: '' });
  t.equal(hooksPath(folder), '.githooks');
  t.match(commit(folder, 'Retry after a reset'), { status: 1, stderr: /the area/ });
  t.match(commit(folder, `dispatch: retry after a reset\n${body}`), { status: 0 });
  t.end();
});

t.test('npm start and npm test run the setter, since an install runs no scripts', (t) => {
  const folder = checkout(t, true);
  const script = readFileSync(join(root, 'cli/npm-script.mjs'), 'utf8');
  writeFileSync(join(folder, 'cli/npm-script.mjs'), script);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  run(process.execPath, [join(folder, 'cli/npm-script.mjs'), 'nothing']);
  t.equal(hooksPath(folder), '.githooks');
  t.end();
});

t.test('hooks that a developer has set are left alone', (t) => {
  const folder = checkout(t, true);
  git(folder, 'config', 'core.hooksPath', 'mine');
  t.equal(setHooks(folder).status, 0);
  t.equal(hooksPath(folder), 'mine');
  t.end();
});

t.test(
  'in CI, in a tarball, in a folder of another repository and without Git nothing happens',
  (t) => {
    const ci = checkout(t, true);
    t.match(setHooks(ci, { CI: '1' }), { status: 0, stderr: '' });
    t.equal(hooksPath(ci), '');

    const tarball = checkout(t, false);
    t.match(setHooks(tarball), { status: 0, stderr: '' });

    const outer = checkout(t, true);
    const inner = join(outer, 'vendor');
    mkdirSync(inner);
    for (const name of ['cli', '.githooks'])
      cpSync(join(outer, name), join(inner, name), { recursive: true });
    t.match(setHooks(inner), { status: 0, stderr: '' });
    t.equal(hooksPath(outer), '');

    t.match(setHooks(checkout(t, true), { PATH: '/nowhere' }), { status: 0, stderr: '' });
    t.end();
  },
);

function checked(message: string) {
  const file = join(scratch, 'message');
  writeFileSync(file, message);
  return run('sh', [join(root, '.githooks/commit-msg'), file]);
}

/** A scratch folder with the hook and its setter, under Git or not. */
function checkout(t: Test, underGit: boolean): string {
  const folder = mkdtempSync(join(tmpdir(), 'engage-habits-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of ['.githooks', 'cli/set-hooks.mjs'])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  if (underGit) git(folder, 'init', '--quiet');
  return folder;
}

function setHooks(folder: string, environment: NodeJS.ProcessEnv = {}) {
  return run(process.execPath, [join(folder, 'cli/set-hooks.mjs')], environment);
}

function hooksPath(folder: string): string {
  return git(folder, 'config', '--get', 'core.hooksPath').stdout.trim();
}

function commit(folder: string, message: string) {
  const ada = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  return git(folder, ...ada, 'commit', '--quiet', '--allow-empty', '-m', message);
}

function git(folder: string, ...words: string[]) {
  return run('git', ['-C', folder, ...words]);
}

/** Without what the machine, a CI or a running hook says to Git. */
function run(program: string, words: string[], environment: NodeJS.ProcessEnv = {}) {
  const { CI: _ci, GIT_DIR: _dir, GIT_INDEX_FILE: _index, ...rest } = process.env;
  const alone = { ...rest, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  return spawnSync(program, words, { encoding: 'utf8', env: { ...alone, ...environment } });
}
