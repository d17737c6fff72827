// Validates tags and merges patches of them.

import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import type { TagValue } from '../../../storage/tables/subscriber.ts';
import { limits } from '../../limits.ts';
import { nameLimitReached } from '../name-limit.ts';

const refusedKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** Unpaired surrogates, which UTF-8 cannot express. */
const unpairedSurrogates = /\p{Surrogate}/gu;
const invalidUnicode = 'expected valid Unicode';
const noControl = 'must not contain control characters';

/** Whether a text has a control character below the blank other than tab, LF and CR. */
function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 && code !== 9 && code !== 10 && code !== 13) return true;
  }
  return false;
}

/** Why a tag key is invalid, as a sentence; `undefined` for a valid one. */
export function tagKeyProblem(key: string): string | undefined {
  if (key.length === 0 || charactersOf(key) > limits.tagKeyCharsMax)
    return `a tag key must have 1 to ${limits.tagKeyCharsMax} characters`;
  if (key.startsWith('$')) return 'keys that start with $ are reserved';
  if (refusedKeys.has(key)) return 'this key is not allowed';
  if (/\p{Cc}/u.test(key)) return noControl;
  return key.search(unpairedSurrogates) >= 0 ? invalidUnicode : undefined;
}

/** The first mistake in a patch of tags, with the tag's name. */
export function checkTags(
  tags: Readonly<Record<string, unknown>>,
  field = 'tags',
): Fault | undefined {
  for (const [key, value] of Object.entries(tags)) {
    const at = `${field}.${key.slice(0, limits.tagKeyCharsMax).replace(unpairedSurrogates, '\ufffd')}`;
    const problem = tagKeyProblem(key);
    if (problem !== undefined) return fieldFault(at, problem);
    if (value === null) continue;
    if (Array.isArray(value)) {
      if (!value.every((item) => typeof item === 'string')) {
        return fieldFault(at, 'a list must contain only strings');
      }
    } else if (typeof value !== 'string' && typeof value !== 'boolean' && !Number.isFinite(value)) {
      return fieldFault(at, 'expected a string, number, boolean or list of strings');
    }
    for (const text of Array.isArray(value) ? value : [value]) {
      if (typeof text !== 'string') continue;
      if (hasControl(text)) return fieldFault(at, noControl);
      if (text.search(unpairedSurrogates) >= 0) return fieldFault(at, invalidUnicode);
    }
    if (bytesOf(value) > limits.tagValueBytesMax) {
      return fieldFault(at, `a tag value has at most ${limits.tagValueBytesMax} bytes`);
    }
  }
  return undefined;
}

/** Refuses new names beyond the limit: each is a column of memory, and anyone may send tags. */
export function tooManyNames(
  tags: Readonly<Record<string, unknown>>,
  known: Pick<ReadonlyMap<string, unknown>, 'has' | 'size'>,
  keyless: boolean,
): Fault | undefined {
  const most = keyless ? limits.namesKeylessMax : limits.namesMax;
  if (known.size + Object.keys(tags).length <= most) return undefined;
  const added = Object.keys(tags).filter((key) => tags[key] !== null && !known.has(key));
  if (added.length === 0 || known.size + added.length <= most) return undefined;
  return fieldFault(`tags.${added[0]}`, nameLimitReached('tags', keyless));
}

function charactersOf(text: string): number {
  return text.length <= limits.tagKeyCharsMax ? text.length : [...text].length;
}

/** Of the texts in a value. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (!Array.isArray(value)) return 0;
  return value.reduce((sum: number, text: string) => sum + Buffer.byteLength(text), 0);
}

/** The tags after a patch: values replace, `null` removes. Returns the same object if unchanged. */
export function mergeTags(
  now: Readonly<Record<string, TagValue>>,
  patch: Readonly<Record<string, TagValue | null>> | undefined,
): Readonly<Record<string, TagValue>> {
  if (patch === undefined || Object.keys(patch).length === 0) return now;
  const merged: Record<string, TagValue> = { ...now };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = value;
  }
  return merged;
}
