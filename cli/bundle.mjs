// Joins the compiled program into few files below dist/bundle. A start opens four processes and
// threads, and a thousand small modules in each took most of it (bench/README.md, "A start").
//
// Each module of `entries` then only imports its bundle, so all that starts a process or a thread,
// and every test, names it as before. Modules that nobody starts stay in dist as they are: tests
// load them, and pages and styles lie beside them.

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'dist/bundle');

/** What a process or a thread begins with. */
const entries = [
  'cli/main',
  'cli/engine-process',
  'actors/runtime/host-entry',
  'actors/runtime/dispatch-entry',
  'actors/runtime/tasks',
  'actors/runtime/check/entry',
  'sandbox/main',
];

/** Packages with native parts, and those that start a thread from a file of their own. */
const external = ['lmdb', 'msgpackr', '@uwsjs/*', 'uWebSockets.js', 'pino', 'piscina', 'tsx'];

/** A server that runs while its code is built anew may still load them. */
const keepOldFilesMs = 24 * 3_600_000;

/** All bundles lie in one folder, so from each of them a module's own place is the same way. */
const ownUrls = {
  name: 'own-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const place = relative(root, path).replace(/\.ts$/, '.js');
      const url = `new URL(${JSON.stringify(`../${place}`)}, import.meta.url).href`;
      const contents = readFileSync(path, 'utf8').replaceAll('import.meta.url', url);
      return { contents, loader: 'ts' };
    });
  },
};

/** An older package has only `default` in a bundle; `await import('…')` may ask for other names. */
const latePackages = {
  name: 'late-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { external: true } : undefined,
    );
  },
};

mkdirSync(target, { recursive: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: entries.map((entry) => ({ in: `${entry}.ts`, out: bundleOf(entry) })),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  outdir: target,
  external,
  // Packages in the older form call `require`. The long name is one that no module has.
  banner: {
    js: [
      "import { createRequire as createRequireOfBundle } from 'node:module';",
      'const require = createRequireOfBundle(import.meta.url);',
    ].join('\n'),
  },
  plugins: [ownUrls, latePackages],
  metafile: true,
  logLevel: 'warning',
  legalComments: 'none',
});
for (const entry of entries) writeFileSync(join(root, 'dist', `${entry}.js`), standInFor(entry));
writeFileSync(join(target, 'loaded.json'), JSON.stringify(loadedBy(metafile), undefined, 2));
removeOldFiles(Object.keys(metafile.outputs).map((path) => join(root, path)));

/** What a server loads, for `deploy/single-program.mjs`: modules of dist, and packages. */
function loadedBy({ outputs }) {
  const imported = Object.values(outputs).flatMap(({ imports }) => imports);
  const names = imported
    .filter(({ external, path }) => external && !path.startsWith('node:') && !isBuiltin(path))
    .map(({ path }) => /^(@[^/]+\/)?[^/]+/.exec(path)[0]);
  const begun = ['engine/base/plain-msgpack', ...entries].map((module) => `dist/${module}.js`);
  const modules = [...begun, ...Object.keys(outputs)];
  return { modules, packages: [...new Set(names)].sort() };
}

function bundleOf(entry) {
  return entry.replaceAll('/', '-');
}

/** Imports of packages run before all other code of a bundle, so what must come first is here. */
function standInFor(entry) {
  const up = '../'.repeat(entry.split('/').length - 1);
  return [
    '#!/usr/bin/env node',
    `import '${up}engine/base/plain-msgpack.js';`,
    `export * from '${up}bundle/${bundleOf(entry)}.js';\n`,
  ].join('\n');
}

function removeOldFiles(written) {
  const begunMs = Date.now();
  for (const name of readdirSync(target)) {
    const path = join(target, name);
    if (!written.includes(path) && begunMs - statSync(path).mtimeMs > keepOldFilesMs) rmSync(path);
  }
}
