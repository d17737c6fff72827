// A short explanation that shows on hover and focus.

import { Tooltip } from '@base-ui/react/tooltip';
import { cloneElement, type ReactElement } from 'react';

export function Tip({
  text,
  isName = false,
  children,
}: {
  readonly text: string | undefined;
  /** It is the name of what it explains, which has it already. */
  readonly isName?: boolean;
  readonly children: ReactElement<Record<string, unknown>>;
}) {
  if (text === undefined) return children;
  return (
    <Tooltip.Root>
      <Tooltip.Trigger
        render={isName ? children : cloneElement(children, { 'aria-description': text })}
      />
      <Tooltip.Portal>
        <Tooltip.Positioner className="popup-layer" sideOffset={6} collisionPadding={8}>
          {/* Screen readers have it from the trigger. */}
          <Tooltip.Popup className="tooltip" aria-hidden="true">
            {text}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
