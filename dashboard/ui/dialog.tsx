// What opens above the page and must be closed: a dialog in the middle, a drawer at the side. It
// loads when it first opens.

import { type ReactNode, useState } from 'react';
import { words } from '../words/en.ts';
import { type DialogProps, loadPopups } from './above-page.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { TextInput } from './input.tsx';
import { useLateAbove } from './late.tsx';

const load = () => loadPopups().then((file) => file.DialogPopup);

export function Dialog(props: DialogProps) {
  // Stays once it was open: it goes out slowly.
  const [isWanted, setWanted] = useState(props.isOpen);
  if (props.isOpen && !isWanted) setWanted(true);
  const View = useLateAbove(load, isWanted, () => {
    setWanted(false);
    props.onClose();
  });
  return View === undefined ? null : <View {...props} />;
}

/** Asks before something that cannot be taken back; `typed` must be typed first. */
export function Confirm({
  title,
  children,
  action,
  typed,
  isOpen,
  isBusy = false,
  error,
  onConfirm,
  onClose,
}: {
  readonly title: string;
  readonly children: ReactNode;
  /** What the button says: "Delete campaign". */
  readonly action: string;
  readonly typed?: string | undefined;
  readonly isOpen: boolean;
  readonly isBusy?: boolean;
  readonly error?: string | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const [text, setText] = useState('');
  const isReady = typed === undefined || text.trim() === typed;
  const close = () => {
    setText('');
    onClose();
  };
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={close}
      foot={
        <>
          <Button onClick={close}>{words.dialog.cancel}</Button>
          <Button kind="danger-primary" isBusy={isBusy} isDisabled={!isReady} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <div>{children}</div>
      {typed !== undefined && (
        <Field label={words.dialog.type(typed)} error={error}>
          <TextInput value={text} onChange={setText} spellCheck={false} />
        </Field>
      )}
      {typed === undefined && error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </Dialog>
  );
}
