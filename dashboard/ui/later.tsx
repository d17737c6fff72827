// What is below the first look: drawn after it, in short pieces, so that a slow phone takes a touch
// meanwhile. React draws an answer that came in one go otherwise.

import { type ReactNode, useDeferredValue } from 'react';

export function Later({ children }: { readonly children: ReactNode }) {
  const isDrawn = useDeferredValue(true, false);
  return isDrawn ? children : null;
}
