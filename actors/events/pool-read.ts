// The read of this area that the pool makes.

import type { ReplyOf } from '../../engine/actor/protocol.ts';
import type { Ordinal, PersonOrdinal } from '../../engine/base/brand.ts';
import type { PoolRead } from '../pool-question.ts';
import type { EventQuery, EventsProtocol } from './protocol.ts';

/** A read of events with everything about its app settled: what a pool task is given. */
export interface EventsRead {
  readonly app: Ordinal;
  readonly query: EventQuery;
  readonly erased: readonly PersonOrdinal[];
}

export type EventsReply = ReplyOf<EventsProtocol, 'events.list'>;

/** A page of events. */
export const eventsRead: PoolRead<EventsRead, EventsReply> = {
  name: 'events',
  of: 'events',
};
