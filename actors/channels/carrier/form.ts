// A request to the carrier.

import type { Failure } from '../outcome.ts';

/** The parameters in order; a name may appear more than once. */
export type CarrierForm = readonly (readonly [name: string, value: string])[];

/** A form as JSON. */
export function asFields(
  made: { readonly form: CarrierForm } | Failure,
): { readonly body: string } | Failure {
  return 'outcome' in made ? made : { body: JSON.stringify(Object.fromEntries(made.form)) };
}
