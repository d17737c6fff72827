// Folds nothing: the registry is in its tables alone, and what is queued for an activity is a send
// like any other.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { LiveActivitiesEntry } from './protocol.ts';
import type { LiveActivitiesMemory } from './view.ts';

export const liveActivitiesApplies: Applies<LiveActivitiesEntry, LiveActivitiesMemory> = {
  'live_activity.changed': () => {},
};
