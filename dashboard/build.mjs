// Builds the dashboard into dist/dashboard-files: the page, and below `a/` scripts and styles that
// are cached for good, because their names have a hash of their content. Each has a Brotli and a
// gzip copy beside it. `--watch` builds again on every change, without compression.

import { copyFileSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const home = dirname(fileURLToPath(import.meta.url));
const target = join(home, '../dist/dashboard-files');
const base = '/dashboard/a/';
/** Another process serves the sandbox's inbox, which shares only the fonts with the dashboard. */
const inboxBase = '/inbox/';
const font = '@fontsource-variable/inter';
const isWatching = process.argv.includes('--watch');

/**
 * `import path from 'url:./canvas.css'`: a file that is bundled alone and loaded by its address, as
 * a lazy style sheet or a worker is. `beside` gets those files, by name.
 */
const urlOf = (beside) => ({
  name: 'url',
  setup({ onResolve, onLoad, initialOptions }) {
    onResolve({ filter: /^url:/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.slice('url:'.length)),
      namespace: 'url',
    }));
    onLoad({ filter: /.*/, namespace: 'url' }, async ({ path }) => {
      const { outputFiles } = await build({
        ...initialOptions,
        entryPoints: [path],
        plugins: [],
        alias: { cheerio: './editor/blocks/no-cheerio.ts' },
        splitting: false,
        metafile: false,
        format: path.endsWith('.css') ? undefined : 'iife',
      });
      const [{ path: outPath, contents }] = outputFiles;
      const name = outPath.slice(outPath.lastIndexOf('/') + 1);
      beside.set(name, contents);
      const url = initialOptions.publicPath + name;
      return { contents: `export default ${JSON.stringify(url)}`, watchFiles: [path] };
    });
  },
});
/**
 * A file that loads late begins with what every visit has (`first.ts`). Files that all entries
 * reach share one chunk; without this each set of screens that share a part had a chunk of its own,
 * 28 of them in the first load.
 */
const late = {
  name: 'late',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /.*/ }, async ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const found = await resolve(path, { kind: 'import-statement', resolveDir });
      return { ...found, namespace: 'late' };
    });
    onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => {
      const hasDefault = /^export default |\bas default\b/m.test(readFileSync(path, 'utf8'));
      const from = JSON.stringify(path);
      const lines = [
        `import ${JSON.stringify(join(home, 'first.ts'))};`,
        `export * from ${from};`,
        ...(hasDefault ? [`export { default } from ${from};`] : []),
      ];
      return { contents: lines.join('\n'), resolveDir: dirname(path), watchFiles: [path] };
    });
  },
};
const nothingLate = {
  name: 'nothing late',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};
/** Parts of screens that load late, by what shows them. */
const parts = {
  'screens/campaigns/page.tsx': 'campaigns/*',
  'screens/journeys/editor.tsx': 'journeys/*',
  'screens/people/person/person.tsx': 'people/*',
};
await buildAll();
if (isWatching) {
  let timer;
  for (const folder of [home, join(home, '../looks'), join(home, '../files')])
    watch(folder, { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => buildAll().catch(() => undefined), 50);
    });
}

async function buildAll() {
  const { files, metafile, named } = await bundled(
    { main: 'main.tsx', style: 'style/style.css' },
    base,
    [late],
  );
  const inbox = await bundled(
    {
      ...{ main: 'inbox/main.tsx', style: 'inbox/style.css' },
      ...{ try: 'inbox/try/main.tsx', trystyle: 'inbox/try/style.css' },
    },
    inboxBase,
    [],
  );
  const main = named('main-');
  const first = withImports(metafile, main);
  const [shared] = [...first].filter((name) => name !== main);
  const page = readFileSync(join(home, 'index.html'), 'utf8')
    .replace('{{main}}', base + main)
    .replace('{{first}}', base + shared)
    .replace('{{style}}', base + named('style-'))
    .replace('{{font}}', base + named('inter-latin-wght-normal-'));
  const early = await alone('early.ts');
  files.push(early);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(target, 'a'), { recursive: true });
  const sizes = {};
  // The best compression takes ten times as long: only for what every visit loads.
  for (const { name, contents } of files) {
    const path = join(target, 'a', name);
    writeFileSync(path, contents);
    if (isWatching || name.endsWith('.woff2')) continue; // a font is packed already
    const brotli = brotliCompressSync(contents, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: first.has(name) || name.startsWith('style-') ? 11 : 9,
      },
    });
    writeFileSync(`${path}.br`, brotli);
    writeFileSync(`${path}.gz`, gzipSync(contents, { level: 9 }));
    sizes[name] = { plain: contents.length, brotli: brotli.length, ...loadsOf(metafile, name) };
  }
  // The Open Font License asks that it comes with the font.
  copyFileSync(join(home, `../node_modules/${font}/LICENSE`), join(target, 'inter-license.txt'));
  writeFileSync(join(target, 'sizes.json'), JSON.stringify(sizes, null, 1));
  const paints = await firstPaints();
  writeFileSync(
    join(target, 'first.json'),
    JSON.stringify({ early: early.name, ...paints, files: filesOfScreens(metafile, first) }),
  );
  writeInbox(inbox);
  // Last: the server takes the folder for built when the page is there.
  writeFileSync(join(target, 'index.html'), page);
}

