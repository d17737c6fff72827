// What a browser loads: the built files' sizes, Brotli, as the server sends them.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { root } from '../support/places.ts';

interface Size {
  readonly plain: number;
  readonly brotli: number;
  readonly entry?: string;
  readonly imports: readonly string[];
}

const kB = 1_000;
const firstScriptsMax = 117 * kB;
const firstStyleMax = 15 * kB;
const lazyMax = 30 * kB;
/** Of a page in English; other letters load their own. */
const firstFontMax = 50 * kB;

/** What popups share: where they stand, and where the focus goes. */
const popupPartMax = 37 * kB;

/** As it is sent, without packing, on one machine: React, popups, and what the page is. */
const inboxMax = 650 * kB;

/** Lazy chunks that may be larger, by what they hold. */
const largerMax: Readonly<Record<string, number>> = {
  'code-mirror': 125 * kB,
  // Menus, dialogs, tips and news: after the first paint.
  popups: 32 * kB,
  // MJML, loaded by who changes a mail of blocks.
  'compile-worker': 300 * kB,
  // React Flow: pan, zoom, the small map.
  canvas: 62 * kB,
};

const sizes = JSON.parse(
  readFileSync(join(root, 'dist/dashboard-files/sizes.json'), 'utf8'),
) as Readonly<Record<string, Size>>;

/** A file and what it imports at once. */
function withImports(name: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const next of sizes[name]?.imports ?? []) withImports(next, seen);
  return seen;
}

function named(entry: string): string {
  return Object.keys(sizes).find((name) => sizes[name]?.entry === entry) ?? '';
}

const first = withImports(named('main.tsx'));
const popups = withImports(named('ui/popups.tsx'));

t.test('the first load, with everything to use the lists', async (t) => {
  const loaded = new Set([...first, ...withImports(named('screens/people/screen.tsx'))]);
  const scripts = [...loaded].reduce((sum, name) => sum + (sizes[name]?.brotli ?? 0), 0);
  const style = sizes[named('style/style.css')]?.brotli ?? Number.POSITIVE_INFINITY;
  t.comment(`scripts ${scripts} bytes, style ${style} bytes`);
  t.ok(scripts > 0 && scripts <= firstScriptsMax, `scripts: ${scripts} of ${firstScriptsMax}`);
  t.ok(style <= firstStyleMax, `style: ${style} of ${firstStyleMax}`);
});

t.test('the font of a page in English is small', async (t) => {
  const folder = join(root, 'dist/dashboard-files/a');
  const fonts = readdirSync(folder).filter((name) => name.startsWith('inter-latin-wght-'));
  t.equal(fonts.length, 1);
  for (const name of fonts) t.ok(statSync(join(folder, name)).size <= firstFontMax, name);
});

t.test('the first load is three files, not one for each part', async (t) => {
  t.ok(first.size <= 3, `${[...first].join(', ')}`);
});

t.test('each lazy part is small', async (t) => {
  for (const [name, { brotli }] of Object.entries(sizes)) {
    if (first.has(name) || name.startsWith('style-')) continue;
    const part = name.slice(0, name.lastIndexOf('-'));
    const max = largerMax[part] ?? (popups.has(name) ? popupPartMax : lazyMax);
    t.ok(brotli <= max, `${name}: ${brotli} of ${max}`);
  }
});

t.test('the inbox has no fonts of its own and loads little', async (t) => {
  const folder = join(root, 'dist/dashboard-files/inbox');
  const names = readdirSync(folder);
  t.strictSame(
    names.filter((name) => !/\.(html|js|css)$/.test(name)),
    [],
  );
  const sum = names.reduce((all, name) => all + statSync(join(folder, name)).size, 0);
  t.ok(sum <= inboxMax, `${sum} of ${inboxMax}`);
});
