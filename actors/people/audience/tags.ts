// Validates tags and merges patches of them.

import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { inNfc } from '../../../engine/base/nfc.ts';
import type { TagValue } from '../../../storage/tables/subscriber.ts';
import { inexactProblem, isInexact, limits } from '../../limits.ts';
import {
  addressNamesReached,
  loginTags,
  type NameQuota,
  nameLimitReached,
  unvouchedTagsReached,
} from '../name-limit.ts';
import { isChoiceTag } from '../topics/choice-tag.ts';

const refusedKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** Unpaired surrogates, which UTF-8 cannot express. */
const unpairedSurrogates = /\p{Surrogate}/gu;
const invalidUnicode = 'expected valid Unicode';
const noControl = 'must not contain control characters';

/** A control character below the blank other than tab, LF and CR, or half a surrogate pair. */
function textProblem(text: string): string | undefined {
  let mayBeBroken = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 && code !== 9 && code !== 10 && code !== 13) return noControl;
    mayBeBroken ||= code >= 0xd800 && code <= 0xdfff;
  }
  return mayBeBroken && text.search(unpairedSurrogates) >= 0 ? invalidUnicode : undefined;
}

/** Keys that were valid: each row of an import has the same ones. */
const validKeys = new Set<string>();
const validKeysMax = 1_000;

/** Why a tag key is invalid, as a sentence; `undefined` for a valid one. */
export function tagKeyProblem(key: string): string | undefined {
  if (validKeys.has(key)) return undefined;
  const problem = keyProblem(key);
  if (problem === undefined) {
    if (validKeys.size >= validKeysMax) validKeys.clear();
    validKeys.add(key);
  }
  return problem;
}

function keyProblem(key: string): string | undefined {
  if (key.length === 0 || charactersOf(key) > limits.tagKeyCharsMax)
    return `a tag key must have 1 to ${limits.tagKeyCharsMax} characters`;
  if (key.startsWith('$')) return 'keys that start with $ are reserved';
  if (refusedKeys.has(key)) return 'this key is not allowed';
  if (/\p{Cc}/u.test(key)) return noControl;
  return key.search(unpairedSurrogates) >= 0 ? invalidUnicode : undefined;
}

export const tagTwice = 'this tag appears twice, in two normal forms of Unicode';

/** Names and values in NFC, so that a filter finds them; the same object if they are. */
export function tagsInNfc(
  tags: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  // Every row of an import comes here: 0.3 µs for five tags, 1 µs by `Object.entries`.
  let isNormal = true;
  for (const key in tags) isNormal &&= inNfc(key) === key && tagValueInNfc(tags[key]) === tags[key];
  if (isNormal) return tags;
  return Object.fromEntries(
    Object.entries(tags).map(([key, value]) => [inNfc(key), tagValueInNfc(value)]),
  );
}

/** The same value if it is in NFC, or no text. */
export function tagValueInNfc(value: unknown): unknown {
  if (typeof value === 'string') return inNfc(value);
  if (!Array.isArray(value)) return value;
  for (const item of value)
    if (typeof item === 'string' && inNfc(item) !== item)
      return value.map((one: unknown) => (typeof one === 'string' ? inNfc(one) : one));
  return value;
}

/** The first mistake in a patch of tags, with the tag's name. */
export function checkTags(
  tags: Readonly<Record<string, unknown>>,
  field = 'tags',
): Fault | undefined {
  for (const key in tags) {
    const problem = tagKeyProblem(key) ?? tagValueProblem(tags[key]);
    if (problem === undefined) continue;
    const name = key.slice(0, limits.tagKeyCharsMax).replace(unpairedSurrogates, '\ufffd');
    return fieldFault(`${field}.${name}`, problem);
  }
  return undefined;
}

function tagValueProblem(value: unknown): string | undefined {
  if (typeof value === 'string') return textProblem(value) ?? sizeProblem(value);
  if (value === null || typeof value === 'boolean') return undefined;
  if (Array.isArray(value)) {
    if (!value.every((item) => typeof item === 'string')) return 'a list must contain only strings';
    for (const text of value) {
      const problem = textProblem(text);
      if (problem !== undefined) return problem;
    }
    return sizeProblem(value);
  }
  if (!Number.isFinite(value)) return 'expected a string, number, boolean or list of strings';
  return isInexact(value) ? inexactProblem : undefined;
}

function sizeProblem(value: string | readonly string[]): string | undefined {
  if (bytesOf(value) <= limits.tagValueBytesMax) return undefined;
  return `a tag value has at most ${limits.tagValueBytesMax} bytes`;
}

/** Refuses new names beyond the limit: each is a column of memory, and anyone may send tags. */
export function tooManyNames(
  tags: Readonly<Record<string, unknown>>,
  known: KnownTags,
  sender: KeylessNames | undefined,
): Fault | undefined {
  if (sender === undefined && known.tags.size + Object.keys(tags).length <= limits.namesMax)
    return undefined;
  // Topics have a limit of their own, and nobody is refused who leaves one.
  const added = newTags(tags, known.tags).filter((key) => !isChoiceTag(key));
  if (added.length === 0) return undefined;
  const at = `tags.${added[0]}`;
  if (known.tags.size + added.length > limits.namesMax)
    return fieldFault(at, nameLimitReached('tags'));
  if (sender === undefined) return undefined;
  const strangers = added.filter((key) => !loginTags.has(key)).length;
  if (strangers > 0 && known.unvouchedTags.size + strangers > limits.namesKeylessMax)
    return fieldFault(at, unvouchedTagsReached);
  const { mayName, retryAfterSeconds } = sender.names ?? anyName;
  if (strangers <= mayName) return undefined;
  return { ...fieldFault(at, addressNamesReached, 'rate_limited'), retryAfterSeconds };
}

/** Names of a patch that the app has no column for. */
export function newTags(
  tags: Readonly<Record<string, unknown>>,
  known: Pick<ReadonlyMap<string, unknown>, 'has'>,
): readonly string[] {
  return Object.keys(tags).filter((key) => tags[key] !== null && !known.has(key));
}

interface KnownTags {
  readonly tags: Pick<ReadonlyMap<string, unknown>, 'has' | 'size'>;
  readonly unvouchedTags: Pick<ReadonlySet<string>, 'size'>;
}

/** A call without an API key; without `names` its address has no limit. */
export interface KeylessNames {
  readonly names?: NameQuota;
}

const anyName: NameQuota = { mayName: Number.POSITIVE_INFINITY, retryAfterSeconds: 0 };

function charactersOf(text: string): number {
  return text.length <= limits.tagKeyCharsMax ? text.length : [...text].length;
}

/** Of the texts in a value. */
function bytesOf(value: string | readonly string[]): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return value.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
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
