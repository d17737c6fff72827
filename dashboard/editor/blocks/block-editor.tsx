// The editor of a mail made of blocks: the list, where each can be opened, moved, copied and
// removed, and the look of the whole.

import { useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { NumberInput, TextInput } from '../../ui/input.tsx';
import type { TemplateName } from '../completion.ts';
import { BlockList } from './block-list.tsx';
import type { BlockPath, Design, DesignLook } from './model.ts';
import { type blocksAt, withBlocksAt } from './model.ts';
import { words } from './words.ts';

export interface BlockTools {
  readonly design: Design;
  readonly names: readonly TemplateName[];
  readonly isReadOnly: boolean;
  /** The block whose fields are shown. */
  readonly openId: string | undefined;
  open(id: string | undefined): void;
  set(path: BlockPath, blocks: ReturnType<typeof blocksAt>): void;
}

export function BlockEditor({
  design,
  onChange,
  names,
  isReadOnly,
  errors,
}: {
  readonly design: Design;
  readonly onChange: (design: Design) => void;
  readonly names: readonly TemplateName[];
  readonly isReadOnly: boolean;
  /** What could not be made of them. */
  readonly errors: readonly string[];
}) {
  const [openId, open] = useState<string>();
  const tools: BlockTools = {
    design,
    names,
    isReadOnly,
    openId,
    open,
    set: (path, blocks) => onChange(withBlocksAt(design, path, blocks)),
  };
  return (
    <section className="stack" aria-label={words.title}>
      <BlockList path={[]} tools={tools} />
      {errors.length > 0 && (
        <div className="field-error" role="alert">
          {words.failed} {errors.join(' ')}
        </div>
      )}
      <details className="card fold">
        <summary>
          <strong>{words.look}</strong>
        </summary>
        <div className="card-body columns">
          {(['background', 'surface', 'ink', 'accent'] as const).map((key) => (
            <Field key={key} label={words[key]}>
              <ColourInput
                value={design.look[key]}
                onChange={(value) => onChange(withLook(design, { [key]: value }))}
              />
            </Field>
          ))}
          <Field label={words.width}>
            <NumberInput
              value={design.look.width}
              min={320}
              max={800}
              onChange={(width) => onChange(withLook(design, { width: width ?? 600 }))}
            />
          </Field>
        </div>
      </details>
    </section>
  );
}

function withLook(design: Design, part: Partial<DesignLook>): Design {
  return { ...design, look: { ...design.look, ...part } };
}

export function ColourInput({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <TextInput
      type="color"
      isNarrow
      value={/^#[\da-f]{6}$/i.test(value) ? value : '#000000'}
      onChange={onChange}
    />
  );
}
