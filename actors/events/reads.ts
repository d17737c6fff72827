// What other areas read of the event stream, and what their folds change in it.

import type { EventsApp, EventsPartition } from './memory.ts';

export type EventsReads = Readonly<EventsApp>;

export interface SeenEventIds extends Readonly<Pick<EventsPartition, 'eventIdKey'>> {
  readonly eventIds: Pick<EventsPartition['eventIds'], 'has'>;
}

export interface SeenEventIdsFolds {
  readonly eventIds: Pick<EventsPartition['eventIds'], 'addIfAbsent'>;
}
