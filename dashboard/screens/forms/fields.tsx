// What a sign-up form asks besides the email address: up to ten fields, in order.

import type { ApiError } from '../../api/errors.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Check, SelectBox } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import type { FieldDraft } from './draft.ts';
import { words } from './words.ts';

const fieldsMax = 10;
const fresh: FieldDraft = { tag: '', label: '', type: 'text', required: false };

export function FormFields({
  fields,
  error,
  onChange,
}: {
  readonly fields: readonly FieldDraft[];
  readonly error: ApiError | undefined;
  readonly onChange: (fields: readonly FieldDraft[]) => void;
}) {
  return (
    <section className="stack-tight">
      <h2>{words.fields}</h2>
      <p className="soft">{words.fieldsHint}</p>
      {fields.map((field, at) => (
        <FieldRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a tag may be half typed
          key={at}
          field={field}
          at={at}
          error={error}
          onChange={(part) =>
            onChange(fields.map((one, nth) => (nth === at ? { ...one, ...part } : one)))
          }
          onUp={() => onChange(movedUp(fields, at))}
          onRemove={() => onChange(fields.filter((_, nth) => nth !== at))}
        />
      ))}
      <div>
        <Button
          size="small"
          icon="plus"
          refused={fields.length >= fieldsMax ? words.fieldsMax : undefined}
          onClick={() => onChange([...fields, fresh])}
        >
          {words.addField}
        </Button>
      </div>
    </section>
  );
}

function movedUp(fields: readonly FieldDraft[], at: number): readonly FieldDraft[] {
  const moved = fields.filter((_, nth) => nth !== at);
  return [...moved.slice(0, at - 1), ...fields.slice(at, at + 1), ...moved.slice(at - 1)];
}

function FieldRow({
  field: { tag, label, type, required },
  at,
  error,
  onChange,
  onUp,
  onRemove,
}: {
  readonly field: FieldDraft;
  readonly at: number;
  readonly error: ApiError | undefined;
  readonly onChange: (part: Partial<FieldDraft>) => void;
  readonly onUp: () => void;
  readonly onRemove: () => void;
}) {
  const name = label || words.field(at + 1);
  return (
    <div className="form-field">
      <Field label={words.label} error={error?.of(`fields[${at}].label`)}>
        <TextInput value={label} onChange={(next) => onChange({ label: next })} />
      </Field>
      <Field label={words.tag} error={error?.of(`fields[${at}].tag`)}>
        <TextInput value={tag} spellCheck={false} onChange={(next) => onChange({ tag: next })} />
      </Field>
      <Field label={words.type}>
        <SelectBox<FieldDraft['type']>
          value={type}
          choices={(['text', 'checkbox'] as const).map((value) => ({
            value,
            label: words.types[value],
          }))}
          onChange={(next) => onChange({ type: next })}
        />
      </Field>
      <div className="form-field-ends">
        <Check isChecked={required} onChange={(next) => onChange({ required: next })}>
          {words.required}
        </Check>
        <span className="row">
          {at > 0 && <IconButton label={words.up(name)} icon="up" onClick={onUp} />}
          <IconButton label={words.removeField(name)} icon="close" onClick={onRemove} />
        </span>
      </div>
    </div>
  );
}
