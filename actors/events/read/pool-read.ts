// The pool's read of events.

import type { ReplyOf } from '../../../engine/actor/protocol.ts';
import type { Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { PoolRead } from '../../pool-question.ts';
import type { EventQuery, EventsProtocol } from '../protocol.ts';

export interface EventsRead {
  readonly app: Ordinal;
  readonly query: EventQuery;
  readonly erased: readonly PersonOrdinal[];
}

export type EventsReply = ReplyOf<EventsProtocol, 'events.list'>;

export const eventsRead: PoolRead<EventsRead, EventsReply> = {
  name: 'events',
  of: 'events',
};
