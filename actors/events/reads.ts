// What other areas read of the event stream, and what their folds do to it.

import type { EventsApp, EventsPartition } from './state.ts';

export type EventsReads = Readonly<EventsApp>;

/** Which event ids were seen lately. */
export interface SeenEventIds extends Readonly<Pick<EventsPartition, 'eventIdKey'>> {
  readonly eventIds: Pick<EventsPartition['eventIds'], 'has'>;
}

export interface SeenEventIdsFolds {
  readonly eventIds: Pick<EventsPartition['eventIds'], 'addIfAbsent'>;
}
