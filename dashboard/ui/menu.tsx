// A button's menu of actions. What opens loads when the button is first pressed, or ahead when it
// is near: most screens have menus, and few visits open one.

import { cloneElement, type KeyboardEvent, type ReactElement, useState } from 'react';
import type { IconName } from './icon-paths.ts';
import { loadAhead, useLateAbove } from './late.tsx';

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

const load = () => import('./popups.tsx').then((file) => file.MenuPopup);

function loadSoon(): void {
  void loadAhead(load);
}

export function Menu(props: MenuProps) {
  const [isWanted, setWanted] = useState(false);
  const View = useLateAbove(load, isWanted, () => setWanted(false));
  if (View !== undefined) return <View {...props} />;
  return cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWanted(true),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      setWanted(true);
    },
    onPointerEnter: loadSoon,
    onFocus: loadSoon,
  });
}
