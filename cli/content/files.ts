// Reads a folder of content and writes it: one JSON file for each thing, in a folder for each kind.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Kind, kinds, settingsKind } from './kinds.ts';
import { type Content, type Handle, hashOf } from './thing.ts';

/** What is wrong with a file. */
export interface FileProblem {
  readonly file: string;
  /** Absent if the file as a whole is wrong. */
  readonly field?: string;
  readonly error: string;
}

/** The files of a folder. */
export interface ContentFiles {
  readonly contents: ReadonlyMap<Handle, Content>;
  /** The kinds whose folder is there. */
  readonly folders: ReadonlySet<string>;
  readonly problems: readonly FileProblem[];
}

export const settingsHandle: Handle = 'settings';

/** `segments/vips.json`. */
export function fileOf(handle: Handle): string {
  return `${handle}.json`;
}

/** The kind of a file by its place. */
export function contentKindOf(handle: Handle): Kind {
  if (handle === settingsHandle) return settingsKind;
  const folder = handle.slice(0, handle.indexOf('/'));
  const kind = kinds.find((one) => one.folder === folder);
  if (kind === undefined) throw new Error(`${handle} is in no folder of content`);
  return kind;
}

/** Reads all of it; a file that is no JSON object is a problem and not among the contents. */
export function readContent(place: string): ContentFiles {
  const contents = new Map<Handle, Content>();
  const folders = new Set<string>();
  const problems: FileProblem[] = [];
  const add = (handle: Handle) => {
    const file = fileOf(handle);
    try {
      // Editors of Windows begin a file with a mark that is no JSON.
      const text = readFileSync(join(place, file), 'utf8').replace(/^\uFEFF/, '');
      const value: unknown = JSON.parse(text);
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        problems.push({ file, error: 'expected a JSON object' });
      else {
        const { $schema: _schema, ...content } = value as Content;
        contents.set(handle, content);
      }
    } catch (error) {
      problems.push({ file, error: `invalid JSON: ${(error as Error).message}` });
    }
  };
  for (const { folder } of kinds) {
    if (!existsSync(join(place, folder))) continue;
    folders.add(folder);
    for (const name of readdirSync(join(place, folder)).sort())
      if (name.endsWith('.json')) add(`${folder}/${name.slice(0, -'.json'.length)}`);
  }
  if (existsSync(join(place, fileOf(settingsHandle)))) add(settingsHandle);
  return { contents, folders, problems };
}

/** Writes it unless the file says the same already, in whatever form; returns whether it did. */
export function writeContent(
  place: string,
  handle: Handle,
  content: Content,
  before: Content | undefined,
): boolean {
  if (before !== undefined && hashOf(before) === hashOf(content)) return false;
  const path = join(place, fileOf(handle));
  const up = handle === settingsHandle ? './' : '../';
  const $schema = `${up}${schemaPath(contentKindOf(handle))}`;
  const text = `${JSON.stringify({ $schema, ...content }, undefined, 2)}\n`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return true;
}

export function removeContent(place: string, handle: Handle): void {
  rmSync(join(place, fileOf(handle)), { force: true });
}

/** From the folder of the content. */
export function schemaPath({ noun }: Kind): string {
  return `.engage/schemas/${noun}.schema.json`;
}
