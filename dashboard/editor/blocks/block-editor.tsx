// The editor of a mail made of blocks: the list, where each can be opened, moved, copied and
// removed, and the look of the whole.

import { useMemo, useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/input.tsx';
import { CodeEditor, TextIssues } from '../code-editor.tsx';
import type { TemplateName } from '../completion.ts';
import type { TextIssue } from '../issue-places.ts';
import { blockIssuesOf, headId } from './block-issues.ts';
import { BlockList } from './block-list.tsx';
import type { BlockTools } from './block-tools.ts';
import { ColorInput } from './color-input.tsx';
import type { Design, DesignLook } from './model.ts';
import { withBlocksAt } from './model.ts';
import { words } from './words.ts';

const none: readonly never[] = [];

export function BlockEditor({
  design,
  onChange,
  names,
  isReadOnly,
  errors,
  body,
  issues,
}: {
  readonly design: Design;
  readonly onChange: (design: Design) => void;
  readonly names: readonly TemplateName[];
  readonly isReadOnly: boolean;
  /** What could not be made of them. */
  readonly errors: readonly string[];
  /** The mail that was made last, and what the preview says of it. */
  readonly body: string;
  readonly issues: readonly TextIssue[];
}) {
  const [openId, open] = useState<string>();
  const placed = useMemo(() => blockIssuesOf(design, body, issues), [design, body, issues]);
  const tools: BlockTools = {
    design,
    names,
    isReadOnly,
    issues: placed.byBlock,
    openId,
    open,
    set: (path, blocks) => onChange(withBlocksAt(design, path, blocks)),
  };
  return (
    <section className="stack" aria-label={words.title}>
      <CodeEditor
        label={words.preheader}
        hint={words.preheaderHint}
        isOneLine
        value={design.preheader ?? ''}
        names={names}
        issues={placed.byBlock.get(headId)?.get('preheader') ?? none}
        isReadOnly={isReadOnly}
        onChange={(preheader) => onChange({ ...design, preheader })}
      />
      <BlockList path={[]} tools={tools} />
      {errors.length > 0 && (
        <div className="field-error" role="alert">
          {words.failed} {errors.join(' ')}
        </div>
      )}
      <TextIssues error={undefined} issues={placed.rest} />
      <LookFold design={design} onChange={onChange} />
    </section>
  );
}

function LookFold({
  design,
  onChange,
}: {
  readonly design: Design;
  readonly onChange: (design: Design) => void;
}) {
  return (
    <details className="card fold">
      <summary>
        <strong>{words.look}</strong>
      </summary>
      <div className="card-body columns">
        {(['background', 'surface', 'ink', 'accent'] as const).map((key) => (
          <Field key={key} label={words[key]}>
            <ColorInput
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
  );
}

function withLook(design: Design, part: Partial<DesignLook>): Design {
  return { ...design, look: { ...design.look, ...part } };
}
