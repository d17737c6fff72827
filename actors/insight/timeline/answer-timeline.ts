// Answers a person's timeline: asks the app's actor for the person and what only memory has, then
// has the pool read.

import type { MessageOf, ReplyOf } from '../../../engine/actor/protocol.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { askActor, type PoolQuestion, readFor } from '../../pool-question.ts';
import { placeOfTimeline } from './page.ts';
import { timelineRead } from './pool-read.ts';
import type { TimelineProtocol } from './protocol.ts';

export const answerTimeline: PoolQuestion<MessageOf<TimelineProtocol, 'timeline.read'>> = (
  host,
  app,
  { kind: _kind, limit, cursor, ...caller },
  answer,
) => {
  const place = cursor === undefined ? { carried: [] } : placeOfTimeline(app, cursor);
  if (place === undefined) {
    answer({ ok: false, fault: fieldFault('cursor', 'invalid cursor for this list') });
    return;
  }
  const located: MessageOf<TimelineProtocol, 'timeline.locate'> = {
    ...caller,
    kind: 'timeline.locate',
    withNow: cursor === undefined,
  };
  askActor<ReplyOf<TimelineProtocol, 'timeline.locate'>>(
    host,
    app,
    located,
    answer,
    ({ now, ...known }) => {
      const what = { ...known, place, limit };
      readFor(host, app, timelineRead, what, answer, (found) =>
        answer({ ok: true, value: { ...found, now } }),
      );
    },
  );
};
