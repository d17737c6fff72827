// Conditions on a tag: its value, one of several values, whether it is set.

import type { Fields } from '../../api/generated.ts';
import { SelectBox } from '../../ui/choices.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import type { ConditionKind, EditProps } from '../kind.ts';
import type { Condition } from '../model.ts';
import { TagValue } from '../tag-value.tsx';
import { TagValues } from '../tag-values.tsx';
import { firstValue, type Scalar, scalarTypes, typeOf } from '../value.ts';
import { words } from '../words.ts';

type OnTag = Extract<Condition, { readonly tag: unknown }>;
type Operator = 'eq' | 'ne' | 'in' | 'set' | 'unset';
const text = words.tag;
const operators: readonly Operator[] = ['eq', 'ne', 'in', 'set', 'unset'];

export const tag: ConditionKind<OnTag> = {
  id: 'tag',
  label: text.label,
  owns: (one): one is OnTag => 'tag' in one,
  blank: () => ({ tag: '', eq: '' }),
  isComplete: (one) => {
    if (one.tag === '') return false;
    if ('eq' in one) return one.eq !== '';
    if ('ne' in one) return one.ne !== '';
    return 'in' in one ? one.in.length > 0 : true;
  },
  sentence: (one) => {
    const name = one.tag || text.nameless;
    if ('eq' in one) return text.sentence.eq(name, shown(one.eq));
    if ('ne' in one) return text.sentence.ne(name, shown(one.ne));
    if ('in' in one) return text.sentence.in(name, one.in.map(shown).join(', '));
    return one.exists ? text.sentence.set(name) : text.sentence.unset(name);
  },
  Edit,
};

function shown(value: Scalar): string {
  if (typeof value === 'boolean') return value ? text.yes : text.no;
  return value === '' ? text.valueless : String(value);
}

function operatorOf(one: OnTag): Operator {
  if ('eq' in one) return 'eq';
  if ('ne' in one) return 'ne';
  if ('in' in one) return 'in';
  return one.exists ? 'set' : 'unset';
}

/** The values so far, whatever the operator. */
function valuesOf(one: OnTag): readonly Scalar[] {
  if ('in' in one) return one.in;
  const value = 'eq' in one ? one.eq : 'ne' in one ? one.ne : '';
  return value === '' ? [] : [value];
}

function withOperator(one: OnTag, operator: Operator, first: Scalar): OnTag {
  const values = valuesOf(one);
  const value = values[0] ?? first;
  switch (operator) {
    case 'eq':
      return { tag: one.tag, eq: value };
    case 'ne':
      return { tag: one.tag, ne: value };
    case 'in':
      return { tag: one.tag, in: values };
    case 'set':
      return { tag: one.tag, exists: true };
    case 'unset':
      return { tag: one.tag, exists: false };
  }
}

/** The name changed: a value of a type that nobody has there is of no use. */
function withTag(one: OnTag, name: string, fields: Fields | undefined): OnTag {
  const field = fields?.tags.find(({ key }) => key === name);
  const [value] = valuesOf(one);
  const types = scalarTypes(field);
  const isFit = value !== undefined && (types.length === 0 || types.includes(typeOf(value)));
  const first = firstValue(field);
  if ('eq' in one) return { tag: name, eq: isFit ? value : first };
  if ('ne' in one) return { tag: name, ne: isFit ? value : first };
  return { ...one, tag: name };
}

function Edit({ condition, onChange, fields, errorOf }: EditProps<OnTag>) {
  const field = fields?.tags.find(({ key }) => key === condition.tag);
  const operator = operatorOf(condition);
  const value = 'eq' in condition ? condition.eq : 'ne' in condition ? condition.ne : undefined;
  return (
    <>
      <span className="filter-name">
        <Combobox
          label={text.key}
          placeholder={text.placeholder}
          value={condition.tag}
          suggestions={(fields?.tags ?? []).map(({ key, people }) => ({
            value: key,
            hint: text.people(people),
          }))}
          onChange={(name) => onChange(withTag(condition, name, fields))}
        />
      </span>
      <SelectBox<Operator>
        isAuto
        label={text.operator}
        value={operator}
        choices={operators.map((one) => ({ value: one, label: text[one] }))}
        onChange={(next) => onChange(withOperator(condition, next, firstValue(field)))}
      />
      {value !== undefined && (
        <TagValue
          value={value}
          field={field}
          isKnown={fields !== undefined}
          isInvalid={errorOf(operator) !== undefined}
          onChange={(next) =>
            onChange(
              operator === 'eq'
                ? { tag: condition.tag, eq: next }
                : { tag: condition.tag, ne: next },
            )
          }
        />
      )}
      {'in' in condition && (
        <TagValues
          values={condition.in}
          field={field}
          onChange={(values) => onChange({ tag: condition.tag, in: values })}
        />
      )}
      {operator === 'ne' && <span className="filter-hint">{text.neHint}</span>}
      {condition.tag !== '' && fields !== undefined && field === undefined && (
        <span className="filter-hint">{text.unknown}</span>
      )}
    </>
  );
}
