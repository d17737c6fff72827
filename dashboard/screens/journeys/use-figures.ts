// The figures of a journey, which move by themselves while it is live.

import type { Journey, JourneyStats } from '../../api/generated.ts';
import { useLiveRead } from '../../api/live.ts';
import { useApp } from '../../api/session-context.tsx';
import type { StepFigures } from '../../canvas/step-counts.tsx';

export interface Figures {
  readonly stats: JourneyStats | undefined;
  /** `undefined` for a journey that nobody ever was in; empty until they are read. */
  readonly bySteps: ReadonlyMap<string, StepFigures> | undefined;
}

export function useFigures(journey: Journey | undefined): Figures {
  const app = useApp();
  const isLive = journey?.active === true;
  const { data } = useLiveRead(
    app.id,
    'readJourneyStats',
    { path: { appId: app.id, id: journey?.id ?? '' } },
    {
      topics: isLive ? [`journey:${journey.id}`] : [],
      isLive: () => isLive,
      enabled: journey !== undefined,
    },
  );
  const hasSome = isLive || (data !== undefined && data.enrolled > 0);
  return {
    stats: data,
    bySteps: hasSome ? new Map(Object.entries(data?.bySteps ?? {})) : undefined,
  };
}
