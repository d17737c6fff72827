// The bar beneath a form with unsaved changes. It stays in sight until they are saved or discarded.

import type { ReactNode } from 'react';
import type { ApiError } from '../api/errors.ts';
import { words } from '../words/en.ts';
import { Button } from './button.tsx';
import { useLeaveGuard } from './leave-guard.ts';
import { ErrorNote } from './note.tsx';

export function SaveBar({
  isDirty,
  isBusy,
  refused,
  error,
  onDiscard,
  onSave,
  children,
}: {
  readonly isDirty: boolean;
  readonly isBusy: boolean;
  readonly refused?: string | undefined;
  readonly error?: ApiError | undefined;
  readonly onDiscard: () => void;
  readonly onSave: () => void;
  /** What the change will do. */
  readonly children?: ReactNode;
}) {
  useLeaveGuard(isDirty);
  if (!isDirty) return null;
  return (
    <div className="save-bar" role="region" aria-label={words.draft.unsaved}>
      {error !== undefined && <ErrorNote error={error} />}
      {children}
      <div className="row-between">
        <strong>{words.draft.unsaved}</strong>
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
