// Reading JSON that a provider wrote: whatever is not of the kind that is looked for is as if it
// were not there. Pure. Easily got wrong: a body that is refused comes again for days, so nothing
// here throws.

import type { Millis } from '../../engine/base/brand.ts';

export type Json = Readonly<Record<string, unknown>>;

/** The most of an id that is remembered. */
export const idCharsMax = 128;

/** The members of an object; `undefined` for bytes that are no JSON object. */
export function jsonIn(bytes: Uint8Array): Json | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object, or an empty one. */
export function jsonOf(value: unknown): Json {
  return isJson(value) ? value : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The objects of a list; none where it is no list. */
export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

/** An instant in milliseconds, as number or text; a far one is none. */
export function millisOf(value: unknown): Millis | undefined {
  const text = typeof value === 'number' ? String(value) : textOf(value);
  return /^\d{1,14}$/.test(text) ? Number(text) : undefined;
}

/** An instant in seconds, as number or text; a far one is none. */
export function secondsOf(value: unknown): Millis | undefined {
  const text = typeof value === 'number' ? String(value) : textOf(value);
  return /^\d{1,11}$/.test(text) ? Number(text) * 1000 : undefined;
}
