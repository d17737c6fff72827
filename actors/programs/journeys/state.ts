// What memory holds of journeys.

import type { AppBorn, Slice } from '../../area.ts';
import { Journeys, type JourneysSnapshot } from './journeys.ts';

export interface JourneysApp {
  readonly journeys: Journeys;
}

type Snapshot = { readonly journeys: JourneysSnapshot };

export const journeysOfApp: Slice<JourneysApp, Snapshot, AppBorn> = {
  make: () => ({ journeys: new Journeys() }),
  snapshot: ({ journeys }) => ({ journeys: journeys.snapshot() }),
  restore: ({ journeys }) => ({ journeys: Journeys.restore(journeys) }),
};
