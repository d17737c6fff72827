// Which language is being written: the default one, and those that were added.

import { useState } from 'react';
import { useQueryParam } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { emptyText, type MessageDraft } from './draft.ts';
import { words } from './words.ts';

const text = words.languages;
const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** The language that is open; '' for the default one. */
export function useOpenLanguage(draft: MessageDraft): readonly [string, (tag: string) => void] {
  const [value = '', set] = useQueryParam('language');
  const isThere = draft.languages.some(({ tag }) => tag === value);
  return [isThere ? value : '', (tag) => set(tag === '' ? undefined : tag)];
}

export function LanguageBar({
  draft,
  onChange,
  open,
  onOpen,
  isReadOnly,
}: {
  readonly draft: MessageDraft;
  readonly onChange: (draft: MessageDraft) => void;
  readonly open: string;
  readonly onOpen: (tag: string) => void;
  readonly isReadOnly: boolean;
}) {
  const [isAdding, setAdding] = useState(false);
  const tags = ['', ...draft.languages.map(({ tag }) => tag)];
  return (
    <div className="language-bar" role="toolbar" aria-label={text.title}>
      {tags.map((tag) => (
        <button
          key={tag}
          type="button"
          className="preview-channel"
          aria-pressed={tag === open}
          title={tag === '' ? undefined : tag}
          onClick={() => onOpen(tag)}
        >
          {tag === '' ? text.base : languageName(tag)}
        </button>
      ))}
      {!isReadOnly && (
        <Button size="small" kind="quiet" icon="plus" onClick={() => setAdding(true)}>
          {text.add}
        </Button>
      )}
      {open !== '' && !isReadOnly && (
        <Button
          size="small"
          kind="quiet"
          icon="trash"
          onClick={() => {
            onChange({ ...draft, languages: draft.languages.filter(({ tag }) => tag !== open) });
            onOpen('');
          }}
        >
          {text.removeShort}
        </Button>
      )}
      {isAdding && (
        <AddLanguage
          taken={tags}
          onClose={() => setAdding(false)}
          onAdd={(tag) => {
            onChange({ ...draft, languages: [...draft.languages, { tag, ...emptyText }] });
            onOpen(tag);
            setAdding(false);
          }}
        />
      )}
    </div>
  );
}

function AddLanguage({
  taken,
  onAdd,
  onClose,
}: {
  readonly taken: readonly string[];
  readonly onAdd: (tag: string) => void;
  readonly onClose: () => void;
}) {
  const [tag, setTag] = useState('');
  const canonical = canonicalTag(tag);
  const isTaken = canonical !== undefined && taken.some((one) => canonicalTag(one) === canonical);
  const add = () => {
    if (canonical !== undefined && !isTaken) onAdd(canonical);
  };
  return (
    <Dialog
      title={text.add}
      isOpen
      onClose={onClose}
      foot={
        <Button kind="primary" isDisabled={canonical === undefined || isTaken} onClick={add}>
          {text.add}
        </Button>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <Field
          label={text.tag}
          hint={canonical === undefined ? text.tagHint : languageName(canonical)}
          error={isTaken ? text.isThere : undefined}
        >
          <TextInput value={tag} onChange={setTag} spellCheck={false} />
        </Field>
      </form>
    </Dialog>
  );
}

/** `PT_br` as `pt-BR`; `undefined` for what is no tag. */
function canonicalTag(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag.trim().replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}
