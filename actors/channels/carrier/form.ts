// A request to the carrier.

import type { Failure } from '../port/outcome.ts';

/** In order; a name may repeat. */
export type CarrierForm = readonly (readonly [name: string, value: string])[];

export function asFields(
  made: { readonly form: CarrierForm } | Failure,
): { readonly body: string } | Failure {
  return 'outcome' in made ? made : { body: JSON.stringify(Object.fromEntries(made.form)) };
}
