// The org's accent color on what its people see.

import { type RefObject, useLayoutEffect } from 'react';
import { judge } from './contrast.ts';

/** Sets the color of buttons and of text on them; `false` for the default colors. */
export function useLookColors(
  place: RefObject<HTMLElement | null>,
  accent: string | null | undefined,
): boolean {
  const judged = judge(accent ?? '');
  const [act, on] = judged === undefined ? ['', ''] : [accent ?? '', judged.on];
  useLayoutEffect(() => {
    place.current?.style.setProperty('--look-act', act);
    place.current?.style.setProperty('--look-on', on);
  }, [place, act, on]);
  return judged !== undefined;
}
