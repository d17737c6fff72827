// Live Activities: their push tokens, updates and ends.

import { liveActivities, liveActivitiesOfPeople } from '../../../storage/tables/live-activity.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import type { Area } from '../../area.ts';
import { type AppCheck, type CheckedApp, checkOf } from '../../area-check.ts';
import { liveActivitiesApplies } from './apply.ts';
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

/** Checks what is stored twice: each Live Activity is in its person's list. */
function checkLiveActivities(_app: unknown, { documents, problem }: CheckedApp): AppCheck {
  return {
    rows: [
      checkOf(liveActivities, ({ id, person, subscriberId }, key) => {
        const at = `: the Live Activity ${id}`;
        if (key[0] !== id) problem(`${at} is stored under ${String(key[0])}`);
        if (documents.get(liveActivitiesOfPeople, [person, id])?.id !== id)
          problem(`${at} is not in the list of person ${person}`);
        if (documents.get(subscribers, [person])?.id !== subscriberId)
          problem(`${at} belongs to ${subscriberId}, which person ${person} is not`);
      }),
      checkOf(liveActivitiesOfPeople, ({ id }, key) => {
        if (documents.get(liveActivities, [id])?.person !== key[0])
          problem(
            `: the list of person ${String(key[0])} has the Live Activity ${id}, which belongs to someone else`,
          );
      }),
    ],
  };
}
