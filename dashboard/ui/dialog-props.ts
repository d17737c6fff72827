// What a dialog is given, by the page and from the file that loads when it opens.

import type { ReactNode } from 'react';

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons. */
  readonly foot?: ReactNode;
  readonly kind?: 'dialog' | 'drawer';
  readonly isWide?: boolean;
  /** What gets the focus when it closes; `undefined` for what had it before. */
  readonly focusAfter?: () => HTMLElement | undefined;
}
