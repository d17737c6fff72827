// Makes a folder have the content of an app, and the schemas of its files.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ContentEnvironment } from './environments.ts';
import { type ContentFiles, fileOf, removeContent, schemaPath, writeContent } from './files.ts';
import { kinds, settingsKind } from './kinds.ts';
import type { PulledThings } from './pulled.ts';
import { readRemote } from './remote.ts';
import type { ContentSchemas } from './schemas.ts';
import { type Handle, hashOf } from './thing.ts';

/** What a pull did. */
interface PullSummary {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
}

/**
 * Throws if a file was changed here since it was pulled and the server has another one, because the
 * change would be lost.
 */
export async function pull(
  place: string,
  environment: ContentEnvironment,
  schemas: ContentSchemas,
  pulled: PulledThings,
  files: ContentFiles,
  force: boolean,
): Promise<PullSummary> {
  const remote = await readRemote(environment, schemas, pulled, files.contents);
  const isChangedHere = (handle: Handle) => {
    const content = files.contents.get(handle);
    if (content === undefined) return files.problems.some(({ file }) => file === fileOf(handle));
    return hashOf(content) !== pulled.of(handle)?.hash;
  };
  const gone = pulled.handles().filter((handle) => !remote.has(handle));
  const lost = [
    ...[...remote.values()].filter(
      ({ handle, content }) =>
        isChangedHere(handle) && hashOf(files.contents.get(handle) ?? {}) !== hashOf(content),
    ),
    ...gone.map((handle) => ({ handle })).filter(({ handle }) => isChangedHere(handle)),
  ];
  if (lost.length > 0 && !force)
    throw new Error(
      [
        ...lost.map(
          ({ handle }) => `${fileOf(handle)}: was changed here, and the server has another`,
        ),
        'Push or undo these changes, or pull with --force to lose them. Nothing was written.',
      ].join('\n'),
    );
  writeSchemas(place, schemas);
  const written: string[] = [];
  for (const { handle, id, content } of remote.values()) {
    if (writeContent(place, handle, content, files.contents.get(handle)))
      written.push(fileOf(handle));
    pulled.set(handle, { id, hash: hashOf(content) });
  }
  const removed = gone.filter((handle) => files.contents.has(handle));
  for (const handle of removed) removeContent(place, handle);
  for (const handle of gone) pulled.delete(handle);
  pulled.save();
  const unchanged = remote.size - written.length;
  return { written, removed: removed.map(fileOf), unchanged };
}

function writeSchemas(place: string, schemas: ContentSchemas): void {
  for (const kind of [...kinds, settingsKind]) {
    if (!schemas.knows(kind)) continue;
    const path = join(place, schemaPath(kind));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(schemas.of(kind), undefined, 2)}\n`);
  }
}
