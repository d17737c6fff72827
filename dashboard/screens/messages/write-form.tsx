// The left half of the editor: name or handle, words in each language, and what goes along.

import { useState } from 'react';
import { Segmented } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Note } from '../../ui/note.tsx';
import { isHtml, type MessageDraft, type Saved, type TextDraft } from './draft.ts';
import { LanguageBar, useOpenLanguage } from './languages.tsx';
import { DataFold, DeliveryFold, EmailFold } from './option-folds.tsx';
import { PayloadFold } from './payload-fold.tsx';
import { type FieldFacts, TextFields } from './text-fields.tsx';
import type { Kind } from './use-saving.ts';
import { words } from './words.ts';

interface WriteFormProps {
  readonly kind: Kind;
  readonly saved: Saved | undefined;
  readonly draft: MessageDraft;
  readonly onChange: (draft: MessageDraft) => void;
  readonly facts: FieldFacts;
  readonly onBroken: (isBroken: boolean) => void;
}

export function WriteForm({ kind, saved, draft, onChange, facts, onBroken }: WriteFormProps) {
  const { error, names, isReadOnly } = facts;
  const fold = { draft, onChange, error };
  return (
    <fieldset className="stack" disabled={isReadOnly}>
      <NameField
        kind={kind}
        old={saved?.name}
        name={draft.name}
        error={error?.of('name')}
        onChange={(name) => onChange({ ...draft, name })}
      />
      <Words draft={draft} onChange={onChange} facts={facts} />
      <DeliveryFold {...fold} />
      <EmailFold {...fold} />
      <DataFold {...fold} />
      <PayloadFold {...fold} names={names} onBroken={onBroken} />
    </fieldset>
  );
}

function NameField({
  kind,
  old,
  name,
  error,
  onChange,
}: {
  readonly kind: Kind;
  readonly old: string | undefined;
  readonly name: string;
  readonly error: string | undefined;
  readonly onChange: (name: string) => void;
}) {
  const isHandle = kind === 'template';
  return (
    <>
      <Field
        label={isHandle ? words.handle : words.name}
        hint={isHandle ? words.handleHint : words.nameHint}
        error={error}
      >
        <TextInput value={name} onChange={onChange} spellCheck={!isHandle} />
      </Field>
      {isHandle && old !== undefined && name !== old && (
        <Note tone="notice">{words.handleChange(old)}</Note>
      )}
    </>
  );
}

/** The open language, as text or as HTML. */
function Words({ draft, onChange, facts }: Pick<WriteFormProps, 'draft' | 'onChange' | 'facts'>) {
  const [open, setOpen] = useOpenLanguage(draft);
  const at = draft.languages.findIndex(({ tag }) => tag === open);
  const own = open === '' ? undefined : draft.languages[at];
  const text: TextDraft = own ?? draft.base;
  const [chosen, setChosen] = useState<'text' | 'html'>();
  const format = chosen ?? (isHtml(text.body || draft.base.body) ? 'html' : 'text');
  const change = (next: TextDraft) => {
    if (own === undefined) onChange({ ...draft, base: next });
    else
      onChange({
        ...draft,
        languages: draft.languages.map((one, nth) =>
          nth === at ? { ...next, tag: own.tag } : one,
        ),
      });
  };
  return (
    <section className="card" aria-label={words.content}>
      <div className="card-head">
        <LanguageBar
          draft={draft}
          onChange={onChange}
          open={open}
          onOpen={setOpen}
          isReadOnly={facts.isReadOnly}
        />
        <Segmented
          label={words.format.label}
          choices={[
            { value: 'text', label: words.format.text },
            { value: 'html', label: words.format.html },
          ]}
          value={format}
          onChange={setChosen}
        />
      </div>
      <div className="card-body stack">
        {own !== undefined && <p className="soft">{words.languages.inherits}</p>}
        <TextFields
          key={open}
          text={text}
          onChange={change}
          facts={facts}
          prefix={own === undefined ? '' : `localizations.${own.tag}.`}
          inherited={own === undefined ? undefined : draft.base}
          asHtml={format === 'html'}
        />
      </div>
    </section>
  );
}
