// Trees of plain files: listing and syncing. A new file is durable once it and all directories that
// name it are synced. Runs in libuv's pool, off the thread.

import { open, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Relative paths in order, without LMDB's lock files. */
export async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== 'lock.mdb')
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort();
}

/** Files first, then the directories that name them. */
export async function syncTree(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else if (entry.isFile()) await syncFile(path);
  }
  await syncFile(directory);
}

/** A file, or a directory's names. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
