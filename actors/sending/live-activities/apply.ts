// Folds nothing: the registry is in its tables alone, and what is queued for an activity is a send
// like any other.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { PartitionState } from '../../state.ts';
import type { LiveActivitiesEntry } from './protocol.ts';

export const liveActivitiesApplies: Applies<LiveActivitiesEntry, PartitionState> = {
  'live_activity.changed': () => {},
};
