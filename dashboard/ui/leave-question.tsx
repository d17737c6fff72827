// Asks before a screen with unsaved changes is left. What was typed stays in the browser.

import { useState } from 'react';
import { words } from '../words/en.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { useLeaveGuard } from './leave-guard.ts';

const text = words.draft;

export function LeaveQuestion({
  isDirtyNow,
  isDirtyAtClose = isDirtyNow,
  isKept,
  onDiscard,
}: {
  /** Asked at the moment of leaving. */
  readonly isDirtyNow: () => boolean;
  /** The same when the tab closes, where it differs. */
  readonly isDirtyAtClose?: () => boolean;
  /** What was typed stays in the browser, so leaving loses nothing. */
  readonly isKept: boolean;
  readonly onDiscard: () => void;
}) {
  const [leave, setLeave] = useState<() => void>();
  useLeaveGuard({
    isAtRisk: isDirtyNow,
    isAtRiskAtClose: isDirtyAtClose,
    ask: (next) => setLeave(() => next),
  });
  if (leave === undefined) return null;
  const stay = () => setLeave(undefined);
  const discard = () => {
    onDiscard();
    leave();
  };
  return (
    <Dialog
      title={text.leave}
      isOpen
      onClose={stay}
      foot={
        <>
          <Button kind="danger" onClick={discard}>
            {text.leaveAndDiscard}
          </Button>
          {isKept && <Button onClick={leave}>{text.leaveAndKeep}</Button>}
          <Button kind="primary" onClick={stay} autoFocus>
            {text.stay}
          </Button>
        </>
      }
    >
      <p>{isKept ? text.kept : text.lost}</p>
    </Dialog>
  );
}
