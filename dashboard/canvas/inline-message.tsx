// A step's own message: the fields that most need, and all of them as JSON.

import { useEffect, useRef, useState } from 'react';
import { Segmented } from '../ui/choices.tsx';
import { Field } from '../ui/field.tsx';
import { TextArea, TextInput } from '../ui/input.tsx';
import { words } from './words.ts';

const text = words.send;

type Content = Readonly<Record<string, unknown>>;

interface InlineProps {
  readonly value: Content;
  readonly onChange: (value: Content) => void;
  errorOf(field: string): string | undefined;
  /** Of the message as a whole, or of a field that the form does not show. */
  readonly error: string | undefined;
}

const shown = [
  { name: 'title', label: text.title },
  { name: 'body', label: text.body, hint: text.bodyHint, isLong: true },
  { name: 'image', label: text.image, hint: text.imageHint, isOptional: true },
  { name: 'deepLink', label: text.link, hint: text.linkHint, isOptional: true },
] as const satisfies readonly {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly isLong?: boolean;
  readonly isOptional?: boolean;
}[];

export function InlineMessage(props: InlineProps) {
  const [view, setView] = useState<'form' | 'json'>('form');
  const { errorOf, error } = props;
  const isShown = shown.some(({ name }) => errorOf(name) !== undefined);
  return (
    <div className="stack-tight">
      <div className="filter-view">
        <Segmented
          label={text.view}
          value={view}
          choices={[
            { value: 'form', label: text.form },
            { value: 'json', label: text.json },
          ]}
          onChange={setView}
        />
      </div>
      {view === 'form' ? <MessageForm {...props} /> : <MessageJson {...props} />}
      {view === 'form' && error !== undefined && !isShown && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

function MessageForm({ value, onChange, errorOf }: InlineProps) {
  return shown.map((field) => {
    const held = value[field.name];
    const Input = 'isLong' in field ? TextArea : TextInput;
    return (
      <Field
        key={field.name}
        label={field.label}
        hint={'hint' in field ? field.hint : undefined}
        isOptional={'isOptional' in field}
        error={errorOf(field.name)}
      >
        <Input
          value={typeof held === 'string' ? held : ''}
          onChange={(next: string) => {
            const { [field.name]: _before, ...rest } = value;
            onChange(next === '' ? rest : { ...value, [field.name]: next });
          }}
        />
      </Field>
    );
  });
}

/** Text that cannot be read stays, and the last readable message too. */
function MessageJson({ value, onChange, error }: InlineProps) {
  const [typed, setTyped] = useState(() => JSON.stringify(value, null, 2));
  const [problem, setProblem] = useState<string>();
  const sent = useRef(value);
  useEffect(() => {
    if (sent.current === value) return;
    sent.current = value;
    setTyped(JSON.stringify(value, null, 2));
    setProblem(undefined);
  }, [value]);
  const change = (next: string) => {
    setTyped(next);
    try {
      const read: unknown = JSON.parse(next);
      if (typeof read !== 'object' || read === null || Array.isArray(read))
        return setProblem(text.notObject);
      setProblem(undefined);
      sent.current = read as Content;
      onChange(sent.current);
    } catch (failure) {
      setProblem(text.notJson(failure instanceof Error ? failure.message : String(failure)));
    }
  };
  return (
    <Field label={text.jsonLabel} hint={text.jsonHint} error={problem ?? error}>
      <TextArea value={typed} onChange={change} spellCheck={false} rows={12} />
    </Field>
  );
}
