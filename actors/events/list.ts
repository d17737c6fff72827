// Answers a read of events: asks the app's actor whom it is about, reads the durable log, and puts the people's names
// to what it found. The actor is asked twice and never waits for the reading in between.

import type { Answer } from '../../engine/actor/message.ts';
import type { Partition } from '../../engine/actor/partition.ts';
import type { MessageOf } from '../../engine/actor/protocol.ts';
import type { PartitionStore } from '../../engine/actor/store.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import { Documents } from '../../storage/documents.ts';
import { subscribers } from '../../storage/tables/subscriber.ts';
import type { EventsProtocol, EventView } from './protocol.ts';
import { type FoundEvent, readEvents } from './read.ts';

/** Answers `events.list` for one app of a partition. */
export function listEvents(
  { partition, store }: { readonly partition: Partition; readonly store: PartitionStore },
  app: Ordinal,
  message: MessageOf<EventsProtocol, 'events.list'>,
  answer: (answer: Answer) => void,
): void {
  const { subscriberId, ...query } = message.query;
  partition.deliver({
    to: app,
    lane: 'express',
    deadlineMs: Number.POSITIVE_INFINITY,
    bytes: undefined,
    message: {
      kind: 'events.locate',
      by: message.by,
      ...(subscriberId === undefined ? {} : { subscriberId }),
    } as MessageOf<EventsProtocol, 'events.locate'>,
    answer: (located) => {
      if (!located.ok) {
        answer(located);
        return;
      }
      const { person, erased } = located.value as EventsProtocol['events.locate']['reply'];
      const wanted = { ...query, ...(person === null ? {} : { person }), limit: query.limit + 1 };
      const found = readEvents(store, app, wanted, new Set(erased));
      const page = found.slice(0, query.limit);
      const last = page[page.length - 1];
      const more = found.length > query.limit && last !== undefined;
      answer({
        ok: true,
        value: {
          items: withPeople(page, app, store),
          nextCursor: more ? last.seq.toString(36) : null,
        },
      });
    },
  });
}

function withPeople(
  found: readonly FoundEvent[],
  app: Ordinal,
  store: PartitionStore,
): readonly EventView[] {
  const reader = new Documents(store).bound(app);
  const names = new Map<
    number,
    { readonly id: string; readonly externalUserId?: string } | undefined
  >();
  return found.map(({ person, ...event }) => {
    if (!names.has(person)) names.set(person, reader.get(subscribers, [person]));
    const row = names.get(person);
    return { ...event, subscriberId: row?.id ?? null, externalUserId: row?.externalUserId ?? null };
  });
}
