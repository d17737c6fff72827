// The value that a tag is compared with. Its type is chosen only where the tag leaves it open.

import type { Fields } from '../api/generated.ts';
import { SelectBox } from '../ui/choices.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { count } from '../ui/figure.tsx';
import { NumberInput } from '../ui/input.tsx';
import { retyped, type Scalar, type ScalarType, scalarTypes, typeOf } from './value.ts';
import { words } from './words.ts';

type TagField = Fields['tags'][number];
const text = words.tag;
const types: readonly ScalarType[] = ['string', 'number', 'boolean'];
const typeLabels = { string: text.text, number: text.number, boolean: text.boolean } as const;

export function TagValue({
  value,
  field,
  isKnown,
  onChange,
  isInvalid,
}: {
  readonly value: Scalar;
  readonly field: TagField | undefined;
  /** Whether it is known already what people have. */
  readonly isKnown: boolean;
  readonly onChange: (value: Scalar) => void;
  readonly isInvalid: boolean;
}) {
  const known = scalarTypes(field);
  // A number that is not typed yet is an empty text.
  const type = value === '' && known.length === 1 ? (known[0] ?? 'string') : typeOf(value);
  const isOpen = isKnown && !(known.length === 1 && known[0] === type);
  return (
    <>
      {type === 'boolean' && (
        <SelectBox
          isAuto
          label={text.value}
          value={String(value)}
          choices={[
            { value: 'true', label: text.yes },
            { value: 'false', label: text.no },
          ]}
          onChange={(next) => onChange(next === 'true')}
        />
      )}
      {type === 'number' && (
        <NumberInput
          aria-label={text.value}
          aria-invalid={isInvalid || undefined}
          step="any"
          value={typeof value === 'number' ? value : undefined}
          onChange={(next) => onChange(next ?? '')}
        />
      )}
      {type === 'string' && (
        <span className="filter-value">
          <Combobox
            label={text.value}
            placeholder={text.value}
            value={String(value)}
            suggestions={suggestionsOf(field)}
            onChange={onChange}
            onChoose={(chosen) => onChange(topValue(field, chosen) ?? chosen)}
          />
        </span>
      )}
      {isOpen && value !== '' && (
        <SelectBox<ScalarType>
          isAuto
          label={text.type}
          value={type}
          choices={types.map((one) => ({ value: one, label: typeLabels[one] }))}
          onChange={(next) => onChange(retyped(value, next))}
        />
      )}
      {field !== undefined && value !== '' && !known.includes(type) && (
        <span className="filter-hint notice">
          {text.otherType(field.types.map((one) => text.types[one]).join(', '))}
        </span>
      )}
    </>
  );
}

export function suggestionsOf(field: TagField | undefined) {
  return (field?.top ?? []).map(({ value, people }) => ({
    value: String(value),
    hint: count(people),
  }));
}

/** The value that a suggestion stands for, in its own type. */
export function topValue(field: TagField | undefined, chosen: string): Scalar | undefined {
  return field?.top.find(({ value }) => String(value) === chosen)?.value;
}
