// Reads a provider's JSON: a value of the wrong kind counts as absent. Pure. Nothing here throws,
// because a provider repeats a failing callback for days.

import type { Millis } from '../../../engine/base/brand.ts';
import { isObject } from '../../is-object.ts';

export type Json = Readonly<Record<string, unknown>>;

/** The object's fields; `undefined` for bytes that are not a JSON object. */
export function jsonIn(bytes: Uint8Array): Json | undefined {
  return objectIn(Buffer.from(bytes).toString('utf8'));
}

/** The object's fields; empty for anything else. */
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

export function jsonOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The objects of a list; empty for other values. */
export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Epoch milliseconds from a number or text of at most 14 digits. */
export function millisOf(value: unknown): Millis | undefined {
  const text = typeof value === 'number' ? String(value) : textOf(value);
  return /^\d{1,14}$/.test(text) ? Number(text) : undefined;
}

/** The same from seconds, of at most 11 digits. */
export function secondsOf(value: unknown): Millis | undefined {
  const text = typeof value === 'number' ? String(value) : textOf(value);
  return /^\d{1,11}$/.test(text) ? Number(text) * 1000 : undefined;
}
