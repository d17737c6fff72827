// What can be done with the selected people, or with all who match: set a tag, opt out, erase.

import { useState } from 'react';
import { asApiError } from '../../api/errors.ts';
import { useRefusal } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import type { Selection } from '../../ui/table.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { type BulkAction, type BulkWho, useBulk } from './bulk.ts';
import { OptOut } from './opt-out.tsx';
import { SetTag } from './set-tag.tsx';
import { words } from './words.ts';

export function SelectionActions({
  selection,
  everyone,
  total,
  isAll,
  onAll,
}: {
  readonly selection: Selection;
  /** All who match; `undefined` if the API cannot name them in one call. */
  readonly everyone: BulkWho | undefined;
  readonly total: number | undefined;
  readonly isAll: boolean;
  readonly onAll: () => void;
}) {
  const refused = useRefusal('write');
  const [asking, setAsking] = useState<'tag' | 'optOut' | 'erase'>();
  const n = isAll ? (total ?? 0) : selection.keys.size;
  const who = isAll && everyone !== undefined ? everyone : { ids: [...selection.keys] };
  const { act, progress, problem, forget } = useChange(who, () => {
    setAsking(undefined);
    selection.clear();
  });
  const close = () => {
    setAsking(undefined);
    forget();
  };
  const dialog = { people: n, isBusy: progress !== undefined, error: problem, onClose: close };
  return (
    <>
      {progress !== undefined && (
        <span role="status">{words.progress(progress.done, progress.all)}</span>
      )}
      <Button size="small" refused={refused} onClick={() => setAsking('tag')}>
        {words.setTag}
      </Button>
      <Button size="small" refused={refused} onClick={() => setAsking('optOut')}>
        {words.optOut}
      </Button>
      <Button size="small" kind="danger" refused={refused} onClick={() => setAsking('erase')}>
        {words.erase}
      </Button>
      <span className="grow" />
      {!isAll && everyone !== undefined && total !== undefined && total > n && (
        <Button size="small" kind="quiet" onClick={onAll}>
          {words.selectAll(total)}
        </Button>
      )}
      <Button size="small" kind="quiet" onClick={selection.clear}>
        {words.unselect}
      </Button>
      {asking === 'tag' && <SetTag {...dialog} onApply={(tags) => void act({ tags })} />}
      {asking === 'optOut' && <OptOut {...dialog} onApply={(suppress) => void act({ suppress })} />}
      <Confirm
        title={words.eraseTitle(n)}
        action={words.erase}
        typed={words.eraseTyped(n)}
        isOpen={asking === 'erase'}
        isBusy={progress !== undefined}
        error={problem}
        onConfirm={() => void act({ delete: true })}
        onClose={close}
      >
        {words.eraseText}
      </Confirm>
    </>
  );
}

/** Changes them all, a part after the other. */
function useChange(who: BulkWho, onDone: () => void) {
  const [problem, setProblem] = useState<string>();
  const { run, progress } = useBulk();
  const forget = () => setProblem(undefined);
  const act = async (action: BulkAction) => {
    forget();
    try {
      const { changed, failed } = await run(who, action);
      onDone();
      const done = action.delete === true ? words.erased(changed) : words.changed(changed);
      tellDone(failed === 0 ? done : `${done} ${words.partly(failed)}`);
    } catch (error) {
      setProblem(asApiError(error).message);
    }
  };
  return { act, progress, problem, forget };
}
