// The content of an app, read over the API and put into the form of files.

import { type EngageError, NotFoundError } from '../../sdk/node/src/engage.ts';
import type { ContentEnvironment } from './environments.ts';
import { contentKindOf, settingsHandle } from './files.ts';
import { type Kind, kinds, settingsKind } from './kinds.ts';
import { ContentNames, labelOf, withRefs } from './names.ts';
import type { PulledThings } from './pulled.ts';
import type { ContentSchemas } from './schemas.ts';
import { byHandle, type Content, freeSlug, type Handle, slugOf, withoutNulls } from './thing.ts';

/** One thing of the server. */
export interface RemoteThing {
  readonly kind: Kind;
  readonly handle: Handle;
  readonly id: string;
  /** What the API names it by. */
  readonly address: string;
  readonly etag: string;
  readonly content: Content;
}

/** The methods that every kind has. */
interface KindMethods {
  list(query: object): AsyncIterable<Content>;
  create(body: object): PromiseLike<Content>;
  update(address: string, body: object, options: object): PromiseLike<Content>;
  delete(address: string, options: object): PromiseLike<unknown>;
}

export function methodsOfKind({ engage }: ContentEnvironment, { group }: Kind): KindMethods {
  return (engage as unknown as Readonly<Record<string, KindMethods>>)[group] as KindMethods;
}

/**
 * Everything of the app by its handle: the one that was pulled, or that of a file with the same
 * name, or a new one.
 */
export async function readRemote(
  environment: ContentEnvironment,
  schemas: ContentSchemas,
  pulled: PulledThings,
  files: ReadonlyMap<Handle, Content>,
): Promise<ReadonlyMap<Handle, RemoteThing>> {
  const found = new Map<Handle, RemoteThing>();
  const names = new ContentNames();
  const handles = new Map<string, Handle>();
  const refOf = (folder: string, id: string) => {
    const handle = handles.get(`${folder} ${id}`);
    return handle === undefined ? undefined : names.refOf(folder, handle);
  };
  for (const kind of kinds) {
    if (!schemas.knows(kind)) continue;
    const things: Content[] = [];
    for await (const thing of methodsOfKind(environment, kind).list(kind.query))
      if (thing['archivedAt'] == null) things.push(thing);
    const { properties = {} } = schemas.of(kind);
    const contents = things.map((thing) => contentOf(properties, thing, refOf));
    const chosen = chooseHandles(kind, things, contents, pulled, files);
    for (const [at, thing] of things.entries()) {
      const handle = chosen[at] ?? '';
      const content = contents[at] ?? {};
      names.add(kind, handle, content);
      const id = textOf(thing, 'id') ?? textOf(thing, kind.address) ?? '';
      handles.set(`${kind.folder} ${id}`, handle);
      const address = textOf(thing, kind.address) ?? id;
      found.set(handle, { kind, handle, id, address, etag: textOf(thing, 'etag') ?? '', content });
    }
  }
  found.set(settingsHandle, await readSettings(environment, schemas));
  return found;
}

async function readSettings(
  { engage, appId }: ContentEnvironment,
  schemas: ContentSchemas,
): Promise<RemoteThing> {
  const [settings, app] = await Promise.all([engage.apps.readSettings(), engage.apps.read()]);
  const { properties = {} } = schemas.of(settingsKind);
  const content = contentOf(properties, settings, () => undefined);
  const { platformAddress: _address, ...email } = (content['email'] ?? {}) as Content;
  return {
    kind: contentKindOf(settingsHandle),
    handle: settingsHandle,
    id: appId,
    address: appId,
    etag: settings.etag,
    content: { timezone: app.timezone, ...content, email },
  };
}

/** Whether a campaign of this id is there, which is no longer a draft. */
export async function isSent(
  { engage }: ContentEnvironment,
  kind: Kind,
  id: string,
): Promise<boolean> {
  if (kind.folder !== 'campaigns') return false;
  try {
    return (await engage.campaigns.read(id)).state !== 'draft';
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error as EngageError;
  }
}

/** What files can say of a thing: the rest of an answer belongs to the server. */
function contentOf(
  fields: object,
  thing: Content,
  refOf: (folder: string, id: string) => string | undefined,
): Content {
  const named = Object.entries(withRefs(thing, refOf));
  return withoutNulls(Object.fromEntries(named.filter(([name]) => name in fields)));
}

function textOf(thing: Content, name: string): string | undefined {
  const value = thing[name];
  return typeof value === 'string' ? value : undefined;
}

/** In the order of creation, so that equal names get the same files wherever they are pulled. */
function chooseHandles(
  kind: Kind,
  things: readonly Content[],
  contents: readonly Content[],
  pulled: PulledThings,
  files: ReadonlyMap<Handle, Content>,
): readonly Handle[] {
  const known = things.map((thing) =>
    pulled.handleOf(kind.folder, textOf(thing, 'id') ?? textOf(thing, kind.address) ?? ''),
  );
  const taken = new Set<Handle | undefined>(known);
  const waiting = [...files.keys()].filter((handle) => handle.startsWith(`${kind.folder}/`));
  waiting.sort(byHandle);
  return contents.map((content, at) => {
    const recorded = known[at];
    if (recorded !== undefined) return recorded;
    const label = labelOf(kind, content);
    const same = waiting.find(
      (handle) => !taken.has(handle) && labelOf(kind, files.get(handle) ?? {}) === label,
    );
    const slug = slugOf((label ?? '').replace(/^file:/, ''), kind.noun);
    const isTaken = (one: string) =>
      taken.has(`${kind.folder}/${one}`) || files.has(`${kind.folder}/${one}`);
    const handle = same ?? `${kind.folder}/${freeSlug(slug, isTaken)}`;
    taken.add(handle);
    return handle;
  });
}
