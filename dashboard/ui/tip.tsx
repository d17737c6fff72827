// A short explanation that shows on hover and focus. `tip-popup.tsx` shows it: one for the whole
// page, because a table has hundreds of buttons.

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
  return cloneElement(children, {
    'data-tip': text,
    ...(isName ? {} : { 'aria-description': text }),
  });
}
