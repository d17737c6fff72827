// Answers `events.list`: the app's actor resolves the person, then the pool reads the page.

import type { MessageOf, ReplyOf } from '../../../engine/actor/protocol.ts';
import { askActor, type PoolQuestion, readFor } from '../../pool-question.ts';
import type { EventsProtocol } from '../protocol.ts';
import { eventsRead } from './pool-read.ts';

export const listEvents: PoolQuestion<MessageOf<EventsProtocol, 'events.list'>> = (
  host,
  app,
  message,
  answer,
) => {
  const { subscriberId, ...query } = message.query;
  // With the caller: the actor checks the whole app id, not only the ordinal.
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
      // A file may still have events past their retention.
      const fromMs = Math.max(query.fromMs ?? 0, keptFromMs);
      const what = { app, query: { ...query, ...whose, fromMs }, erased };
      readFor(host, app, eventsRead, what, answer, (value) => answer({ ok: true, value }));
    },
  );
};
