// A dialog or a drawer that is open, or was.

import { Dialog as Base } from '@base-ui/react/dialog';
import { useEffect, useEffectEvent, useRef } from 'react';
import { words } from '../words/en.ts';
import type { DialogProps } from './above-page.ts';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';

/**
 * What takes the focus when it opens; the dialog itself without one. `autoFocus` would take it
 * before the dialog has seen what to give it back to.
 */
const firstField =
  '.dialog-body :is(input, textarea, [role="combobox"], .add-choice):not([type="hidden"], [hidden])';

export function DialogPopup(props: DialogProps) {
  const { title, isOpen, onClose, children, foot, kind = 'dialog', isWide = false } = props;
  const { focusAfter } = props;
  const popup = useRef<HTMLDivElement>(null);
  const first = () => popup.current?.querySelector<HTMLElement>(firstField) ?? popup.current;
  // A field that loads later may take the place of the one that was about to get the focus.
  const keepFocusInside = useEffectEvent(() => {
    if (popup.current?.contains(document.activeElement) === false) first()?.focus();
  });
  useEffect(() => (isOpen ? afterTwoFrames(() => keepFocusInside()) : undefined), [isOpen]);
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => open || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup
          ref={popup}
          className={classNames(kind, isWide && 'wide')}
          initialFocus={first}
          finalFocus={() => focusAfter?.() ?? true}
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

/** The dialog chooses what gets the focus in one task and gives it in the next frame. */
function afterTwoFrames(act: () => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(act);
  });
  return () => cancelAnimationFrame(frame);
}
