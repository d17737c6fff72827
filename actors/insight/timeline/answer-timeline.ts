// Answers a person's timeline: asks the app's actor for the person and what only memory has, then
// has the pool read.

import type { Answer } from '../../../engine/actor/message.ts';
import type { MessageOf, ReplyOf } from '../../../engine/actor/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { askActor, type PoolQuestion, type ReadingHost, readFor } from '../../pool-question.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import { toldOf, withNames } from './names.ts';
import { placeOfTimeline } from './page.ts';
import { timelineRead } from './pool-read.ts';
import type { StoryEntry, TimelineProtocol } from './protocol.ts';

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
    ({ now, newestEvent: _newest, ...known }) => {
      const what = { ...known, place, limit };
      readFor(host, app, timelineRead, what, answer, ({ items, nextCursor }) =>
        named(host, app, caller, [...items, ...now], answer, (entries) => {
          const all = { items: entries.slice(0, items.length), now: entries.slice(items.length) };
          answer({ ok: true, value: { ...all, nextCursor } });
        }),
      );
    },
  );
};

/** The pool reads events, which have ids alone; the names are in the actor's memory. */
function named(
  host: ReadingHost,
  app: Ordinal,
  { by }: Pick<Caller, 'by'>,
  entries: readonly StoryEntry[],
  answer: (answer: Answer) => void,
  then: (entries: readonly StoryEntry[]) => void,
): void {
  const ids = toldOf(entries);
  if (ids.length === 0) {
    then(entries);
    return;
  }
  const asked: MessageOf<TimelineProtocol, 'timeline.names'> = { kind: 'timeline.names', by, ids };
  askActor<ReplyOf<TimelineProtocol, 'timeline.names'>>(host, app, asked, answer, (names) =>
    then(withNames(entries, names)),
  );
}
