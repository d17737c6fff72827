// Chooses the files that the single executable brings with it: of dist what a server loads, and
// the packages that are not in its bundles, as they are installed here.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isUnread } from './strip-packages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folders = ['engine', 'storage', 'actors', 'http', 'sandbox', 'cli'];
/** Of packages, which no server loads. */
const aside = /^(tests?|benchmarks?|examples?|docs?|\..*)$/;
const license = /^(licen[cs]e|notice|copying)/i;

/** Files by their path in the program, which is their path from the root. Sorted. */
export function programFiles() {
  const listed = join(root, 'dist/bundle/loaded.json');
  if (!existsSync(listed)) throw new Error('dist is not built: `npm run build` makes it.');
  const { modules, packages } = JSON.parse(readFileSync(listed, 'utf8'));
  const [major] = process.versions.node.split('.');
  const server = `@uwsjs/${process.platform}-${process.arch}-${major}`;
  const paths = [
    'package.json',
    ...modules,
    ...filesBelow('dist/dashboard-files'),
    ...filesBelow('dist/web-sdk'),
    ...filesBelow('docs').filter((path) => path.endsWith('.md')), // served as pages
    ...folders.flatMap((folder) => filesBelow(join('dist', folder)).filter(isPage)),
    ...packageFolders([...packages, server]).flatMap((folder) => packageFiles(folder)),
  ];
  return [...new Set(paths)].filter((path) => !path.endsWith('.map')).sort();
}

/** The licenses of all packages for a server in one text: most of them are inside its bundles. */
export function licensesText() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const installed = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true && existsSync(join(root, path)))
    .map(([path]) => path);
  return installed
    .flatMap((path) => {
      const names = readdirSync(join(root, path)).filter((name) => license.test(name));
      const texts = names.map((name) => readFileSync(join(root, path, name), 'utf8').trim());
      return [`== ${path.replace(/^.*node_modules\//, '')}`, ...texts];
    })
    .join('\n\n');
}

/** Pages, styles, and what begins a thread: all that the compiler did not write. */
function isPage(path) {
  if (!path.endsWith('.js')) return true;
  return !existsSync(join(root, relative('dist', path).replace(/\.js$/, '.ts')));
}

/** Packages and all that they depend on, each as Node would find it. */
function packageFolders(names) {
  const found = new Set();
  const waiting = names.map((name) => ({ name, from: '.' }));
  for (let wanted = waiting.pop(); wanted !== undefined; wanted = waiting.pop()) {
    const folder = installedAt(wanted);
    if (folder === undefined || found.has(folder)) continue;
    found.add(folder);
    const described = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const { dependencies, optionalDependencies } = described;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      waiting.push({ name, from: folder });
  }
  return [...found];
}

/** `undefined` for an optional package that this platform does not have. */
function installedAt({ name, from }) {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (existsSync(join(root, path, 'package.json'))) return path;
    if (folder === '.') return undefined;
  }
}

function packageFiles(folder) {
  const files = filesBelow(folder, (name) => name !== 'node_modules' && !aside.test(name));
  const native = files.filter((path) => path.endsWith('.node'));
  return files.filter((path) => !isUnread(path) && (!native.includes(path) || loads(path, native)));
}

/** Of the builds of one native part, the one that this Node loads: by its own ABI, else by N-API. */
function loads(path, builds) {
  const glibc = process.report.getReport().header.glibcVersionRuntime !== undefined;
  if (path.includes(glibc ? '.musl.' : '.glibc.')) return false;
  const abi = /\.abi(\d+)\./.exec(path)?.[1];
  if (abi !== undefined) return abi === process.versions.modules;
  const exact = path.replace('.napi.', `.abi${process.versions.modules}.`);
  return exact === path || !builds.includes(exact);
}

function filesBelow(folder, enters = () => true) {
  return readdirSync(join(root, folder))
    .filter(enters)
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(join(root, path)).isDirectory() ? filesBelow(path, enters) : [path];
    });
}
