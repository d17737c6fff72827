// The client as a program has it: built, in a `node_modules` of its own, with its types.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { root } from '../../support/places.ts';

const compiler = join(root, 'node_modules/.bin/tsc');

/** A folder in which programs import `@engage/node`; it goes with the test. */
export function clientFolder(t: Pick<Test, 'teardown'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'engage-client-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const place = join(folder, 'node_modules/@engage/node');
  mkdirSync(place, { recursive: true });
  cpSync(join(root, 'sdk/node/package.json'), join(place, 'package.json'));
  const build = compile(['-p', join(root, 'sdk/node'), '--outDir', place]);
  if (build !== '') throw new Error(build);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  return folder;
}

/** What the compiler complains about in a program: one line each, none if it compiles. */
export function complaintsAbout(folder: string, name: string, program: string): string {
  writeFileSync(join(folder, name), program);
  const strictness = ['--strict', '--noEmit', '--skipLibCheck', 'false'];
  const target = ['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable,dom.asynciterable'];
  const modules = ['--module', 'nodenext', '--types', ''];
  return compile([...strictness, ...target, ...modules, '--ignoreConfig', join(folder, name)]);
}

function compile(words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(compiler, words, { encoding: 'utf8', cwd: root });
  return status === 0 ? '' : `${stdout}${stderr}`;
}
