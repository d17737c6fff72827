// Asks what to do with unsaved changes when the editor is left.

import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { words } from './words.ts';

const text = words.leave;

export function LeaveDialog({
  onStay,
  onLeave,
  onDiscard,
}: {
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
          <Button onClick={onLeave}>{text.go}</Button>
          <Button kind="primary" onClick={onStay} autoFocus>
            {text.stay}
          </Button>
        </>
      }
    >
      <p>{text.text}</p>
    </Dialog>
  );
}
