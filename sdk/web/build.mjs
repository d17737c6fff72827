// Builds the web SDK into dist/web-sdk: scripts that pages load from `/sdk/v1/`, each with a Brotli
// and a gzip copy beside it.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';

const home = dirname(fileURLToPath(import.meta.url));
const target = join(home, '../../dist/web-sdk');

const shared = {
  absWorkingDir: home,
  bundle: true,
  minify: true,
  write: false,
  outdir: 'built',
  target: ['es2022', 'chrome105', 'firefox115', 'safari16.4'],
  logLevel: 'warning',
  legalComments: 'none',
};
/** A module that loads late keeps its name, so that pages may copy the files. */
const besideIt = {
  name: 'beside it',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'dynamic-import'
        ? {
            path: `./${path.slice(path.lastIndexOf('/') + 1).replace('.ts', '.js')}`,
            external: true,
          }
        : undefined,
    );
  },
};

/** Styles are text within a script, which minifying leaves as it is. */
const shortStyles = {
  name: 'short styles',
  setup({ onLoad }) {
    onLoad({ filter: /look\.ts$/ }, async ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const [, css] = /export const \w+ = `([^`]*)`/.exec(source);
      const { code } = await transform(css, { loader: 'css', minify: true });
      return { contents: source.replace(css, () => code.trim()), loader: 'ts' };
    });
  },
};

const modules = await build({
  ...shared,
  entryPoints: {
    engage: 'src/engage.ts',
    rare: 'src/rare.ts',
    feed: 'src/feed.ts',
    profile: 'src/profile.ts',
    push: 'src/push.ts',
    'in-app': 'src/in-app/in-app.ts',
    inbox: 'src/inbox/element.ts',
    'inbox-calls': 'src/inbox/inbox-calls.ts',
  },
  format: 'esm',
  plugins: [besideIt, shortStyles],
});
const scripts = await build({
  ...shared,
  entryPoints: { 'engage.iife': 'src/engage-script.ts', sw: 'src/sw.ts' },
  format: 'iife',
});

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const sizes = {};
for (const { path, contents } of [...modules.outputFiles, ...scripts.outputFiles]) {
  const file = join(target, path.slice(path.lastIndexOf('/') + 1));
  writeFileSync(file, contents);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${file}.br`, brotliCompressSync(contents, { params }));
  const gzip = gzipSync(contents, { level: 9 });
  writeFileSync(`${file}.gz`, gzip);
  sizes[path.slice(path.lastIndexOf('/') + 1)] = { plain: contents.length, gzip: gzip.length };
}
// Last: the server takes the folder for built when this file is there.
writeFileSync(join(target, 'built.json'), JSON.stringify(sizes));
