// References between contents: files name what they refer to, the API wants ids. Where several
// things have the same name, a file names the other file: `file:vips-2`.

import { fileOf } from './files.ts';
import { contentReferences, type Kind, withoutReferences } from './kinds.ts';
import type { Content, Handle } from './thing.ts';

/** Who has which name, in one set of contents. */
export class ContentNames {
  readonly #labels = new Map<Handle, string>();
  readonly #handles = new Map<string, Handle[]>();

  add(kind: Kind, handle: Handle, content: Content): void {
    const label = labelOf(kind, content);
    if (label === undefined) return;
    this.#labels.set(handle, label);
    const key = `${kind.folder} ${label}`;
    this.#handles.set(key, [...(this.#handles.get(key) ?? []), handle]);
  }

  /** What a file writes to refer to this one. */
  refOf(folder: string, handle: Handle): string {
    const label = this.#labels.get(handle);
    const isPlain = label !== undefined && !label.startsWith('file:');
    if (isPlain && this.#handles.get(`${folder} ${label}`)?.length === 1) return label;
    return `file:${handle.slice(folder.length + 1)}`;
  }

  /** What a reference means; several if the name alone does not tell. */
  meaningOf(folder: string, ref: string): readonly Handle[] {
    if (ref.startsWith('file:')) return [`${folder}/${ref.slice('file:'.length)}`];
    return this.#handles.get(`${folder} ${ref}`) ?? [];
  }
}

/** What people call a thing. */
export function labelOf({ named }: Kind, content: Content): string | undefined {
  for (const field of named) {
    const value = content[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** Ids become names. `refOf` gives `undefined` for what is in no file: the id stays. */
export function withRefs(
  content: Content,
  refOf: (folder: string, id: string) => string | undefined,
): Content {
  return mapped(content, (name, value) => {
    const reference = contentReferences[name];
    if (reference === undefined || typeof value !== 'string') return undefined;
    return [reference.file, refOf(reference.folder, value) ?? `id:${value}`];
  });
}

/** Names become ids; the reverse of `withRefs`. */
export function withIds(content: Content, idOf: (folder: string, ref: string) => string): Content {
  return mapped(content, (name, value) => {
    const found = Object.entries(contentReferences).find(([, { file }]) => file === name);
    if (found === undefined) return undefined;
    const [id, { folder }] = found;
    if (value === null) return [id, null];
    if (typeof value !== 'string') return undefined;
    return [id, value.startsWith('id:') ? value.slice('id:'.length) : idOf(folder, value)];
  });
}

/** One reference of a file. */
interface Reference {
  readonly field: string;
  readonly folder: string;
  readonly ref: string;
}

/** Every reference with its field, to be checked. */
export function refsIn(value: unknown, field = ''): readonly Reference[] {
  if (Array.isArray(value)) return value.flatMap((one, at) => refsIn(one, `${field}[${at}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    if (withoutReferences.has(name)) return [];
    const path = field === '' ? name : `${field}.${name}`;
    const found = Object.values(contentReferences).find(({ file }) => file === name);
    if (found !== undefined && typeof one === 'string')
      return one.startsWith('id:') ? [] : [{ field: path, folder: found.folder, ref: one }];
    // The content of an inline message is nobody's reference.
    return found !== undefined ? [] : refsIn(one, path);
  });
}

/** What is wrong with a reference, or `undefined`. */
export function refProblem({ folder, ref }: Reference, meanings: readonly Handle[]) {
  if (meanings.length === 1) return undefined;
  if (meanings.length === 0) return `no file of ${folder}/ has the name ${JSON.stringify(ref)}`;
  const names = meanings.map((one) => `file:${one.slice(folder.length + 1)}`);
  return `${meanings.map(fileOf).join(' and ')} have this name: expected ${names.join(' or ')}`;
}

type Change = (name: string, value: unknown) => readonly [name: string, value: unknown] | undefined;

function mapped(content: Content, change: Change): Content {
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside);
    return typeof value === 'object' && value !== null ? mapped(value as Content, change) : value;
  };
  return Object.fromEntries(
    Object.entries(content).map(([name, value]): readonly [string, unknown] => {
      if (withoutReferences.has(name)) return [name, value];
      const isInline = name === 'message' && typeof value === 'object';
      return change(name, value) ?? [name, isInline ? value : inside(value)];
    }),
  );
}
