// Misspelled fields of a call that would have changed what a campaign or journey sends. They are
// kept with it. A field without which it reaches more people stops it from sending until its author
// corrects or confirms it. The other fields are only reported.

import type { Fault } from '../../engine/base/fault.ts';
import { fault } from '../faults.ts';

export interface Doubt {
  readonly field: string;
  readonly warning: string;
  /** The field that was probably meant. */
  readonly meant: string;
  /** Without the field it reaches fewer people or counts less: told, and no reason not to send. */
  readonly isAdvice?: true;
}

/** Of one call: its doubts, and the known fields that it gave. */
export interface DoubtsOfCall {
  readonly found: readonly Doubt[];
  readonly given: readonly string[];
}

/** The record with the doubts that the call leaves: giving the field that was meant ends one. */
export function withDoubts<R extends { readonly doubts?: readonly Doubt[] }>(
  record: R,
  call: DoubtsOfCall | undefined,
): R {
  if (call === undefined) return record;
  const { doubts = [], ...rest } = record;
  const isOpen = ({ field, meant }: Doubt) =>
    !call.given.includes(meant) && !call.given.includes(topOf(field));
  const all = [...doubts.filter(isOpen), ...call.found];
  return (all.length === 0 ? rest : { ...rest, doubts: all }) as R;
}

/** The refusal to send with open doubts. */
export function doubtsFault(
  record: { readonly doubts?: readonly Doubt[] },
  isConfirmed: boolean | undefined,
): Fault | undefined {
  const doubts = (record.doubts ?? []).filter(({ isAdvice }) => isAdvice !== true);
  const [first] = doubts;
  if (first === undefined || isConfirmed === true) return undefined;
  const issues = doubts.map(({ field, warning: error }) => ({ field, error }));
  const { field, warning } = first;
  return fault(
    'did_you_mean',
    `${field}: ${warning} Correct it, or repeat this with confirmWarnings: true`,
    issues.length > 1 ? { field, issues } : { field },
  );
}

function topOf(field: string): string {
  return /^[^.[]*/.exec(field)?.[0] ?? field;
}
