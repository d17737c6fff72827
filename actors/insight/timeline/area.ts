// The area of timelines: why a send was not delivered, and what happened to a person.

import type { Area } from '../../area.ts';

import { type TimelineRules, timelineDecisions } from './decide.ts';
import type { TimelineMemory, TimelineView } from './view.ts';

export const timelineArea = {
  name: 'timeline',
  decide: (rules: TimelineRules) => timelineDecisions(rules),
  whenDiskIsFull: [
    'send.explain',
    'send.content',
    'send.preview_facts',
    'timeline.locate',
    'timeline.names',
  ],
} as const satisfies Area<never, TimelineMemory, TimelineView, object>;
