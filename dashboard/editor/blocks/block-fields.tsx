// The fields of a block, as its kind lists them.

import { Segmented } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/input.tsx';
import { CodeEditor } from '../code-editor.tsx';
import type { TemplateName } from '../completion.ts';
import type { TextIssue } from '../issue-places.ts';
import type { FieldIssues } from './block-issues.ts';
import { ColorInput } from './color-input.tsx';
import type { BlockField, BlockKind } from './kind.ts';
import { type Block, type BlockValue, textValue } from './model.ts';
import { PictureChoice } from './picture-choice.tsx';
import { words } from './words.ts';

interface FieldsProps {
  readonly kind: BlockKind;
  readonly block: Block;
  readonly names: readonly TemplateName[];
  readonly issues: FieldIssues | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (block: Block) => void;
}

export function BlockFields({ kind, block, names, issues, isReadOnly, onChange }: FieldsProps) {
  const set = (key: string, value: BlockValue) =>
    onChange({ ...block, values: { ...block.values, [key]: value } });
  return (
    <div className="stack">
      {kind.fields.map((field) => (
        <BlockControl
          key={field.key}
          field={field}
          value={textValue(block, field.key)}
          names={names}
          issues={issues?.get(field.key)}
          isReadOnly={isReadOnly}
          onChange={(value) => set(field.key, value)}
        />
      ))}
    </div>
  );
}

function BlockControl({
  field,
  value,
  names,
  issues,
  isReadOnly,
  onChange,
}: {
  readonly field: BlockField;
  readonly value: string;
  readonly names: readonly TemplateName[];
  readonly issues: readonly TextIssue[] | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (value: BlockValue) => void;
}) {
  const { label, kind, hint } = field;
  switch (kind) {
    case 'align':
      return <Choice {...{ label, value, onChange }} words={words.fields.aligns} />;
    case 'level':
      return <Choice {...{ label, value, onChange }} words={words.fields.levels} />;
    case 'number':
      return (
        <Field label={label}>
          <NumberInput
            value={value === '' ? undefined : Number(value)}
            min={0}
            onChange={(next) => onChange(next ?? '')}
          />
        </Field>
      );
    case 'color':
      return (
        <Field label={label}>
          <ColorInput value={value} onChange={onChange} />
        </Field>
      );
    default:
      return (
        <>
          <CodeEditor
            label={label}
            isOneLine={kind !== 'text' && kind !== 'html'}
            value={value}
            names={names}
            isReadOnly={isReadOnly}
            {...(issues === undefined ? {} : { issues })}
            hint={hint}
            onChange={onChange}
          />
          {kind === 'image' && !isReadOnly && <PictureChoice onChoose={onChange} />}
        </>
      );
  }
}

/** One of a few words; the first, until one is chosen. */
function Choice({
  label,
  value,
  words: choices,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly words: Readonly<Record<string, string>>;
  readonly onChange: (value: string) => void;
}) {
  const values = Object.keys(choices);
  return (
    <Segmented
      label={label}
      value={values.includes(value) ? value : (values[0] ?? '')}
      choices={values.map((one) => ({ value: one, label: choices[one] ?? one }))}
      onChange={onChange}
    />
  );
}
