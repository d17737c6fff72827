// What opens above the page and must be closed: a dialog in the middle, a drawer at the side.

import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useRef, useState } from 'react';
import { words } from '../words/en.ts';
import { Button, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Field } from './field.tsx';
import { TextInput } from './input.tsx';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons. */
  readonly foot?: ReactNode;
  readonly kind?: 'dialog' | 'drawer';
  readonly isWide?: boolean;
}

/**
 * What takes the focus when it opens; the dialog itself without one. `autoFocus` would take it before
 * the dialog has seen what to give it back to.
 */
const firstField =
  '.dialog-body :is(input, textarea, [role="combobox"], .add-choice):not([type="hidden"])';

export function Dialog(props: DialogProps) {
  const { title, isOpen, onClose, children, foot, kind = 'dialog', isWide = false } = props;
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => open || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup
          ref={popup}
          className={classNames(kind, isWide && 'wide')}
          initialFocus={() =>
            popup.current?.querySelector<HTMLElement>(firstField) ?? popup.current
          }
        >
          <div className="dialog-head">
            <Base.Title>{title}</Base.Title>
            <IconButton label={words.dialog.close} icon="close" onClick={onClose} />
          </div>
          <div className="dialog-body">{children}</div>
          {foot !== undefined && <div className="dialog-foot">{foot}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
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
