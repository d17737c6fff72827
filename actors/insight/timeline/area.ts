// The area of timelines: why a send was not delivered, and what happened to a person.

import type { MessageOf } from '../../../engine/actor/protocol.ts';
import type { Area } from '../../area.ts';
import { answerPreviewSend } from './answer-preview-send.ts';
import { answerTimeline } from './answer-timeline.ts';

import { explainUnknown, type TimelineRules, timelineDecisions } from './decide.ts';
import type { TimelineMemory, TimelineView } from './memory.ts';
import type { TimelineProtocol } from './protocol.ts';

export const timelineArea = {
  name: 'timeline',
  decide: (rules: TimelineRules) => timelineDecisions(rules),
  unknown: {
    'send.explain': ({ id }: MessageOf<TimelineProtocol, 'send.explain'>, blind) =>
      explainUnknown(id, blind),
  },
  asks: { 'timeline.read': answerTimeline, 'send.preview': answerPreviewSend },
  whenDiskIsFull: [
    'send.explain',
    'send.content',
    'send.preview_facts',
    'timeline.locate',
    'timeline.names',
  ],
} as const satisfies Area<never, TimelineMemory, TimelineView, object>;
