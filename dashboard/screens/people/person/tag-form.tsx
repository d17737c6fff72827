// The forms of a tag: a value changed in place, a new tag.

import { type ReactNode, useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { useApp } from '../../../api/session-context.tsx';
import { suggestionsOf, topValue } from '../../../filter/tag-value.tsx';
import { Button } from '../../../ui/button.tsx';
import { Combobox } from '../../../ui/combobox.tsx';
import { Field } from '../../../ui/field.tsx';
import { count } from '../../../ui/figure.tsx';
import { TextInput } from '../../../ui/input.tsx';
import { tagText, tagValueOf } from '../tag-text.ts';
import { words } from './words.ts';

type Value = string | number | boolean | readonly string[];
type Patch = Readonly<Record<string, Value | null>>;

interface FormProps {
  readonly error: string | undefined;
  readonly isBusy: boolean;
  readonly onSave: (tags: Patch) => void;
  readonly onClose: () => void;
}

export function EditTag({
  name,
  value,
  ...rest
}: FormProps & { readonly name: string; readonly value: Value }) {
  const [text, setText] = useState(tagText(value));
  return (
    <TagForm {...rest} onSubmit={() => rest.onSave({ [name]: tagValueOf(text, value) })}>
      <Field
        label={words.editTag(name)}
        isLabelHidden
        error={rest.error}
        hint={typeof value === 'object' ? words.tagList : undefined}
      >
        <TextInput value={text} onChange={setText} autoFocus />
      </Field>
    </TagForm>
  );
}

export function AddTag(props: FormProps) {
  const app = useApp();
  const fields = useRead('listFields', { path: { appId: app.id } });
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const field = fields.data?.tags.find(({ key }) => key === name.trim());
  return (
    <TagForm
      {...props}
      onSubmit={() => {
        const isList = field?.types.length === 1 && field.types[0] === 'list';
        const value = topValue(field, text) ?? tagValueOf(text, isList ? [] : undefined);
        props.onSave({
          [name.trim()]: isList && typeof value !== 'object' ? [String(value)] : value,
        });
      }}
    >
      <Field label={words.tagName}>
        <Combobox
          value={name}
          onChange={setName}
          suggestions={(fields.data?.tags ?? []).map(({ key, people }) => ({
            value: key,
            hint: count(people),
          }))}
        />
      </Field>
      <Field label={words.tagValue} error={props.error}>
        <Combobox value={text} onChange={setText} suggestions={suggestionsOf(field)} />
      </Field>
    </TagForm>
  );
}

function TagForm({
  children,
  isBusy,
  onSubmit,
  onClose,
}: Pick<FormProps, 'isBusy' | 'onClose'> & {
  readonly children: ReactNode;
  readonly onSubmit: () => void;
}) {
  return (
    <form
      className="tag-form stack-tight"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      {children}
      <div className="row">
        <Button type="submit" size="small" isBusy={isBusy}>
          {words.save}
        </Button>
        <Button kind="quiet" size="small" onClick={onClose}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}
