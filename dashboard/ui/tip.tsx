// A short explanation that shows on hover and focus.

import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';

export function Tip({
  text,
  children,
}: {
  readonly text: string | undefined;
  readonly children: ReactElement<Record<string, unknown>>;
}) {
  if (text === undefined) return children;
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner className="popup-layer" sideOffset={6} collisionPadding={8}>
          <Tooltip.Popup className="tooltip">{text}</Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
