// Folds nothing: the registry is only in tables, and updates are ordinary sends.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { LiveActivitiesMemory } from './memory.ts';
import type { LiveActivitiesEntry } from './protocol.ts';

export const liveActivitiesApplies: Applies<LiveActivitiesEntry, LiveActivitiesMemory> = {
  'live_activity.changed': () => {},
};
