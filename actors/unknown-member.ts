// What a caller is told of a member that nothing reads: it is ignored, and the known member that it
// resembles may have been meant.

import type { Fault } from '../engine/base/fault.ts';
import { fault } from './faults.ts';
import { nearName, plainName } from './near-name.ts';

export interface UnknownMember {
  readonly field: string;
  readonly warning: string;
  readonly meant?: string;
}

/** Names of other products, and the member that does their work here. */
export type OtherNames = Readonly<Record<string, string>>;

/** At most so many are named in an answer. */
export const unknownMembersMax = 50;
/** Longer names are cut. */
export const unknownNameCharsMax = 64;

/** The known member that was meant by `name`, if any; spelling and separators do not matter. */
export function meantBy(
  name: string,
  known: readonly string[],
  others: OtherNames = {},
): string | undefined {
  const plain = plainName(name.slice(0, unknownNameCharsMax));
  for (const [other, meant] of Object.entries(others)) if (plainName(other) === plain) return meant;
  return nearName(name, known);
}

export function unknownMember(field: string, meant: string | undefined): UnknownMember {
  if (meant === undefined) return { field, warning: 'unknown; ignored' };
  return { field, warning: `unknown; did you mean ${meant}?`, meant };
}

/** The refusal of strict mode; there is at least one. */
export function unknownFieldFault(unknown: readonly UnknownMember[]): Fault {
  const issues = unknown.map(({ field, warning: error }) => ({ field, error }));
  const { field, error } = issues[0] as (typeof issues)[number];
  const rest = issues.length > 1 ? { field, issues } : { field };
  return fault('unknown_field', `${field}: ${error}`, rest);
}
