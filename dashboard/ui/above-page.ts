// What opens above the page, as the page knows it: what a dialog and a menu are given. What draws
// them (`popups.tsx`) loads late, all as one; who starts the page says how.

import type { ComponentType, ReactElement, ReactNode } from 'react';
import type { IconName } from './icon-paths.ts';

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

export type MenuItem =
  | {
      readonly label: string;
      readonly icon?: IconName;
      readonly hint?: string;
      /** A place in the dashboard, or what to do. */
      readonly to?: string;
      readonly onChoose?: () => void;
      readonly isDanger?: boolean;
      /** Why it cannot be chosen. */
      readonly refused?: string | undefined;
      readonly isChecked?: boolean;
    }
  | { readonly line: string }
  | { readonly heading: string };

export interface MenuProps {
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly items: readonly MenuItem[];
}

interface Popups {
  readonly DialogPopup: ComponentType<DialogProps>;
  readonly MenuPopup: ComponentType<MenuProps>;
}

let load: (() => Promise<Popups>) | undefined;

/** Called once, before the page is drawn. */
export function loadPopupsBy(how: () => Promise<Popups>): void {
  load = how;
}

export async function loadPopups(): Promise<Popups> {
  if (load === undefined) throw new Error('nothing says how what opens above the page loads');
  return load();
}
