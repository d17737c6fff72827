// Sign-up forms: hosted pages that ask for an address, tags and topics.

import type { Area, Editable } from '../../area.ts';
import type { Notes } from '../../audit-note.ts';
import { difference } from '../../difference.ts';
import { formsApplies } from './apply.ts';
import { formsDecisions } from './decide.ts';
import { authoredForm, formEtag } from './form.ts';
import { type FormsMemory, type FormsView, formsOfApp } from './memory.ts';
import type { FormsEntry } from './protocol.ts';

/** What the audit log notes of forms: what people agree to. */
const formsNotes: Notes<FormsEntry, FormsMemory> = {
  'form.saved': ({ apps }, { owner, form }) => {
    const { key: target } = form;
    const before = apps.get(owner)?.forms.get(target);
    if (before === undefined) return { action: 'form.created', target, after: authoredForm(form) };
    const changed = difference(authoredForm(before), authoredForm(form));
    return changed && { action: 'form.changed', target, ...changed };
  },
  'form.deleted': ({ apps }, { owner, key: target }) => {
    const before = apps.get(owner)?.forms.get(target);
    const was = before === undefined ? {} : { before: authoredForm(before) };
    return { action: 'form.deleted', target, ...was };
  },
};

export const formsArea = {
  name: 'forms',
  app: formsOfApp,
  decide: () => formsDecisions,
  apply: formsApplies,
  silent: ['form.saved', 'form.deleted'],
  notes: formsNotes,
  edits: { 'form.update': formOf },
  ends: { 'form.delete': formOf },
  stored: {
    sums: [['content', ({ forms }) => forms.bytes]],
    growth: {
      'form.saved': ({ forms }, { form }: Extract<FormsEntry, { kind: 'form.saved' }>) =>
        forms.growth(form.key, form),
    },
  },
  whenDiskIsFull: ['form.read', 'form.list', 'form.page', 'form.delete'],
} as const satisfies Area<never, FormsMemory, FormsView, object>;

function formOf(
  { apps }: FormsMemory,
  { form }: { readonly form: string },
  { owner }: { readonly owner: number },
): Editable | undefined {
  const record = apps.get(owner)?.forms.get(form);
  return record && { key: `form ${form}`, etag: formEtag(record), changedMs: record.updatedMs };
}
