// Joins the compiled program into few files below dist/bundle. A start opens four processes and
// threads, and a thousand small modules in each took most of it (bench/README.md, "A start").
//
// Each module that `begun` names then only imports its bundle, so all that starts a process or a
// thread, and every test, names it as before. Modules that nobody starts stay in dist as they are:
// tests load them, and pages and styles lie beside them.

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'dist/bundle');

/**
 * What a process or a thread begins with. Each of a server's own has all that it begins with in one
 * file, with what it always loads later (`first`); what is begun seldom shares its parts.
 */
const begun = [
  { entries: ['cli/engine-process'], first: ['cli/engine-process', 'http/process/engine'] },
  { entries: ['actors/runtime/host-entry'], first: ['actors/runtime/host-entry'] },
  { entries: ['actors/runtime/dispatch-entry'], first: ['actors/runtime/dispatch-entry'] },
  {
    entries: ['cli/main', 'actors/runtime/tasks', 'actors/runtime/check/entry', 'sandbox/main'],
    first: [],
  },
];

/** Packages with native parts, and those that start a thread from a file of their own. */
const external = ['lmdb', 'msgpackr', '@uwsjs/*', 'uWebSockets.js', 'pino', 'piscina', 'tsx'];

/** A server that runs while its code is built anew may still load them. */
const keepOldFilesMs = 24 * 3_600_000;

/** All bundles lie in one folder, so from each of them a module's own place is the same way. */
const ownUrls = {
  name: 'own-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/, namespace: 'file' }, ({ path }) => {
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

/** Zod's error messages in fifty languages were half of it. */
const oneLanguage = {
  name: 'one-language',
  setup({ onLoad }) {
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/**
 * What loads late begins with what is there by then (`first`). Without this each set of late
 * modules that share a module had a file of its own: a shard's thread began with 144.
 */
const late = (first) => ({
  name: 'late',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^\./ }, async ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const found = await resolve(path, { kind: 'import-statement', resolveDir });
      return { ...found, namespace: 'late' };
    });
    onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => {
      const others = first
        .filter((one) => one !== path)
        .map((one) => `import ${JSON.stringify(one)};`);
      const contents = [...others, `export * from ${JSON.stringify(path)};`].join('\n');
      return { contents, resolveDir: dirname(path) };
    });
  },
});

mkdirSync(target, { recursive: true });
const outputs = {};
for (const part of begun) Object.assign(outputs, (await bundle(part)).metafile.outputs);
const all = begun.flatMap(({ entries }) => entries);
for (const entry of all) writeFileSync(join(root, 'dist', `${entry}.js`), standInFor(entry));
writeFileSync(join(target, 'loaded.json'), JSON.stringify(loadedBy(outputs), undefined, 2));
removeOldFiles(Object.keys(outputs).map((path) => join(root, path)));

function bundle({ entries, first }) {
  return build({
    absWorkingDir: root,
    entryPoints: entries.map((entry) => ({ in: `${entry}.ts`, out: bundleOf(entry) })),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true, // a thread reads its bundle before it runs it
    lineLimit: 100, // a stack names a line
    outdir: target,
    external,
    // Packages in the older form call `require`. The long name is one that no module has.
    banner: {
      js: [
        "import { createRequire as createRequireOfBundle } from 'node:module';",
        'const require = createRequireOfBundle(import.meta.url);',
      ].join('\n'),
    },
    plugins: [
      ownUrls,
      latePackages,
      oneLanguage,
      late(first.map((path) => join(root, `${path}.ts`))),
    ],
    metafile: true,
    logLevel: 'warning',
    legalComments: 'none',
  });
}

/** What a server loads, for `deploy/single-program.mjs`: modules of dist, and packages. */
function loadedBy(outputs) {
  const imported = Object.values(outputs).flatMap(({ imports }) => imports);
  const names = imported
    .filter(({ external, path }) => external && !path.startsWith('node:') && !isBuiltin(path))
    .map(({ path }) => /^(@[^/]+\/)?[^/]+/.exec(path)[0]);
  const modules = ['engine/base/plain-msgpack', ...all].map((module) => `dist/${module}.js`);
  return { modules: [...modules, ...Object.keys(outputs)], packages: [...new Set(names)].sort() };
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
