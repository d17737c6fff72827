// One of few, each with a sentence that says what it means.

import { useId } from 'react';
import type { Choice } from './choices.tsx';

export function RadioCards<Value extends string>({
  label,
  choices,
  value,
  onChange,
}: {
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value | undefined;
  readonly onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset className="radio-cards">
      <legend className="field-label">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="radio-card">
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span>
            <span className="radio-card-label">{choice.label}</span>
            {choice.hint !== undefined && <span className="field-hint">{choice.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
