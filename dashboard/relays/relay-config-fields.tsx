// The fields of a relay's kind: what its service needs, and secrets that are never shown again.

import type { ApiError } from '../api/errors.ts';
import { Check, SelectBox } from '../ui/choices.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/input.tsx';
import type { Draft } from './relay-draft.ts';
import { relayForms, type TypedConfig } from './relay-forms.ts';
import { useRelayWords } from './relay-words.ts';

export function ConfigFields({
  draft: { kind, config },
  error,
  isStored,
  onChange,
}: {
  readonly draft: Draft;
  readonly error: ApiError | undefined;
  readonly isStored: boolean;
  readonly onChange: (config: TypedConfig) => void;
}) {
  const text = useRelayWords();
  return Object.entries(relayForms[kind].fields).map(([name, field]) => {
    const { label, hint, kind: control, choices = [], isOptional = false } = field;
    const value = config[name] ?? '';
    const set = (typed: string) => onChange({ ...config, [name]: typed });
    const isKept = isStored && control === 'secret';
    if (control === 'switch')
      return (
        <Check key={name} isChecked={value === 'true'} onChange={(isOn) => set(String(isOn))}>
          {label}: <span className="soft">{hint}</span>
        </Check>
      );
    return (
      <Field
        key={name}
        label={label}
        hint={isKept ? (isOptional ? text.maybeStored : text.stored) : hint}
        error={error?.of(`config.${name}`)}
        isOptional={isOptional || isKept}
      >
        {control === 'choice' ? (
          <SelectBox
            value={value === '' ? undefined : value}
            choices={choices}
            placeholder={choices[0]?.label ?? ''}
            onChange={set}
          />
        ) : (
          <TextInput
            type={control === 'secret' ? 'password' : 'text'}
            autoComplete={control === 'secret' ? 'new-password' : 'off'}
            {...(control === 'number' && { inputMode: 'numeric' as const })}
            required={!isOptional && !isKept}
            spellCheck={false}
            value={value}
            onChange={set}
          />
        )}
      </Field>
    );
  });
}
