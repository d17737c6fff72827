// Widgets on lock screens: their push tokens, updates and ends.

import { liveActivities, liveActivitiesOfPeople } from '../../../storage/tables/live-activity.ts';
import type { Area } from '../../area.ts';
import type { AppState, OrgState, PartitionState } from '../../state.ts';

import { liveActivitiesApplies } from './apply.ts';
import { type LiveActivitiesRules, liveActivitiesDecisions } from './decide.ts';
import { forgottenActivities, mergedActivities } from './registry.ts';

export const liveActivitiesArea = {
  name: 'live-activities',
  decide: (rules: LiveActivitiesRules) => liveActivitiesDecisions(rules),
  apply: liveActivitiesApplies,
  whenDiskIsFull: ['live_activity.list'],
  tables: [liveActivities, liveActivitiesOfPeople],
  on: {
    erasePerson: (_app, { person }, context) => forgottenActivities(person, context),
    mergePeople: mergedActivities,
  },
} as const satisfies Area<never, PartitionState, AppState, OrgState>;
