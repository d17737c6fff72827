// Whether two snapshots of one part of memory say the same, and if not, where they first differ.

import { isDeepStrictEqual } from 'node:util';
import { encodePart } from '../../../storage/checkpoint.ts';

/** The path of the first difference, such as `.outbox.jobs.0`, maybe ''; `undefined`: none. */
export function firstDifference(one: unknown, other: unknown): string | undefined {
  if (Buffer.compare(encodePart(one), encodePart(other)) === 0) return undefined;
  // The order of members, or the class of bytes (which cloning evens out), does not matter.
  return differingMember(structuredClone(one), structuredClone(other));
}

/**
 * In a list, `null` agrees with anything: an older version wrote the checkpoint and did not note
 * what another start tells, such as the people of a day.
 */
function differingMember(one: unknown, other: unknown): string | undefined {
  if (isDeepStrictEqual(one, other)) return undefined;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return '';
  const ones = Object.entries(one);
  const others = new Map<string, unknown>(Object.entries(other));
  const areLists = Array.isArray(one) && Array.isArray(other);
  for (const [key, value] of ones) {
    const their = others.get(key);
    const isUnknown = areLists && others.has(key) && (value === null || their === null);
    const where = isUnknown ? undefined : differingMember(value, their);
    if (where !== undefined) return `.${key}${where}`;
  }
  // They agree member by member, but one may have more of them, or be of another class.
  const areAlike = Object.getPrototypeOf(one) === Object.getPrototypeOf(other);
  return areAlike && ones.length === others.size && !hasHiddenMembers(one) ? undefined : '';
}

function hasHiddenMembers(value: object): boolean {
  return value instanceof Map || value instanceof Set;
}
