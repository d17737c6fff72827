// A sign-up form as its editor holds it.

import type { Form } from '../../api/generated.ts';

export type FieldDraft = Form['fields'][number];

export interface FormDraft extends Pick<Form, 'key' | 'name' | 'consent' | 'fields' | 'topics'> {
  readonly redirectUrl: string;
  readonly isOpen: boolean;
}

export function emptyDraft(consent: string): FormDraft {
  return { key: '', name: '', consent, fields: [], topics: [], redirectUrl: '', isOpen: true };
}

export function draftOf(form: Form): FormDraft {
  const { key, name, consent, fields, topics, redirectUrl, archivedAt } = form;
  const isOpen = archivedAt === null;
  return { key, name, consent, fields, topics, redirectUrl: redirectUrl ?? '', isOpen };
}

export function bodyOf({ isOpen, redirectUrl, fields, ...rest }: FormDraft) {
  return {
    ...rest,
    key: rest.key.trim(),
    fields: fields.map((one) => ({ ...one, tag: one.tag.trim() })),
    redirectUrl: redirectUrl.trim() || null,
    archived: !isOpen,
  };
}

/** What an earlier page of this browser kept; `undefined` if this one cannot show it. */
export function restored(kept: Partial<FormDraft>): FormDraft | undefined {
  return Array.isArray(kept.fields) && Array.isArray(kept.topics) ? (kept as FormDraft) : undefined;
}
