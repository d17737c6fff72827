// The rules of dashboard/README.md that a machine can hold.

import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import t from 'tap';
import { root } from '../support/places.ts';
import { filesBelow } from '../support/source-graph.ts';

const read = (path: string) => ({ path, text: readFileSync(join(root, path), 'utf8') });
const files = filesBelow('dashboard').map(read);
const scripts = files.filter(({ path }) => /\.tsx?$/.test(path) && !path.endsWith('generated.ts'));
const styles = files.filter(({ path }) => path.endsWith('.css'));
const looks = filesBelow('looks')
  .filter((path) => path.endsWith('.css'))
  .map(read);

/** Longer than its idea would be in parts; each with its reason. */
const longAllowed: Readonly<Record<string, string>> = {
  'dashboard/ui/table.tsx': 'one table, its rows and its keys',
};

/** Where geometry that was measured becomes a style. */
const measured = new Set(['dashboard/ui/table.tsx', 'dashboard/canvas/small-map.tsx']);

t.test('imports stay below dashboard/, looks/ and files/, and outside other screens', async (t) => {
  const wrong = scripts.flatMap(({ path, text }) =>
    importsOf(text).flatMap((specifier) => {
      if (!specifier.startsWith('.')) return [];
      const target = posix.join(posix.dirname(path), specifier);
      const own = screenOf(path);
      const other = screenOf(target);
      const isInside = /^(?:dashboard|looks|files)\//.test(target);
      const crosses = other !== undefined && own !== other && path !== 'dashboard/screens/load.ts';
      return isInside && !crosses ? [] : [`${path}: ${specifier}`];
    }),
  );
  t.strictSame(wrong, []);
});

t.test('visible text comes from the words', async (t) => {
  const wrong = scripts
    .filter(({ path }) => path.endsWith('.tsx'))
    .flatMap(({ path, text }) => literalTexts(text).map((found) => `${path}: ${found}`));
  t.strictSame(wrong, []);
});

t.test('the search for visible text finds it', async (t) => {
  t.strictSame(literalTexts('<p>Nothing yet</p>'), ['Nothing yet']);
  t.strictSame(literalTexts('<Field label="Your name">'), ['label="Your name']);
  t.strictSame(literalTexts('<p>{words.none}</p> <Key>{keys}</Key>'), []);
});

/** A class in two of them would be drawn by both: their sheets are on every page. */
t.test('no two screens have a class of one name', async (t) => {
  const shared = new Set(
    styles.filter(({ path }) => screenOf(path) === undefined).flatMap(classes),
  );
  const owner = new Map<string, string>();
  const wrong = styles.flatMap((sheet) => {
    const screen = screenOf(sheet.path);
    if (screen === undefined) return [];
    return classes(sheet).flatMap((name) => {
      if (shared.has(name)) return [];
      const other = owner.get(name) ?? screen;
      owner.set(name, other);
      return other === screen ? [] : [`${name}: ${other} and ${screen}`];
    });
  });
  t.strictSame(wrong, []);
});

