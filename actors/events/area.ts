// The event stream: ingest, and reading it back.

import type { Area } from '../area.ts';

import { eventsApplies } from './apply.ts';
import { type EventsRules, eventsDecisions } from './decide.ts';
import { eventIdsPart, eventsOfApp, eventsOfPartition } from './state.ts';
import type { EventsMemory, EventsView } from './view.ts';

export const eventsArea = {
  name: 'events',
  app: eventsOfApp,
  partition: eventsOfPartition,
  parts: [eventIdsPart],
  decide: (rules: EventsRules) => eventsDecisions(rules),
  apply: eventsApplies,
  whenDiskIsFull: ['partition.found', 'events.locate', 'events.list'],
} as const satisfies Area<never, EventsMemory, EventsView, object>;
