// Decides about events. The host answers `events.list` from the pool, after `events.locate`.

import { accepted, type Decision, refused } from '../../engine/actor/message.ts';
import type { Decisions } from '../../engine/actor/protocol.ts';
import { newHashKey } from '../../engine/base/hash.ts';
import { unknownId } from '../faults.ts';
import { readPerson } from '../people/audience/find-person.ts';
import type { ReadToken } from '../people/audience/read-token.ts';
import { keptFromMs } from '../tenants/accounts/records.ts';
import { withApp } from '../tenants/accounts/with-app.ts';
import { ingest, ingestParts } from './ingest/ingest.ts';
import type { EventsMemory } from './memory.ts';
import type { EventsProtocol, FoundingEntry, FoundingProtocol } from './protocol.ts';

export interface EventsRules {
  readonly keyring: { readonly read: ReadToken };
}

export const eventsDecisions = ({
  keyring: { read: readToken },
}: EventsRules): Omit<Decisions<EventsProtocol, EventsMemory>, 'events.list'> &
  Decisions<FoundingProtocol, EventsMemory> => ({
  'events.ingest': (state, { keyless, clientToken, room, names, strict = false, parts }, context) =>
    withApp(state, context, (app) => {
      if (parts !== undefined) return ingestParts(state, app, parts, context);
      if (!keyless) return ingest(state, app, undefined, strict, context);
      if (clientToken === undefined) return ingest(state, app, { room, names }, strict, context);
      const read = readToken(app, clientToken, context);
      if ('fault' in read) return refused(read.fault);
      const { row, isProven: isVouched } = read;
      const sender = { proven: row.person, isVouched, room, names };
      return ingest(state, app, sender, strict, context);
    }),

  'events.newest': (state, _message, context) =>
    withApp(state, context, ({ nextEvent }) => accepted(nextEvent - 1)),

  'events.locate': (state, { subscriberId }, context) =>
    withApp(state, context, (app): Decision<EventsProtocol['events.locate']['reply']> => {
      const fromMs = keptFromMs(app.settings, context.ages, context.nowMs);
      if (subscriberId === undefined) {
        const erased = [...app.people.erased];
        return accepted({
          app: context.owner,
          person: null,
          aliases: [],
          erased,
          keptFromMs: fromMs,
        });
      }
      const row = readPerson(app, { id: subscriberId }, context);
      if (row === undefined) return refused(unknownId('subscriberId', 'subscriber', subscriberId));
      const aliases = app.people.aliasesOf(row.person);
      // One person's ordinals are never erased, and that set may be long.
      return accepted({
        app: context.owner,
        person: row.person,
        aliases,
        erased: [],
        keptFromMs: fromMs,
      });
    }),

  'partition.found': (_state, _message, { rng }) => {
    const eventIdKey = newHashKey(rng);
    const entry: FoundingEntry = { kind: 'partition.founded', owner: 0, eventIdKey };
    return accepted(null, { entries: [entry] });
  },
});
