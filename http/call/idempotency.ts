// Turns a call's idempotency key and body into two hashes, kept for 24 hours. The fingerprint
// covers the body as sent, not as parsed, so that an upgrade between a call and its retry changes
// nothing. Source: contract, section 7.

import { z } from 'zod';
import { limits } from '../../actors/limits.ts';
import type { IdempotencyClaim } from '../../actors/sending/transactional/idempotency-claim.ts';
import {
  fingerprintWords,
  keyWords,
} from '../../actors/sending/transactional/idempotency-claim.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import { FaultError, fieldFault } from '../../engine/base/fault.ts';

const keyMember = 'idempotencyKey';

export const idempotencyKeySchema = z
  .string()
  .nullish()
  .describe(
    `Same as the Idempotency-Key header: 1 to ${limits.idempotencyKeyBytesMax} bytes, valid for 24 hours.`,
  );

/**
 * The call's claim; `null` without a key. An unsent `header` is `undefined`; an empty one is a
 * fault, because its sender expects a key. Two different keys are a fault on `idempotencyKey`.
 */
export function claimOf(
  app: Ordinal,
  area: string,
  header: string | undefined,
  sent: Readonly<Record<string, unknown>>,
): IdempotencyClaim | null {
  const key = chooseKey(header, sent[keyMember]);
  if (key === undefined) return null;
  return {
    key: keyWords(app, area, key),
    fingerprint: fingerprintWords(canonicalJson(sent, keyMember)),
  };
}

/** Equal values give equal text: fields in one order at every level. `except` omits a top one. */
export function canonicalJson(value: unknown, except?: string): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let text = '';
  for (const name of sorted(Object.keys(value))) {
    if (name === except) continue;
    text += text === '' ? `{${quoted(name)}` : `,${quoted(name)}`;
    text += canonicalJson((value as Readonly<Record<string, unknown>>)[name]);
  }
  return text === '' ? '{}' : `${text}}`;
}

const quotedMax = 1_000;
const quotedNames = new Map<string, string>();

/** A name as JSON text with its colon. Cached: a batch repeats few names a thousand times. */
function quoted(name: string): string {
  const known = quotedNames.get(name);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(name)}:`;
  if (name.length <= 64 && quotedNames.size < quotedMax) quotedNames.set(name, text);
  return text;
}

/** Sorts in place by code units: few names, mostly in order, and no garbage. */
function sorted(names: string[]): readonly string[] {
  if (names.length > 32) return names.sort();
  for (let i = 1; i < names.length; i++) {
    const name = names[i] as string;
    let at = i;
    for (; at > 0 && (names[at - 1] as string) > name; at--) names[at] = names[at - 1] as string;
    names[at] = name;
  }
  return names;
}

/** From header or body. Throws a fault for an invalid key and for two that differ. */
export function chooseKey(header: string | undefined, member: unknown): string | undefined {
  const key = header === undefined ? undefined : checkedKey(header);
  if (typeof member !== 'string') return key;
  if (key !== undefined && key !== member) {
    throw new FaultError(fieldFault(keyMember, 'differs from the Idempotency-Key header'));
  }
  return checkedKey(member);
}

/** Throws a fault for an invalid key. */
export function checkedKey(key: string): string {
  const bytes = Buffer.byteLength(key);
  if (bytes < 1 || bytes > limits.idempotencyKeyBytesMax) {
    throw new FaultError(
      fieldFault(keyMember, `expected 1 to ${limits.idempotencyKeyBytesMax} bytes`),
    );
  }
  if (/\p{Cc}/u.test(key)) {
    throw new FaultError(fieldFault(keyMember, 'must not contain control characters'));
  }
  return key;
}
