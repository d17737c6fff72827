// The left half of the editor: name or handle, words in each language, and what goes along.

import { useState } from 'react';
import { designOfHtml, starterDesign } from '../../editor/blocks/kinds.ts';
import { type Design, designOf } from '../../editor/blocks/model.ts';
import { Segmented } from '../../ui/choices.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { late } from '../../ui/late.tsx';
import { Grey, Note } from '../../ui/note.tsx';
import { isHtml } from '../../ui/written-for.ts';
import type { MessageDraft, Saved, TextDraft } from './draft.ts';
import type { FieldFacts } from './field-facts.ts';
import { Fold } from './fold.tsx';
import { LanguageBar, useOpenLanguage } from './languages.tsx';
import { DataFold, DeliveryFold, EmailFold } from './option-folds.tsx';
import { PayloadFold } from './payload-fold.tsx';
import { TextFields } from './text-fields.tsx';
import type { Kind } from './use-saving.ts';
import { UsedBy } from './uses-note.tsx';
import { words } from './words.ts';
import { WrittenForFold } from './written-for-fold.tsx';

const MailBlocks = late(
  () => import('./mail-blocks.tsx').then((file) => file.default),
  () => <Grey rows={5} />,
);

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
      {kind === 'message' && <WrittenForFold {...fold} />}
      <Words kind={kind} draft={draft} onChange={onChange} facts={facts} />
      <DeliveryFold {...fold} />
      <EmailFold {...fold} />
      <DataFold {...fold} />
      <PayloadFold {...fold} names={names} onBroken={onBroken} />
      {kind === 'message' && saved !== undefined && (
        <Fold title={words.folds.uses} note={words.folds.usesNote} isSet={false} hasProblem={false}>
          <UsedBy id={saved.id} />
        </Fold>
      )}
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

type Format = 'text' | 'html' | 'blocks';

/** The open language, as text, as HTML or in blocks. */
function Words({
  kind,
  draft,
  onChange,
  facts,
}: Pick<WriteFormProps, 'kind' | 'draft' | 'onChange' | 'facts'>) {
  const written = useWords(draft, onChange);
  const { open, own, design, format } = written;
  // Templates keep no design, and a language has words of its own only.
  const formats: readonly Format[] =
    kind === 'message' && own === undefined ? ['text', 'html', 'blocks'] : ['text', 'html'];
  return (
    <section className="card" aria-label={words.content}>
      <div className="card-head">
        <LanguageBar
          draft={draft}
          onChange={onChange}
          open={open}
          onOpen={written.setOpen}
          isReadOnly={facts.isReadOnly}
        />
        <Segmented
          label={words.format.label}
          choices={formats.map((value) => ({ value, label: words.format[value] }))}
          value={format}
          onChange={written.choose}
        />
      </div>
      <div className="card-body stack">
        {own !== undefined && <p className="soft">{words.languages.inherits}</p>}
        <TextFields
          key={open}
          text={written.text}
          onChange={written.change}
          facts={facts}
          prefix={own === undefined ? '' : `localizations.${own.tag}.`}
          inherited={own === undefined ? undefined : draft.base}
          asHtml={format === 'html'}
          body={
            design && <MailBlocks draft={draft} design={design} onChange={onChange} facts={facts} />
          }
        />
      </div>
      <FormatDialog
        asked={written.asked}
        onClose={written.stopAsking}
        onConfirm={written.convert}
      />
    </section>
  );
}

/** The open language: its text, its form, and how another form is chosen. */
function useWords(draft: MessageDraft, onChange: (draft: MessageDraft) => void) {
  const [open, setOpen] = useOpenLanguage(draft);
  const at = draft.languages.findIndex(({ tag }) => tag === open);
  const own = open === '' ? undefined : draft.languages[at];
  const text: TextDraft = own ?? draft.base;
  const [chosen, setChosen] = useState<'text' | 'html'>();
  const [asked, setAsked] = useState<Format>();
  const design = own === undefined ? designOf(draft.design) : undefined;
  const written = chosen ?? (isHtml(text.body || draft.base.body) ? 'html' : 'text');
  const format: Format = design === undefined ? written : 'blocks';
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
  const begin = (next: Design) =>
    onChange({ ...draft, design: { ...next }, base: { ...draft.base, body: '' } });
  const choose = (next: Format) => {
    if (next === format) return;
    if (next === 'blocks' && draft.base.body === '') begin(starterDesign());
    else if (next === 'blocks' || format === 'blocks') setAsked(next);
    else setChosen(next);
  };
  const convert = () => {
    if (asked === 'blocks') begin(designOfHtml(draft.base.body));
    else onChange({ ...draft, design: undefined });
    if (asked === 'text' || asked === 'html') setChosen('html');
    setAsked(undefined);
  };
  const stopAsking = () => setAsked(undefined);
  return { open, setOpen, own, text, design, format, change, choose, asked, stopAsking, convert };
}

/** Each change loses something, so it is asked about. */
function FormatDialog({
  asked,
  onClose,
  onConfirm,
}: {
  readonly asked: Format | undefined;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}) {
  const text = words.format;
  const toBlocks = asked === 'blocks';
  return (
    <Confirm
      title={toBlocks ? text.toBlocks : text.toHtml}
      action={toBlocks ? text.toBlocksAction : text.toHtmlAction}
      isOpen={asked !== undefined}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      {toBlocks ? text.toBlocksText : text.toHtmlText}
    </Confirm>
  );
}
