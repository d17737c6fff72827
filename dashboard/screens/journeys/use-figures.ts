// The live figures of a journey: asked for again while it is live or people are in it.

import type { Journey, JourneyStats } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import type { StepFigures } from '../../canvas/step-counts.tsx';
import { useApp } from '../../frame/session-context.tsx';

const everyMs = 5_000;

export interface Figures {
  readonly stats: JourneyStats | undefined;
  /** `undefined` for a journey that nobody ever was in. */
  readonly bySteps: ReadonlyMap<string, StepFigures> | undefined;
}

export function useFigures(journey: Journey | undefined): Figures {
  const app = useApp();
  const isLive = journey?.active === true;
  const { data } = useRead(
    'readJourneyStats',
    { path: { appId: app.id, id: journey?.id ?? '' } },
    { enabled: journey !== undefined, everyMs: isLive && everyMs },
  );
  const isKnown = data !== undefined && (isLive || data.enrolled > 0);
  return { stats: data, bySteps: isKnown ? new Map(Object.entries(data.bySteps)) : undefined };
}
