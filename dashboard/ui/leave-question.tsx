// Asks before a screen with unsaved changes is left. What was typed stays in the browser.

import { useState } from 'react';
import { LeaveDialog } from './leave-dialog.tsx';
import { useLeaveGuard } from './leave-guard.ts';

export function LeaveQuestion({
  isDirtyNow,
  isDirtyAtClose = isDirtyNow,
  isKept = true,
  onDiscard,
}: {
  /** Asked at the moment of leaving. */
  readonly isDirtyNow: () => boolean;
  /** The same when the tab closes, where it differs. */
  readonly isDirtyAtClose?: () => boolean;
  readonly isKept?: boolean;
  readonly onDiscard: () => void;
}) {
  const [leave, setLeave] = useState<() => void>();
  useLeaveGuard({
    isAtRisk: isDirtyNow,
    isAtRiskAtClose: isDirtyAtClose,
    ask: (next) => setLeave(() => next),
  });
  if (leave === undefined) return null;
  return (
    <LeaveDialog
      isKept={isKept}
      onStay={() => setLeave(undefined)}
      onLeave={leave}
      onDiscard={() => {
        onDiscard();
        leave();
      }}
    />
  );
}
