// One piece of content as its file has it, and when two of them are the same.

import { createHash } from 'node:crypto';

/** The fields of a file, without `$schema`. */
export type Content = Readonly<Record<string, unknown>>;

/** `segments/vips`: the path of a file in its folder, without its ending. */
export type Handle = string;

/** Fields that are `null` or absent at the top mean the same: the default. */
export function withoutNulls(content: Content): Content {
  return Object.fromEntries(
    Object.entries(content).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** The same for the same content, whatever the order of its fields is. */
export function hashOf(content: Content): string {
  const text = JSON.stringify(sorted(withoutNulls(content)));
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** The fields in which two contents differ. */
export function differences(one: Content, other: Content): readonly string[] {
  const [left, right] = [withoutNulls(one), withoutNulls(other)];
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  const text = (value: unknown) => JSON.stringify(sorted(value));
  return [...names].filter((name) => text(left[name]) !== text(right[name]));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, sorted(one)]));
}

/** A name of a file from what people call a thing. Letters of every script stay. */
export function slugOf(name: string, noun: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  const short = [...plain.replace(/^-+|-+$/g, '')].slice(0, 60).join('').replace(/-+$/, '');
  if (short === '') return noun;
  // Windows opens devices by these names, whatever their ending is.
  return /^(con|prn|aux|nul|com\d|lpt\d)$/.test(short) ? `${short}-${noun}` : short;
}

/** A slug that is not taken yet: `vips`, `vips-2`. */
export function freeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  if (!isTaken(slug)) return slug;
  for (let nth = 2; ; nth++) if (!isTaken(`${slug}-${nth}`)) return `${slug}-${nth}`;
}

/** Sorts handles of things with the same name: `vips`, `vips-2`, `vips-10`. */
export function byHandle(one: Handle, other: Handle): number {
  const order = one.localeCompare(other, 'en', { numeric: true });
  return order === 0 ? (one < other ? -1 : 1) : order;
}
