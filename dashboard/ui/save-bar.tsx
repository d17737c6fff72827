// The bar beneath a form with unsaved changes. It stays in sight until they are saved or discarded.

import type { ReactNode } from 'react';
import type { ApiError } from '../api/errors.ts';
import { words } from '../words/en.ts';
import { Button } from './button.tsx';
import { ErrorNote } from './note.tsx';

export function SaveBar({
  isDirty,
  isRestored,
  isBusy,
  refused,
  error,
  onDiscard,
  onSave,
  children,
}: {
  readonly isDirty: boolean;
  /** It was typed before, and the form was left. */
  readonly isRestored: boolean;
  readonly isBusy: boolean;
  readonly refused?: string | undefined;
  readonly error?: ApiError | undefined;
  readonly onDiscard: () => void;
  readonly onSave: () => void;
  /** What the change will do. */
  readonly children?: ReactNode;
}) {
  if (!isDirty) return null;
  return (
    <div className="save-bar" role="region" aria-label={words.draft.unsaved}>
      {error !== undefined && <ErrorNote error={error} />}
      {children}
      <div className="row-between">
        <span>
          <strong>{words.draft.unsaved}</strong> {isRestored && words.kept.text}
        </span>
        <div className="row">
          <Button onClick={onDiscard}>{words.draft.discard}</Button>
          <Button kind="primary" isBusy={isBusy} refused={refused} onClick={onSave}>
            {words.draft.save}
          </Button>
        </div>
      </div>
    </div>
  );
}
