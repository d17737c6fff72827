// Whole trees of plain files: what is in them, and making them durable. A new file is durable only
// once it and every directory that names it have been synced. All of it runs in libuv's pool, so a
// big tree does not hold a thread.

import { open, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Every file below a directory, as paths relative to it, in order; without LMDB's lock files. */
export async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== 'lock.mdb')
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort();
}

/**
 * Makes a directory with all below it durable: files first, then the directories that name them.
 */
export async function syncTree(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else if (entry.isFile()) await syncFile(path);
  }
  await syncFile(directory);
}

/** Makes one file, or the names in one directory, durable. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
