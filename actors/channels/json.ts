// Reading JSON that a provider wrote: whatever is not of the kind that is looked for is as if it
// were not there. Pure, and nothing here throws: a callback that is refused comes again for days.

import type { Millis } from '../../engine/base/brand.ts';
import { isObject } from '../is-object.ts';

export type Json = Readonly<Record<string, unknown>>;

/** The members of an object; `undefined` for bytes that are no JSON object. */
export function jsonIn(bytes: Uint8Array): Json | undefined {
  return objectIn(Buffer.from(bytes).toString('utf8'));
}

/**
 * A JSON object out of an answer's body; an empty one for anything else, so that reading a member
 * is always safe.
 */
export function parseObject(body: string): Json {
  return objectIn(body) ?? {}; // an HTML error page, or a body that was cut
}

function objectIn(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The value as an object, or an empty one. */
export function jsonOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The objects of a list; none where it is no list. */
export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
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