/** A phone in a preview is drawn by the looks alone, also on a provider's own page. */
t.test('the dashboard styles no class of the looks, and uses none', async (t) => {
  const ofLooks = new Set(
    looks.flatMap(({ text }) =>
      [...text.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name ?? ''),
    ),
  );
  const wrong = [
    ...styles.flatMap((sheet) =>
      classes(sheet).flatMap((name) =>
        ofLooks.has(name.slice(1)) ? [`${sheet.path}: ${name}`] : [],
      ),
    ),
    ...scripts.flatMap(({ path, text }) =>
      [...text.matchAll(/(?:className=|classNames\()[{(]?['"]([\w -]+)['"]/g)].flatMap(
        ([, names = '']) =>
          names.split(' ').flatMap((name) => (ofLooks.has(name) ? [`${path}: ${name}`] : [])),
      ),
    ),
  ];
  t.ok(ofLooks.has('look-button'));
  t.strictSame(wrong, []);
});

/** Those that a rule begins with. */
function classes({ text }: { readonly text: string }): readonly string[] {
  return [...new Set([...text.matchAll(/^\.[\w-]+/gm)].map(([name]) => name))];
}

t.test('no markup from strings, and no style beside measured geometry', async (t) => {
  const wrong = scripts.flatMap(({ path, text }) => [
    ...(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/i.test(text)
      ? [`${path}: markup or code from a string`]
      : []),
    ...(/\bstyle=\{/.test(text) && !measured.has(path) ? [`${path}: style`] : []),
  ]);
  t.strictSame(wrong, []);
});

t.test('colors are tokens, and no text is below 13 pixels', async (t) => {
  const wrong = styles.flatMap(({ path, text }) => {
    const code = text.replace(/\/\*[\s\S]*?\*\//g, '');
    const color = /#[0-9a-f]{3,8}\b(?!-)|\b(?:rgb|hsl|oklch|lab|lch)a?\(/i.exec(code);
    const small = /\b(?:font-size:\s*|font:\s*(?:\d{3}\s+)?)(\d+(?:\.\d+)?)px/g;
    const tooSmall = [...code.matchAll(small)].filter(([, size]) => Number(size) < 13);
    return [
      ...(color !== null && !path.endsWith('tokens.css') ? [`${path}: ${color[0]}`] : []),
      ...tooSmall.map(([found]) => `${path}: ${found}`),
    ];
  });
  t.strictSame(wrong, []);
});

/** One that is not defined is no colour at all, and no error either. */
t.test('each variable of a style sheet is defined', async (t) => {
  const defined = new Set(
    files.flatMap(({ text }) =>
      [...text.matchAll(/(--[a-z0-9-]+)['"]?:/g)].map(([, name]) => name),
    ),
  );
  const wrong = styles.flatMap(({ path, text }) =>
    [...text.matchAll(/var\((--[a-z0-9-]+)\)/g)]
      .filter(([, name]) => !defined.has(name))
      .map(([found]) => `${path}: ${found}`),
  );
  t.strictSame(wrong, []);
});

/** Without a place in what scrolls, a word for screen readers makes the whole page longer. */
t.test('what scrolls is the place of what stands in it', async (t) => {
  const wrong = styles.flatMap(({ path, text }) =>
    [...text.matchAll(/([^{}]*)\{([^{}]*)\}/g)]
      .filter(([, , body = '']) => /overflow(-[xy])?:\s*(auto|scroll)/.test(body))
      .filter(([, , body = '']) => !/position:/.test(body))
      .map(([, selector = '']) => `${path}: ${selector.trim()}`),
  );
  t.strictSame(wrong, []);
});

t.test('every style sheet is loaded', async (t) => {
  const loaded = new Set(
    files.flatMap(({ path, text }) =>
      [...text.matchAll(/(?:@import "|'url:)([^"']+\.css)/g)].map(([, to]) =>
        posix.join(posix.dirname(path), to as string),
      ),
    ),
  );
  const roots = ['style', 'inbox', 'inbox/try'].map((place) => `dashboard/${place}/style.css`);
  const idle = styles.filter(({ path }) => !loaded.has(path) && !roots.includes(path));
  t.strictSame(
    idle.map(({ path }) => path),
    [],
  );
});

t.test('a file has one idea: at most 250 lines', async (t) => {
  const long = scripts.filter(
    ({ path, text }) => text.split('\n').length > 250 && longAllowed[path] === undefined,
  );
  t.strictSame(
    long.map(({ path, text }) => `${path}: ${text.split('\n').length}`),
    [],
  );
});

t.test('a file says in its first lines what it is', async (t) => {
  const silent = scripts.filter(({ text }) => !text.startsWith('// '));
  t.strictSame(
    silent.map(({ path }) => path),
    [],
  );
});

function importsOf(text: string): readonly string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier]) =>
    (specifier as string).replace(/^url:/, ''),
  );
}

/** `people` for what belongs to that screen. */
function screenOf(path: string): string | undefined {
  return /^dashboard\/screens\/([^/]+)\//.exec(path)?.[1];
}

const spoken =
  /\b(?:label|title|placeholder|hint|aria-label|alt|text|action|head)="[^"]*[A-Za-z]{2}/;

/** Words between tags, and in attributes that are read or heard. */
function literalTexts(text: string): readonly string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const between = [...code.matchAll(/>\s*([A-Za-z][^<>{}=;()]*?)\s*<\//g)].map(
    ([, found]) => found,
  );
  const attribute = spoken.exec(code)?.[0];
  return [...between, attribute].filter((found): found is string => found !== undefined);
}
