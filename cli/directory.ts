// Makes directories named by a person, level by level. Node's recursive mkdir retries forever where
// every new name is ENOENT (/proc), so a mistyped setting would hang the start.

import { accessSync, constants, mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncPath } from '../storage/durable-file.ts';

/**
 * Ensures that a directory (absolute path) exists and is writable. New ones get mode 0700 and
 * durable names. Returns the problem as text after "<path>: ", or `undefined`.
 */
export function directoryProblem(path: string): string | undefined {
  const missing: string[] = [];
  let existing = path;
  try {
    let entry = entryAt(existing);
    while (entry === undefined) {
      missing.unshift(existing);
      existing = dirname(existing);
      entry = entryAt(existing);
    }
    if (!entry.isDirectory())
      return `expected a directory, but ${existing === path ? 'it' : existing} is a file`;
    for (const made of missing) {
      makeOne(made);
      syncPath(dirname(made));
    }
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return problemOf(error, existing);
  }
}

/** `undefined` also below a file, where Node 20 throws in spite of `throwIfNoEntry`. */
function entryAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Throws a one-sentence error, for command-line paths. */
export function makeDirectory(path: string): void {
  const problem = directoryProblem(path);
  if (problem !== undefined) throw new Error(`${path}: ${problem}.`);
}

/** A file error as text after a path, with its code. */
export function fileWords(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known: Readonly<Record<string, string>> = {
    ENOENT: 'the file does not exist',
    ENOTDIR: 'part of the path is not a directory',
    EISDIR: 'it is a directory',
    EACCES: 'this user may not read it',
    EPERM: 'this user may not read it',
    ELOOP: 'its symbolic links form a loop',
    ENAMETOOLONG: 'the name is too long',
  };
  return known[code] ?? (error instanceof Error ? error.message : String(error));
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // another process created it first
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function problemOf(error: unknown, existing: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EACCES' || code === 'EPERM')
    return 'expected a directory that this user can read and write';
  if (code === 'EROFS') return 'expected a writable directory, but the file system is read-only';
  if (code === 'ENOENT')
    return `expected a directory, but ${existing} cannot hold a new one (${code})`;
  return `expected a directory, but it cannot be created (${code || String(error)})`;
}
