// The fields of a block, as its kind lists them.

import { Segmented } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/input.tsx';
import { CodeEditor } from '../code-editor.tsx';
import type { TemplateName } from '../completion.ts';
import type { TextIssue } from '../issue-places.ts';
import { ColorInput } from './block-editor.tsx';
import type { FieldIssues } from './block-issues.ts';
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
      return (
        <Segmented
          label={label}
          value={value === 'center' || value === 'right' ? value : 'left'}
          choices={(['left', 'center', 'right'] as const).map((one) => ({
            value: one,
            label: words.fields.aligns[one],
          }))}
          onChange={onChange}
        />
      );
    case 'level':
      return (
        <Segmented
          label={label}
          value={value === '2' || value === '3' ? value : '1'}
          choices={(['1', '2', '3'] as const).map((one) => ({
            value: one,
            label: words.fields.levels[one],
          }))}
          onChange={onChange}
        />
      );
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
