// Where something stands in what a gateway answers or reports: a path into JSON, a field of a form
// or query, or the text between two marks. Pure, and linear in the text: no patterns of tenants.

import { isObject } from '../../../is-object.ts';

/** `messages.0.status`, or what stands between two texts (`{after: "<id>", before: "</id>"}`). */
export type Place = string | { readonly after: string; readonly before?: string | undefined };

/** A read document. `raw` is its whole text. */
export interface ReadDocument {
  readonly raw: string;
  /** JSON, or the fields of a form; `undefined`: neither. */
  readonly value: unknown;
}

const valueCharsMax = 2_000;

export function readDocument(raw: string, format: 'json' | 'form' | 'text'): ReadDocument {
  switch (format) {
    case 'json':
      return { raw, value: jsonValue(raw) };
    case 'form':
      return { raw, value: fieldsOf(raw) };
    case 'text':
      return { raw, value: undefined };
  }
}

/** The fields of a form or query; of a repeated name the first. */
export function fieldsOf(text: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text))
    if (!(name in fields)) fields[name] = value;
  return fields;
}

/** The first place with something, as text; `undefined` if none has. */
export function textAt(
  document: ReadDocument,
  places: Place | readonly Place[] | undefined,
): string | undefined {
  for (const place of listed(places)) {
    const found =
      typeof place === 'string' ? scalarAt(document.value, place) : between(document, place);
    if (found !== undefined) return found.slice(0, valueCharsMax);
  }
  return undefined;
}

/** The list at a path, each item as a document; without a path the whole. At most `max`. */
export function itemsAt(
  document: ReadDocument,
  path: string | undefined,
  max: number,
): readonly ReadDocument[] {
  if (path === undefined) {
    const { value } = document;
    return Array.isArray(value) ? value.slice(0, max).map(asDocument) : [document];
  }
  const found = valueAt(document.value, path);
  if (Array.isArray(found)) return found.slice(0, max).map(asDocument);
  return isObject(found) ? [asDocument(found)] : [];
}

/** Whether a text is one of these; `*` in them stands for any characters. Case counts. */
export function isLike(text: string, wanted: readonly string[]): boolean {
  return wanted.some((pattern) => matches(text, pattern));
}

/** Each part between stars is looked for behind the one before it, so no pattern can take long. */
function matches(text: string, pattern: string): boolean {
  const parts = pattern.split('*');
  const [first = '', ...others] = parts;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

function listed(places: Place | readonly Place[] | undefined): readonly Place[] {
  if (places === undefined) return [];
  return Array.isArray(places) ? places : [places as Place];
}

function between(
  { raw }: ReadDocument,
  { after, before }: Exclude<Place, string>,
): string | undefined {
  const start = raw.indexOf(after);
  if (start < 0) return undefined;
  const from = start + after.length;
  const end = before === undefined ? raw.length : raw.indexOf(before, from);
  const found = end < 0 ? '' : raw.slice(from, end).trim();
  return found === '' ? undefined : found;
}

function scalarAt(value: unknown, path: string): string | undefined {
  const found = valueAt(value, path);
  if (typeof found === 'string') return found === '' ? undefined : found;
  return typeof found === 'number' || typeof found === 'boolean' ? String(found) : undefined;
}

function valueAt(value: unknown, path: string): unknown {
  let at = value;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return at;
}

function jsonValue(text: string): unknown {
  try {
    return JSON.parse(withTextNumbers(text));
  } catch {
    return undefined;
  }
}

/** Integers that no double holds become texts: ids of messages are often 64 bits. */
function withTextNumbers(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|(?<![\d.])-?\d{16,40}(?![\d.eE])/g, (found) =>
    found.startsWith('"') ? found : `"${found}"`,
  );
}

function asDocument(value: unknown): ReadDocument {
  return { raw: '', value };
}
