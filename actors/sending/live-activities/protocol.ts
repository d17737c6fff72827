// Messages of Live Activities: keyless clients register and rotate; the tenant lists, updates,
// ends. Clients name their person by a token, never an id; another's activity does not exist.

import type { Entry } from '../../../engine/actor/message.ts';
import type { LiveActivityRow, LiveActivityState } from '../../../storage/tables/live-activity.ts';
import type { LiveActivityContent } from '../../channels/port/live-activity.ts';
import type { OrderedPage, Page, PersonRef } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { IdempotencyClaim } from '../transactional/idempotency-claim.ts';

export interface LiveActivityInput {
  readonly activityType: string;
  /** In lower case. */
  readonly pushToken: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  /** The device of the same person that shows it. */
  readonly deviceId?: string;
}

export type LiveActivityChange = Omit<LiveActivityContent, 'timestamp'>;

/** Never contains the token. */
export interface LiveActivityView extends LiveActivityFacts {
  readonly externalUserId?: string;
}

type LiveActivityFacts = Pick<
  LiveActivityRow,
  | 'id'
  | 'activityType'
  | 'subscriberId'
  | 'state'
  | 'attributes'
  | 'deviceId'
  | 'createdMs'
  | 'updatedMs'
>;

export interface LiveActivitiesProtocol {
  /** Idempotent for the same token of the same person. */
  'live_activity.register': {
    body: Caller & { clientToken: string; activity: LiveActivityInput };
    reply: { id: string };
  };
  'live_activity.rotate': {
    body: Caller & { id: string; clientToken: string; pushToken: string };
    reply: { id: string; state: LiveActivityState };
  };
  /** Queues a send; the id is the send's. */
  'live_activity.push': {
    body: Caller & { id: string; change: LiveActivityChange; claim: IdempotencyClaim | null };
    reply: { id: string; replayed: boolean };
  };
  /** A page may be short or empty; only `nextCursor: null` ends the list. */
  'live_activity.list': {
    body: Caller & OrderedPage & { to?: PersonRef; state?: LiveActivityState };
    reply: Page<LiveActivityView>;
  };
}

/** Nothing is in memory: rows are read where they are needed. */
export type LiveActivitiesEntry = Entry & {
  readonly kind: 'live_activity.changed';
  readonly id: string;
  readonly state: LiveActivityState;
};
