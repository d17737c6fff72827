// Loads the names of HTML's signs for whoever shows texts that have them.

import { useEffect, useReducer } from 'react';
import { loadEntities } from './entities.ts';

/** Draws again once all names are known. */
export function useEntities(): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let isShown = true;
    // Without the table a name stays as it was written.
    loadEntities().then(
      () => isShown && redraw(),
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, []);
}
