// The bar beneath a form with unsaved changes: it stays in sight until they are saved or discarded,
// and asks before they are left.

import type { ApiError } from '../api/errors.ts';
import { Button } from '../ui/button.tsx';
import { LeaveQuestion } from '../ui/leave-question.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { words } from '../words/en.ts';
import type { DraftTools } from './draft.ts';

export function SaveBar({
  tools,
  refused,
  error,
  onSave,
}: {
  readonly tools: DraftTools<unknown, unknown>;
  readonly refused: string | undefined;
  /** What stands at no field. */
  readonly error: ApiError | undefined;
  readonly onSave: () => void;
}) {
  const { isDirty, isDirtyNow, isKept, restored, state, discard } = tools;
  return (
    <>
      {isDirty && (
        <div className="save-bar" role="region" aria-label={words.draft.unsaved}>
          {error !== undefined && <ErrorNote error={error} />}
          <div className="row-between">
            <span>
              <strong>{words.draft.unsaved}</strong> {restored !== 'none' && words.draft.restored}
            </span>
            <div className="row">
              <Button onClick={discard}>{words.draft.discard}</Button>
              <Button kind="primary" isBusy={state === 'saving'} refused={refused} onClick={onSave}>
                {words.draft.save}
              </Button>
            </div>
          </div>
        </div>
      )}
      <LeaveQuestion isDirtyNow={isDirtyNow} isKept={isKept} onDiscard={discard} />
    </>
  );
}
