// A button's menu of actions. What opens loads when the button is first pressed, or ahead when it
// is near: most screens have menus, and few visits open one.

import { cloneElement, type KeyboardEvent, useState } from 'react';
import { loadPopups, type MenuProps } from './above-page.ts';
import { loadAhead, useLateAbove } from './late.tsx';

const load = () => loadPopups().then((file) => file.MenuPopup);

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
