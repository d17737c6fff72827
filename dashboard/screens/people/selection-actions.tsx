// What can be done with the selected people: set a tag, erase.

import { useState } from 'react';
import { useRefusal } from '../../frame/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import type { Selection } from '../../ui/table.tsx';
import { tellDone, tellError } from '../../ui/toast.tsx';
import { type BulkChange, useBulk } from './bulk.ts';
import { SetTag } from './set-tag.tsx';
import { words } from './words.ts';

export function SelectionActions({
  selection,
  shown,
}: {
  readonly selection: Selection;
  /** Keys of the rows that are here. */
  readonly shown: () => readonly string[];
}) {
  const refused = useRefusal('write');
  const [asking, setAsking] = useState<'tag' | 'erase'>();
  const { run, progress } = useBulk();
  const n = selection.keys.size;
  const others = shown().filter((key) => !selection.keys.has(key));
  const act = async (change: BulkChange) => {
    const { changed, failed, problem } = await run([...selection.keys], change);
    setAsking(undefined);
    selection.clear();
    // What failed stays selected, to be tried again.
    for (const id of failed) selection.toggle(id);
    if (changed > 0) tellDone('erase' in change ? words.erased(changed) : words.tagged(changed));
    if (problem !== undefined) tellError(words.partly(failed.length, problem));
  };
  return (
    <>
      {progress !== undefined && (
        <span role="status">{words.progress(progress.done, progress.all)}</span>
      )}
      <Button size="small" refused={refused} onClick={() => setAsking('tag')}>
        {words.setTag}
      </Button>
      <Button size="small" kind="danger" refused={refused} onClick={() => setAsking('erase')}>
        {words.erase}
      </Button>
      <span className="grow" />
      {others.length > 0 && (
        <Button size="small" kind="quiet" onClick={() => selection.add(others)}>
          {words.selectShown(n + others.length)}
        </Button>
      )}
      <Button size="small" kind="quiet" onClick={selection.clear}>
        {words.unselect}
      </Button>
      {asking === 'tag' && (
        <SetTag
          people={n}
          isBusy={progress !== undefined}
          onApply={(tags) => void act({ tags })}
          onClose={() => setAsking(undefined)}
        />
      )}
      <Confirm
        title={words.eraseTitle(n)}
        action={words.erase}
        typed={words.eraseTyped(n)}
        isOpen={asking === 'erase'}
        isBusy={progress !== undefined}
        onConfirm={() => void act({ erase: true })}
        onClose={() => setAsking(undefined)}
      >
        {words.eraseText}
      </Confirm>
    </>
  );
}
