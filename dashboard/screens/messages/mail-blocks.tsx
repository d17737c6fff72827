// The body of a message that is made of blocks: edits the design, and makes the HTML that is sent.

import { useEffect, useRef, useState } from 'react';
import { BlockEditor } from '../../editor/blocks/block-editor.tsx';
import { compile } from '../../editor/blocks/compile.ts';
import type { Design } from '../../editor/blocks/model.ts';
import type { MessageDraft } from './draft.ts';
import type { FieldFacts } from './field-facts.ts';

const pauseMs = 200;
const none: readonly never[] = [];

export default function MailBlocks({
  draft,
  design,
  onChange,
  facts,
}: {
  readonly draft: MessageDraft;
  readonly design: Design;
  readonly onChange: (draft: MessageDraft) => void;
  readonly facts: FieldFacts;
}) {
  const [errors, setErrors] = useState<readonly string[]>([]);
  const latest = useRef({ draft, onChange });
  latest.current = { draft, onChange };
  const made = useRef(JSON.stringify(design));
  const source = JSON.stringify(design);
  useEffect(() => {
    // What was saved was made before; only a change makes it again, or an empty body.
    if (made.current === source && latest.current.draft.base.body !== '') return undefined;
    let isOld = false;
    const timer = setTimeout(async () => {
      const { html, errors: found } = await compile(JSON.parse(source) as Design);
      if (isOld) return;
      setErrors(found);
      if (html === '') return;
      made.current = source;
      const { draft: last, onChange: change } = latest.current;
      change({ ...last, base: { ...last.base, body: html } });
    }, pauseMs);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [source]);
  return (
    <BlockEditor
      design={design}
      names={facts.names}
      isReadOnly={facts.isReadOnly}
      errors={errors}
      body={draft.base.body}
      issues={facts.issues.get('body') ?? none}
      onChange={(next) => onChange({ ...draft, design: { ...next } })}
    />
  );
}
