// Live Activities: a row per registered lock-screen widget with its current token. A second table
// lists them by person, for erasing, merging and listing.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

/** `ended`: end accepted. `closed`: token dead. */
export type LiveActivityState = 'active' | 'ended' | 'closed';

export interface LiveActivityRow {
  readonly id: string;
  readonly person: PersonOrdinal;
  readonly subscriberId: string;
  readonly activityType: string;
  /** Lower case. */
  readonly pushToken: string;
  /** When this token was registered, and the count before it. */
  readonly tokenMs: Millis;
  readonly rotations: number;
  /** The device that shows it, if the app named one. */
  readonly deviceId?: string;
  /** As started. */
  readonly attributes?: object;
  readonly state: LiveActivityState;
  /** Unix seconds of the last update or end; 0 before. Devices drop updates that are not newer. */
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
