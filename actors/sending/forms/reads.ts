// What other areas read of sign-up forms.

import type { FormRecord } from './form.ts';

export interface FormsReads {
  readonly forms: ReadonlyMap<string, FormRecord>;
}

/** A form whose page takes sign-ups. */
export function openForm({ forms }: FormsReads, id: string): FormRecord | undefined {
  for (const form of forms.values())
    if (form.id === id) return form.archivedMs === undefined ? form : undefined;
  return undefined;
}
