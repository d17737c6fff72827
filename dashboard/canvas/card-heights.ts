// How high the cards of a journey are: all alike, for the longest of their sentences.

import { useMemo } from 'react';
import { stepSentence } from './kinds.ts';
import { cardHeight } from './layout.ts';
import { allSteps } from './model.ts';
import type { JourneyView } from './outline.tsx';

/** What a line of figures adds. */
const figuresPx = 32;
/** A third line of a sentence, which only longer ones need. */
const thirdLinePx = 16;
const twoLinesChars = 40;

export function useCardHeights({
  steps,
  names,
  trigger,
  figures,
}: Pick<JourneyView, 'steps' | 'names' | 'trigger' | 'figures'>) {
  const isLong = useMemo(
    () =>
      [trigger, ...allSteps(steps).map(({ step }) => stepSentence(step, names))].some(
        ({ length }) => length > twoLinesChars,
      ),
    [trigger, steps, names],
  );
  const startPx = cardHeight + (isLong ? thirdLinePx : 0);
  return { isLong, startPx, cardPx: startPx + (figures === undefined ? 0 : figuresPx) };
}
