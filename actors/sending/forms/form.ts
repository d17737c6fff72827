// A sign-up form: what it asks, which topics it is about, and the sentence that people agree to.

import type { Millis } from '../../../engine/base/brand.ts';
import { etagOf } from '../../etag.ts';

export const formFieldTypes = ['text', 'checkbox'] as const;

export interface FormField {
  /** The tag that the answer becomes. */
  readonly tag: string;
  readonly label: string;
  readonly type: (typeof formFieldTypes)[number];
  readonly required: boolean;
}

export interface FormRecord {
  /** In the address of its page. */
  readonly id: string;
  /** Names it in calls; never changes. */
  readonly key: string;
  readonly name: string;
  readonly fields: readonly FormField[];
  readonly topics: readonly string[];
  /** What people agree to; kept with each confirmation. */
  readonly consent: string;
  /** Where a browser goes after the form; absent for our own page. */
  readonly redirectUrl?: string;
  /** Its page takes no sign-ups any more. */
  readonly archivedMs?: Millis;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

/** What people edit. */
export function authoredForm({
  name,
  fields,
  topics,
  consent,
  redirectUrl,
  archivedMs,
}: FormRecord): object {
  return { name, fields, topics, consent, redirectUrl, archivedMs };
}

export function formEtag(record: FormRecord): string {
  return etagOf({ key: record.key, ...authoredForm(record) });
}
