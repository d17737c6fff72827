// The actions of one row, behind three dots at its end.

import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';
import type { MenuItem } from './menu-props.ts';

export function RowMenu({
  label,
  items,
}: {
  readonly label: string;
  readonly items: readonly MenuItem[];
}) {
  return (
    <Menu
      trigger={
        <button type="button" className="button quiet small icon-only row-menu" aria-label={label}>
          <Icon name="more" />
        </button>
      }
      items={items}
    />
  );
}
