// Removes what no running server reads from installed packages: types, source maps, sources of
// native parts. Licenses stay.

import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

const unread = /\.(map|[cm]?ts|md|markdown|flow)$/i;
const keep = /^(licen[cs]e|notice|copying)/i;
/** Sources of what comes prebuilt, and bundles for browsers. */
const folders = ['lmdb/dependencies', 'lmdb/src', 'libphonenumber-js/bundle'];

/** Returns how many bytes on disk it freed. */
export function stripPackages(nodeModules) {
  const before = bytesBelow(nodeModules);
  for (const folder of folders) {
    const path = join(nodeModules, folder);
    if (existsSync(path)) rmSync(path, { recursive: true });
  }
  strip(nodeModules);
  return before - bytesBelow(nodeModules);
}

/** Whether no server reads this file, by its path in `node_modules`. */
export function isUnread(path) {
  if (folders.some((folder) => path.includes(`node_modules/${folder}/`))) return true;
  return unread.test(path) && !keep.test(basename(path));
}

/** On disk, as `du` counts them. */
export function bytesBelow(path) {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.blocks * 512;
  const names = readdirSync(path);
  return names.reduce((sum, name) => sum + bytesBelow(join(path, name)), stat.blocks * 512);
}

function strip(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) strip(path);
    else if (unread.test(entry.name) && !keep.test(entry.name)) rmSync(path);
  }
}
