// Decisions about events. Reading them back is no decision: it is a long read that the host does off the actor.

import { accepted, refused } from '../../engine/actor/message.ts';
import type { Decisions } from '../../engine/actor/protocol.ts';
import { withApp } from '../accounts/decide.ts';
import { readPerson } from '../audience/decide.ts';
import { notFound } from '../faults.ts';
import type { PartitionState } from '../state.ts';
import { ingest } from './ingest.ts';
import type { EventsProtocol } from './protocol.ts';

/** What actors answer; `events.list` is answered by the host, after `events.locate`. */
export const eventsDecisions: Omit<Decisions<EventsProtocol, PartitionState>, 'events.list'> = {
  'events.ingest': (state, { keyless }, context) =>
    withApp(state, context, (app) => ingest(state, app, keyless, context)),

  'events.locate': (state, { subscriberId }, context) =>
    withApp<EventsProtocol['events.locate']['reply']>(state, context, (app) => {
      const erased = [...app.people.erased];
      if (subscriberId === undefined) return accepted({ app: context.owner, person: null, erased });
      const row = readPerson(app, { id: subscriberId }, context);
      if (row === undefined) return refused(notFound('subscriberId: subscriber'));
      return accepted({ app: context.owner, person: row.person, erased });
    }),
};
