// Removes from dist what no source makes any more, because packages would contain it. Does not
// empty dist: the compiler writes only what has changed, and a server may run from it meanwhile.

import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Of the compiler and of cli/copy-assets.mjs: each file lies where its source does. */
const mirrored = [
  ...['engine', 'storage', 'actors', 'http', 'files', 'sandbox', 'cli', 'sdk'],
  // Tests use parts of both.
  ...['test', 'bench', 'dashboard'],
];
/** What makes these removes its own old files, or they are nobody's to package. */
const others = [
  ...['bundle', 'node-client', 'web-sdk', 'dashboard-files'],
  ...['pictures', 'pictures-changed'],
];
/** Of test/groups.mjs. */
const withoutSource = join('test', 'together');

/** `root` has the sources and `dist`. Returns what was removed, relative to `dist`. */
export function removeLeftovers(root) {
  const dist = join(root, 'dist');
  const removed = [];
  if (!existsSync(dist)) return removed;
  for (const entry of readdirSync(dist, { withFileTypes: true })) {
    if (mirrored.includes(entry.name)) sweep(entry.name);
    else if (entry.isDirectory() && !others.includes(entry.name)) remove(entry.name);
  }
  return removed;

  function sweep(folder) {
    if (folder === withoutSource) return;
    for (const entry of readdirSync(join(dist, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) sweep(path);
      else if (!hasSource(root, path)) remove(path);
    }
    if (readdirSync(join(dist, folder)).length === 0) rmdirSync(join(dist, folder));
  }

  function remove(path) {
    rmSync(join(dist, path), { recursive: true });
    removed.push(path);
  }
}

function hasSource(root, path) {
  const compiled = path.replace(/\.js(\.map)?$/, '.ts');
  return existsSync(join(root, compiled)) || existsSync(join(root, path));
}
