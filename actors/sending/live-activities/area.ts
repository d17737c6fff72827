// Live Activities: their push tokens, updates and ends.

import { liveActivities, liveActivitiesOfPeople } from '../../../storage/tables/live-activity.ts';
import type { Area } from '../../area.ts';

import { liveActivitiesApplies } from './apply.ts';
import { checkLiveActivities } from './check.ts';
import { type LiveActivitiesRules, liveActivitiesDecisions } from './decide.ts';
import type { LiveActivitiesMemory, LiveActivitiesView } from './memory.ts';
import { forgottenActivities, mergedActivities } from './registry.ts';

export const liveActivitiesArea = {
  name: 'live-activities',
  decide: (rules: LiveActivitiesRules) => liveActivitiesDecisions(rules),
  apply: liveActivitiesApplies,
  silent: ['live_activity.changed'],
  check: checkLiveActivities,
  stores: { 'live_activity.register': 'adds' },
  whenDiskIsFull: ['live_activity.list'],
  stored: { tables: [['people', liveActivities]] },
  tables: [liveActivities, liveActivitiesOfPeople],
  on: {
    erasePerson: (_app, { person }, context) => forgottenActivities(person, context),
    expirePerson: (_app, { person }, context) => forgottenActivities(person, context),
    mergePeople: mergedActivities,
  },
} as const satisfies Area<never, LiveActivitiesMemory, LiveActivitiesView, object>;
