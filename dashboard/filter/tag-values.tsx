// Several values to compare a tag with: a row of them, and a box to add one.

import { useState } from 'react';
import type { Fields } from '../api/generated.ts';
import { Combobox } from '../ui/combobox.tsx';
import { Icon } from '../ui/icon.tsx';
import { suggestionsOf, topValue } from './tag-value.tsx';
import { type Scalar, typed } from './value.ts';
import { words } from './words.ts';

const text = words.tag;

export function TagValues({
  values,
  field,
  onChange,
}: {
  readonly values: readonly Scalar[];
  readonly field: Fields['tags'][number] | undefined;
  readonly onChange: (values: readonly Scalar[]) => void;
}) {
  const [draft, setDraft] = useState('');
  const add = (value: Scalar) => {
    setDraft('');
    if (value !== '' && !values.includes(value)) onChange([...values, value]);
  };
  return (
    <span className="filter-values">
      {values.map((value) => (
        <span key={`${typeof value} ${value}`} className="chip">
          {String(value)}
          <button
            type="button"
            className="chip-remove"
            aria-label={text.removeValue(String(value))}
            onClick={() => onChange(values.filter((one) => one !== value))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      <span
        className="filter-value"
        role="group"
        aria-label={text.add}
        onKeyDown={(event) => {
          if (event.key === 'Backspace' && draft === '') onChange(values.slice(0, -1));
          if (event.key !== 'Enter' && event.key !== ',') return;
          if (draft.trim() === '' || event.defaultPrevented) return;
          event.preventDefault();
          add(typed(draft.trim(), field));
        }}
        onBlur={() => draft.trim() !== '' && add(typed(draft.trim(), field))}
      >
        <Combobox
          label={text.add}
          placeholder={text.add}
          value={draft}
          suggestions={suggestionsOf(field).filter(
            ({ value }) => !values.some((one) => String(one) === value),
          )}
          onChange={setDraft}
          onChoose={(chosen) => add(topValue(field, chosen) ?? chosen)}
        />
      </span>
    </span>
  );
}
