// Two people changed the same: keep theirs, keep mine, or see both, side by side and by field.

import { Fragment, useState } from 'react';
import type { Conflict, ConflictAnswer } from '../api/saves.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Time } from '../ui/time.tsx';
import { conflictText } from './conflict-words.ts';
import { bothOf, type Difference } from './versions.ts';

export function ConflictDialog({
  conflict,
  isOwn,
  choose,
}: {
  readonly conflict: Conflict;
  /** The person's own save, in another tab. */
  readonly isOwn: boolean;
  readonly choose: (choice: ConflictAnswer) => void;
}) {
  const [isShown, setShown] = useState(false);
  const { byName, atMs, isDelete, isWhole } = conflict;
  const both = bothOf(conflict);
  const who = isOwn ? conflictText.you : (byName ?? conflictText.someone);
  return (
    <Dialog
      title={conflictText.title}
      isOpen
      isWide={isShown}
      onClose={() => choose('neither')}
      foot={
        <>
          {both.length > 0 && !isShown && (
            <Button onClick={() => setShown(true)}>{conflictText.both}</Button>
          )}
          <Button onClick={() => choose('theirs')}>
            {isDelete ? conflictText.keep : isOwn ? conflictText.keepOther : conflictText.theirs}
          </Button>
          <Button kind={isDelete ? 'danger-primary' : 'primary'} onClick={() => choose('mine')}>
            {isDelete ? conflictText.deleteAnyway : conflictText.mine}
          </Button>
        </>
      }
    >
      <p>
        <strong>{who}</strong> {conflictText.changed} {atMs !== undefined && <Time at={atMs} />}
        {conflictText.after}
      </p>
      {!isDelete && (
        <p className="soft">{isWhole ? conflictText.mineReplacesAll : conflictText.mineReplaces}</p>
      )}
      {isShown && <Both differences={both} isDelete={isDelete} />}
    </Dialog>
  );
}

function Both({
  differences,
  isDelete,
}: {
  readonly differences: readonly Difference[];
  readonly isDelete: boolean;
}) {
  const [left, right] = isDelete
    ? [conflictText.seen, conflictText.now]
    : [conflictText.theirVersion, conflictText.myVersion];
  return (
    <section className="versions" aria-label={conflictText.both}>
      <div className="versions-head" aria-hidden="true">
        <span>{left}</span>
        <span>{right}</span>
      </div>
      <dl>
        {differences.map(({ field, left: one, right: other }) => (
          <Fragment key={field}>
            <dt>{field}</dt>
            <Side label={left} value={one} />
            <Side label={right} value={other} />
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

function Side({ label, value }: { readonly label: string; readonly value: string | undefined }) {
  return (
    <dd>
      <span className="versions-label">{label}</span>
      {value ?? <span className="soft">{conflictText.nothing}</span>}
    </dd>
  );
}
