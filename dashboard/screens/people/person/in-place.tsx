// A value that is changed in place: a pencil, then a field with its own save.

import { useState } from 'react';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Combobox } from '../../../ui/combobox.tsx';
import { Field } from '../../../ui/field.tsx';
import { words } from './words.ts';

export function InPlace<Base>({
  value,
  none,
  base,
  label,
  editLabel,
  suggestions,
  refused,
  error,
  isBusy,
  onSave,
}: {
  readonly value: string | null;
  /** What stands there without a value. */
  readonly none: string;
  /** What the value is a part of: a save is about the version that was edited. */
  readonly base: Base;
  readonly label: string;
  readonly editLabel: string;
  readonly suggestions: readonly { readonly value: string; readonly label?: string }[];
  readonly refused: string | undefined;
  readonly error: string | undefined;
  readonly isBusy: boolean;
  readonly onSave: (text: string | null, base: Base, onDone: () => void) => void;
}) {
  const [draft, setDraft] = useState<{ readonly text: string; readonly base: Base }>();
  const close = () => setDraft(undefined);
  if (draft === undefined)
    return (
      <span className="row">
        {value ?? <span className="soft">{none}</span>}
        <IconButton
          label={editLabel}
          icon="edit"
          size="small"
          refused={refused}
          onClick={() => setDraft({ text: value ?? '', base })}
        />
      </span>
    );
  return (
    <form
      className="stack-tight"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(draft.text.trim() || null, draft.base, close);
      }}
    >
      <Field label={label} isLabelHidden error={error}>
        <Combobox
          value={draft.text}
          onChange={(text) => setDraft({ ...draft, text })}
          suggestions={suggestions}
        />
      </Field>
      <div className="row">
        <Button type="submit" size="small" isBusy={isBusy}>
          {words.save}
        </Button>
        <Button kind="quiet" size="small" onClick={close}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}
