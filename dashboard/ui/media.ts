// Facts of the screen that change what is drawn, not only how.

import { useSyncExternalStore } from 'react';

const narrow = '(max-width: 640px)';
const cramped = '(max-width: 1100px)';

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = matchMedia(query);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    () => matchMedia(query).matches,
  );
}

/** A phone: two-line rows, stacked editors. */
export function useIsNarrow(): boolean {
  return useMedia(narrow);
}

/** No room for three columns: a tablet, a window beside another. */
export function useIsCramped(): boolean {
  return useMedia(cramped);
}
