// The built program starts from bundles (cli/bundle.mjs).

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { root } from '../support/places.ts';

const threads = [
  'actors/runtime/host-entry',
  'actors/runtime/dispatch-entry',
  'actors/runtime/tasks',
];
const entries = [
  ...threads,
  'actors/runtime/check/entry',
  'cli/main',
  'cli/engine-process',
  'sandbox/main',
];

t.test(
  'what a process begins with is a bundle, and before it native strings are off',
  async (t) => {
    for (const entry of entries) {
      const [, ...lines] = readFileSync(join(root, `dist/${entry}.js`), 'utf8').split('\n');
      t.match(lines[0], /^import '[./]+engine\/base\/plain-msgpack\.js';$/, entry);
      t.match(lines[1], /^export \* from '[./]+bundle\/[\w-]+\.js';$/, entry);
    }
  },
);

t.test('a thread that loads its bundle decodes without native strings', async (t) => {
  for (const entry of threads) {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      `const loaded = await import(${JSON.stringify(join(root, `dist/${entry}.js`))});
       const { isNativeAccelerationEnabled } = await import('msgpackr');
       console.log(JSON.stringify([Object.keys(loaded), isNativeAccelerationEnabled]));`,
    ]);
    const [exported, isNative] = JSON.parse(stdout) as [string[], boolean];
    t.equal(exported.length, 1, `${entry} exports what the thread calls`);
    t.equal(isNative, false, entry);
  }
});

/** Files of dist/bundle that a file loads at once, itself among them. */
function loadedWith(name: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const text = readFileSync(join(root, 'dist/bundle', name), 'utf8');
  for (const [, next = ''] of text.matchAll(/(?:\bfrom|^import|;import)\s*"\.\/([\w-]+\.js)"/gm))
    loadedWith(next, seen);
  return seen;
}

t.test('what a server starts finds all that it begins with in few files', async (t) => {
  for (const entry of [
    'cli-engine-process',
    'actors-runtime-host-entry',
    'actors-runtime-dispatch-entry',
  ]) {
    const names = [...loadedWith(`${entry}.js`)];
    t.ok(names.length <= 4, `${entry}: ${names.join(' ')}`);
    const text = names
      .map((name) => readFileSync(join(root, 'dist/bundle', name), 'utf8'))
      .join('');
    t.ok(text.length > 10_000, `${entry}: the test reads what is loaded`);
    t.notOk(text.includes('Input tidak valid'), `${entry}: Zod speaks English alone`);
  }
});
