// Live Activities: one row for each lock-screen widget that an app has registered, with the token
// that reaches it now. A second table says which are whose, since erasing, merging and listing a
// person ask for theirs alone.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

/** `ended`: its end was accepted. `closed`: its token is dead. */
export type LiveActivityState = 'active' | 'ended' | 'closed';

export interface LiveActivityRow {
  readonly id: string;
  readonly person: PersonOrdinal;
  readonly subscriberId: string;
  readonly activityType: string;
  /** In lower case. */
  readonly pushToken: string;
  /** When this token was registered, and how many there were before it. */
  readonly tokenMs: Millis;
  readonly rotations: number;
  /** The device that shows it, where the app has said so. */
  readonly deviceId?: string;
  /** What the activity was started with. */
  readonly attributes?: object;
  readonly state: LiveActivityState;
  /**
   * Unix seconds of the newest update or end; 0 before the first. A device drops an update that is
   * not newer than the one it shows.
   */
  readonly timestamp: number;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

/** Key: [id, `la_…`]. */
export const liveActivities = defineTable<LiveActivityRow>()({
  id: 27,
  name: 'live activities',
  version: 1,
  fields: [
    'id',
    'person',
    'subscriberId',
    'activityType',
    'pushToken',
    'tokenMs',
    'rotations',
    'deviceId',
    'attributes',
    'state',
    'timestamp',
    'createdMs',
    'updatedMs',
  ],
});

/** Whose an activity is. */
interface LiveActivityOfPersonRow {
  readonly id: string;
}

/** Key: [person ordinal, id]. */
export const liveActivitiesOfPeople = defineTable<LiveActivityOfPersonRow>()({
  id: 28,
  name: 'live activities of people',
  version: 1,
  fields: ['id'],
});
