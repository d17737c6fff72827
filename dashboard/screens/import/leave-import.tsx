// Asks before the page of a running import is left: nothing would show what it answers.

import { useState } from 'react';
import { Confirm } from '../../ui/dialog.tsx';
import { useLeaveGuard } from '../../ui/leave-guard.ts';
import { words } from './words.ts';

export function LeaveImport({
  isRunning,
  onStop,
}: {
  readonly isRunning: boolean;
  readonly onStop: () => void;
}) {
  const [leave, setLeave] = useState<() => void>();
  useLeaveGuard({ isAtRisk: () => isRunning, ask: (next) => setLeave(() => next) });
  return (
    <Confirm
      title={words.leave.title}
      action={words.leave.action}
      isOpen={leave !== undefined}
      onConfirm={() => {
        onStop();
        leave?.();
      }}
      onClose={() => setLeave(undefined)}
    >
      <p>{words.leave.text}</p>
    </Confirm>
  );
}
