// Sign-up forms: the table, and one form.

import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { Answer } from '../../ui/note.tsx';
import { isNewThing } from '../../ui/thing-key.ts';
import type { ScreenProps } from '../screen-props.ts';
import { FormPageEditor } from './editor.tsx';
import { FormList } from './list.tsx';

export default function Forms({ rest }: ScreenProps) {
  const [key] = rest;
  if (key === undefined) return <FormList />;
  if (isNewThing(rest)) return <FormPageEditor key=" new" saved={undefined} />;
  return <SavedFormPage key={key} formKey={key} />;
}

function SavedFormPage({ formKey }: { readonly formKey: string }) {
  const app = useApp();
  const read = useRead('readForm', { path: { appId: app.id, key: formKey } });
  return <Answer result={read}>{(form) => <FormPageEditor saved={form} />}</Answer>;
}
