// The area of timelines: why a send was not delivered, and what happened to a person.

import type { MessageOf } from '../../../engine/actor/protocol.ts';
import type { Area } from '../../area.ts';
import { askActor, type PoolQuestion, readFor } from '../../pool-question.ts';
import { answerTimeline } from './answer-timeline.ts';
import { explainUnknown, type TimelineRules, timelineDecisions } from './decide.ts';
import type { TimelineMemory, TimelineView } from './memory.ts';
import { sentRead } from './pool-read.ts';
import type { SentFacts, TimelineProtocol } from './protocol.ts';

type Asked = MessageOf<TimelineProtocol, 'send.preview'>;

/**
 * Answers `send.preview`: the app's actor knows what was sent, and the pool composes it, because a
 * mail for a provider costs as much as a send.
 */
const answerPreviewSend: PoolQuestion<Asked> = (host, app, asked, answer) => {
  const facts = { ...asked, kind: 'send.preview_facts' } as const;
  askActor<SentFacts | 'unfound'>(host, app, facts, answer, (found) => {
    if (found === 'unfound') {
      answer({ ok: true, value: found });
      return;
    }
    readFor(host, app, sentRead, found, answer, (value) => answer({ ok: true, value }));
  });
};

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
