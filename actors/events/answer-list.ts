// Answers a list of events: asks the app's actor whom it is about and whom it must not show, then
// has them read.

import type { MessageOf, ReplyOf } from '../../engine/actor/protocol.ts';
import { askActor, type PoolQuestion, readFor } from '../pool-question.ts';
import { eventsRead } from './pool-read.ts';
import type { EventsProtocol } from './protocol.ts';

/** Answers `events.list` for one app of a partition. */
export const listEvents: PoolQuestion<MessageOf<EventsProtocol, 'events.list'>> = (
  host,
  app,
  message,
  answer,
) => {
  const { subscriberId, ...query } = message.query;
  // Whom the call named goes along: all of an app's id has to be right, not only the ordinal that
  // leads here.
  const { query: _query, ...caller } = message;
  const located: MessageOf<EventsProtocol, 'events.locate'> = {
    ...caller,
    kind: 'events.locate',
    ...(subscriberId === undefined ? {} : { subscriberId }),
  };
  askActor<ReplyOf<EventsProtocol, 'events.locate'>>(
    host,
    app,
    located,
    answer,
    ({ person, aliases, erased, keptFromMs }) => {
      const whose = person === null ? {} : { person, aliases };
      // What retention has let go may still lie in a file: it is shown no more.
      const fromMs = Math.max(query.fromMs ?? 0, keptFromMs);
      const what = { app, query: { ...query, ...whose, fromMs }, erased };
      readFor(host, app, eventsRead, what, answer, (value) => answer({ ok: true, value }));
    },
  );
};
