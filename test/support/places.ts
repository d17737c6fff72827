// Where things lie and how programs are run: tests run from their sources (`npx tap run test/…`)
// and compiled below dist/ (`npm test`). `import.meta.url` differs between the two, so only this
// file counts folders from it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import './plain-children.ts';

/** Where what runs lies: the root, or dist. */
const base = fileURLToPath(new URL('../..', import.meta.url));
const isCompiled = import.meta.url.endsWith('.js');

/** The repository's root, with a separator at its end. */
export const root = existsSync(join(base, 'package.json')) ? base : join(base, '..', '/');

/** Reads as a file of the repository, by its path from the root. */
export function fileAt(path: string): URL {
  return pathToFileURL(join(root, path));
}

/** The module that runs for this source file: itself, or what it was compiled to. */
export function moduleAt(source: string): URL {
  return pathToFileURL(join(base, isCompiled ? source.replace(/\.ts$/, '.js') : source));
}

/** What Node.js is given to run a program, by its source's path from the root. */
export function nodeArguments(source: string): string[] {
  const path = fileURLToPath(moduleAt(source));
  return isCompiled ? [path] : ['--import=tsx', path];
}
