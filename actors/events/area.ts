// The event stream: ingest, and reading it back.

import type { Message } from '../../engine/actor/message.ts';
import { hourMs } from '../../engine/base/brand.ts';
import type { Area } from '../area.ts';
import { eventsApplies } from './apply.ts';
import { type EventsRules, eventsDecisions } from './decide.ts';
import { audienceFacts, eventsFacts } from './facts.ts';
import {
  type EventsMemory,
  type EventsView,
  eventIdsPart,
  eventsOfApp,
  eventsOfPartition,
} from './memory.ts';
import { listEvents } from './read/answer-list.ts';

const found = { kind: 'partition.found', by: -1 } as Message;

export const eventsArea = {
  name: 'events',
  app: eventsOfApp,
  clock: () => ({
    resume: ({ eventIdKey }: EventsMemory) =>
      eventIdKey === undefined ? [{ to: 0, message: found }] : [],
  }),
  partition: eventsOfPartition,
  parts: [eventIdsPart],
  decide: (rules: EventsRules) => eventsDecisions(rules),
  apply: eventsApplies,
  facts: { ...eventsFacts, ...audienceFacts },
  silent: ['partition.founded'],
  asks: { 'events.list': listEvents },
  stores: { 'events.ingest': 'adds' },
  whenDiskIsFull: ['partition.found', 'events.locate', 'events.newest', 'events.list'],
  on: {
    clockRebased: ({ eventIds }, to) =>
      eventIds.rebase(Math.floor(to.toMs / hourMs), (hour) =>
        Math.floor(to.stamp(hour * hourMs) / hourMs),
      ),
  },
} as const satisfies Area<never, EventsMemory, EventsView, object>;
