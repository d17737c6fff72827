// Asks what to do with unsaved changes when a screen is left.

import { words } from '../words/en.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

const text = words.leave;

export function LeaveDialog({
  isKept = false,
  onStay,
  onLeave,
  onDiscard,
}: {
  /** What was typed stays in the browser, so leaving loses nothing. */
  readonly isKept?: boolean;
  readonly onStay: () => void;
  readonly onLeave: () => void;
  readonly onDiscard: () => void;
}) {
  return (
    <Dialog
      title={text.title}
      isOpen
      onClose={onStay}
      foot={
        <>
          <Button kind="danger" onClick={onDiscard}>
            {text.discard}
          </Button>
          {isKept && <Button onClick={onLeave}>{text.go}</Button>}
          <Button kind="primary" onClick={onStay} autoFocus>
            {text.stay}
          </Button>
        </>
      }
    >
      <p>{isKept ? text.kept : text.lost}</p>
    </Dialog>
  );
}