/** Entries and all that they import, named by their content. */
async function bundled(entryPoints, publicPath, plugins) {
  const beside = new Map();
  const { outputFiles, metafile } = await build({
    absWorkingDir: home,
    entryPoints,
    bundle: true,
    format: 'esm',
    splitting: true,
    minify: !isWatching,
    write: false,
    metafile: true,
    outdir: 'a',
    publicPath,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    target: ['es2023', 'chrome120', 'firefox128', 'safari17.5'],
    jsx: 'automatic',
    loader: { '.woff2': 'file' },
    define: { 'process.env.NODE_ENV': isWatching ? '"development"' : '"production"' },
    plugins: [urlOf(beside), ...plugins],
    logLevel: 'warning',
    legalComments: 'none',
  });
  const files = outputFiles.map(({ path, contents }) => ({
    name: path.slice(path.lastIndexOf('/') + 1),
    contents,
  }));
  for (const [name, contents] of beside) files.push({ name, contents });
  const named = (begin) => files.find(({ name }) => name.startsWith(begin))?.name;
  return { files, metafile, named };
}

/** Without packed copies, because it never leaves the machine, and without the fonts again. */
function writeInbox({ files, named }) {
  const folder = join(target, 'inbox');
  mkdirSync(folder);
  for (const { name, contents } of files)
    if (!name.endsWith('.woff2')) writeFileSync(join(folder, name), contents);
  for (const [name, main, style] of [
    ['index.html', 'main-', 'style-'],
    ['try.html', 'try-', 'trystyle-'],
  ]) {
    const page = readFileSync(join(home, 'inbox', name), 'utf8')
      .replace('{{main}}', inboxBase + named(main))
      .replace('{{style}}', inboxBase + named(style));
    writeFileSync(join(folder, name), page);
  }
}

/** A script that shares nothing with the others. */
async function alone(path) {
  const { outputFiles } = await build({
    absWorkingDir: home,
    entryPoints: [path],
    bundle: true,
    format: 'iife',
    minify: !isWatching,
    write: false,
    outdir: 'a',
    entryNames: '[name]-[hash]',
  });
  const [{ path: outPath, contents }] = outputFiles;
  return { name: outPath.slice(outPath.lastIndexOf('/') + 1), contents };
}

/** The frame before any script runs, by screen (`frame/first-paint.tsx`). */
async function firstPaints() {
  const path = join(target, '../first-paint.mjs');
  await build({
    absWorkingDir: home,
    entryPoints: ['frame/first-paint.tsx'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    jsx: 'automatic',
    outfile: path,
    plugins: [nothingLate],
    logLevel: 'warning',
  });
  const file = await import(`${pathToFileURL(path)}?${Date.now()}`);
  rmSync(path);
  return { frames: file.firstPaints(), band: file.firstBand() };
}

/**
 * Which files show an address, beside those that all have: of a screen, `campaigns`, and of one
 * thing that it lists, `campaigns/*`.
 */
function filesOfScreens(metafile, first) {
  const found = {};
  for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
    const [, screen] = /screens\/([^/]+)\/screen\.tsx$/.exec(entryPoint ?? '') ?? [];
    const key = screen ?? parts[entryPoint?.slice(`late:${home}/`.length)];
    if (key === undefined) continue;
    const all = withImports(metafile, path.slice(path.lastIndexOf('/') + 1));
    found[key] = [...all].filter((name) => !first.has(name));
  }
  for (const key of Object.values(parts)) {
    const screen = found[key.slice(0, key.indexOf('/'))];
    found[key] = [...new Set([...screen, ...found[key]])];
  }
  return found;
}

/** What a chunk loads at once, and where it comes from. */
function loadsOf({ outputs }, name) {
  const one = outputs[`a/${name}`];
  if (one === undefined) return { imports: [] };
  const imports = one.imports.filter(({ kind }) => kind === 'import-statement');
  return {
    ...(one.entryPoint === undefined ? {} : { entry: one.entryPoint.replace(`late:${home}/`, '') }),
    imports: imports.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)),
  };
}

/** A script and all that it loads at once. */
function withImports(metafile, name, seen = new Set()) {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const next of loadsOf(metafile, name).imports) withImports(metafile, next, seen);
  return seen;
}
