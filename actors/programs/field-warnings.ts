// Misspelled fields of a call that would have changed what a campaign or journey sends. They are
// kept with it. A field without which it reaches more people stops it from sending until its author
// corrects or confirms it. The other fields are only reported.

import type { Fault } from '../../engine/base/fault.ts';
import { fault } from '../faults.ts';

export interface FieldWarning {
  readonly field: string;
  readonly warning: string;
  /** The field that was probably meant. */
  readonly meant: string;
  /** Without the field it reaches fewer people or counts less: told, and no reason not to send. */
  readonly isAdvice?: true;
}

/** What one call brings: warnings about its fields, and the known fields that it gave. */
export interface WarningsOfCall {
  readonly found: readonly FieldWarning[];
  readonly given: readonly string[];
}

/**
 * The record with the warnings that remain after the call: a call that gives the meant field ends
 * its warning. They are stored as `doubts`.
 */
export function withFieldWarnings<R extends { readonly doubts?: readonly FieldWarning[] }>(
  record: R,
  call: WarningsOfCall | undefined,
): R {
  if (call === undefined) return record;
  const { doubts = [], ...rest } = record;
  const isOpen = ({ field, meant }: FieldWarning) =>
    !call.given.includes(meant) && !call.given.includes(topOf(field));
  const all = [...doubts.filter(isOpen), ...call.found];
  return (all.length === 0 ? rest : { ...rest, doubts: all }) as R;
}

/** The refusal to send with open warnings. */
export function fieldWarningsFault(
  record: { readonly doubts?: readonly FieldWarning[] },
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
