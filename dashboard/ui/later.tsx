// Draws what is below the first look after it, in short pieces, so that a slow phone can react to a
// touch in between. Without this, React draws a new answer in one long task.

import { type ReactNode, useDeferredValue } from 'react';

export function Later({ children }: { readonly children: ReactNode }) {
  const isDrawn = useDeferredValue(true, false);
  return isDrawn ? children : null;
}
