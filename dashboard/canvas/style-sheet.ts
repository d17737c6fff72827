// Loads a style sheet that only a lazy part needs, once for the page.

import { useEffect, useState } from 'react';

const loading = new Map<string, Promise<void>>();

function load(path: string): Promise<void> {
  const known = loading.get(path);
  if (known !== undefined) return known;
  const link = document.createElement('link');
  const loaded = new Promise<void>((resolve) => {
    link.addEventListener('load', () => resolve());
    // Without its styles a part is plain, but it works.
    link.addEventListener('error', () => resolve());
  });
  link.rel = 'stylesheet';
  link.href = path;
  document.head.append(link);
  loading.set(path, loaded);
  return loaded;
}

/** Whether the sheet is there. */
export function useStyleSheet(path: string): boolean {
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    let isShown = true;
    void load(path).then(() => isShown && setThere(true));
    return () => {
      isShown = false;
    };
  }, [path]);
  return isThere;
}
