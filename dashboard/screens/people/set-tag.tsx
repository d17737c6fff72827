// Asks for a tag and its value.

import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { suggestionsOf, topValue } from '../../filter/tag-value.tsx';
import { typed } from '../../filter/value.ts';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { count } from '../../ui/figure.tsx';
import { words } from './words.ts';

type Patch = Readonly<Record<string, string | number | boolean | null>>;

export function SetTag({
  people,
  isBusy,
  error,
  onApply,
  onClose,
}: {
  readonly people: number;
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onApply: (tags: Patch) => void;
  readonly onClose: () => void;
}) {
  const app = useApp();
  const fields = useRead('listFields', { path: { appId: app.id } });
  const [key, setKey] = useState('');
  const [text, setText] = useState('');
  const field = fields.data?.tags.find((one) => one.key === key.trim());
  const value = text.trim() === '' ? null : (topValue(field, text) ?? typed(text.trim(), field));
  return (
    <Dialog
      title={words.setTagTitle(people)}
      isOpen
      onClose={onClose}
      foot={
        <Button
          kind="primary"
          isBusy={isBusy}
          isDisabled={key.trim() === ''}
          onClick={() => onApply({ [key.trim()]: value })}
        >
          {words.apply}
        </Button>
      }
    >
      <Field label={words.tagKey} error={error}>
        <Combobox
          value={key}
          onChange={setKey}
          suggestions={(fields.data?.tags ?? []).map((one) => ({
            value: one.key,
            hint: count(one.people),
          }))}
        />
      </Field>
      <Field label={words.tagValue} hint={words.tagValueHint}>
        <Combobox value={text} onChange={setText} suggestions={suggestionsOf(field)} />
      </Field>
    </Dialog>
  );
}
