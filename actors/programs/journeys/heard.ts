// What the entries of a decision, or of a pump, are to the journeys of an app: the events in them
// that one listens for, as messages for the same turn. What a reader would get wrong: what journeys
// bring about themselves, their own rows and the receipts of what they send, enrols nobody, or two
// of them could go round for ever. Goals hear it all the same.

import type { Entry, Tell } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { unpackOrdinals } from '../../../engine/base/ordinal-list.ts';
import { decodeBatch } from '../../events/event-batch.ts';
import { eventsOfMove } from '../../events/journey-moves.ts';
import type { EventsEntry } from '../../events/protocol.ts';
import type { AudienceEntry } from '../../people/audience/protocol.ts';
import { isDeferral } from '../../sending/dispatch/entries.ts';
import type { TransactionalEntry } from '../../sending/transactional/protocol.ts';
import type { AppState } from '../../state.ts';
import type { CampaignsEntry } from '../campaigns/entries.ts';
import type { JourneysEntry } from './entries.ts';
import type { Listening } from './listeners.ts';
import type { Heard } from './protocol.ts';

type EventEntry =
  | CampaignsEntry
  | EventsEntry
  | JourneysEntry
  | TransactionalEntry
  | Extract<AudienceEntry, { kind: 'suppression.added' }>;

/** The messages that tell journeys of the events in these entries; empty for most. */
export function heardBy(app: AppState, entries: readonly Entry[]): readonly Tell[] {
  const { listeners } = app.journeys;
  if (listeners.isEmpty) return [];
  const heardOf = new Map<string, Heard[]>();
  const tell = (id: string, heard: Heard) => {
    const some = heardOf.get(id);
    if (some === undefined) heardOf.set(id, [heard]);
    else some.push(heard);
  };
  const note = (listening: Listening | undefined, heard: Heard) => {
    if (listening === undefined) return;
    for (const id of listening.waiting) tell(id, heard);
    if (!heard.mayEnroll) return;
    for (const id of listening.triggered) if (!listening.waiting.has(id)) tell(id, heard);
  };
  const happened = (name: string, person: PersonOrdinal, atMs: Millis, mayEnroll = true) =>
    note(listeners.to(name), { person, name, atMs, mayEnroll });
  for (const entry of entries as readonly EventEntry[]) {
    switch (entry.kind) {
      case 'events.tracked': {
        const batch = decodeBatch(entry.batch);
        const listening = batch.names.map((name) => listeners.to(name));
        if (listening.every((one) => one === undefined)) break;
        for (let row = 0; row < batch.count; row++) {
          const index = batch.nameIndex(row);
          if (listening[index] === undefined) continue;
          const name = batch.names[index] as string;
          const person = app.people.canonical(batch.person(row));
          note(listening[index], { person, name, atMs: batch.atMs(row), mayEnroll: true });
        }
        break;
      }
      case 'attempts.settled':
        for (const { settlement, origin } of entry.items) {
          if (settlement.next !== 'done') continue;
          const { status, person } = settlement.receipt;
          happened(status, person, entry.atMs, origin?.journeyId === undefined);
        }
        break;
      case 'campaign.decided': {
        const names = entry.turns.map((turn) => {
          if (turn.turn === 'suppress') return 'suppressed';
          return turn.turn === 'hold' && isDeferral(turn.reason) ? 'deferred' : undefined;
        });
        eachCoded(names, entry, (name, person) => happened(name, person, entry.atMs));
        break;
      }
      case 'wave.settled':
        eachCoded(
          entry.kinds.map(({ status }) => status),
          entry,
          // Somebody else by now, perhaps: rows keep the number that they were handed out under.
          (name, person) => happened(name, app.people.canonical(person), entry.atMs),
        );
        break;
      case 'send.queued':
        if (entry.targets.length === 0) happened('suppressed', entry.person, entry.atMs);
        break;
      case 'suppression.added':
        for (const person of entry.unsubscribed?.people ?? [])
          happened('unsubscribed', person, entry.unsubscribed?.atMs ?? 0);
        break;
      case 'journey.moved':
        unpackOrdinals(entry.people).forEach((person, i) => {
          const move = entry.moves[entry.codes?.[i] ?? 0];
          for (const { name } of move === undefined ? [] : eventsOfMove(move))
            happened(name, person, entry.atMs, false);
        });
        break;
    }
  }
  return [...heardOf].map(([id, heard]) => ({
    to: app.record.ordinal,
    message: { kind: 'journey.hear', by: -1, id, heard } as Tell['message'],
  }));

  /** People of a coded column whose name somebody listens for. */
  function eachCoded(
    names: readonly (string | undefined)[],
    { people, codes }: { readonly people: Uint8Array; readonly codes?: Uint8Array },
    visit: (name: string, person: PersonOrdinal) => void,
  ): void {
    const wanted = names.map((name) =>
      name !== undefined && listeners.to(name) !== undefined ? name : undefined,
    );
    if (wanted.every((name) => name === undefined)) return;
    unpackOrdinals(people).forEach((person, i) => {
      const name = wanted[codes?.[i] ?? 0];
      if (name !== undefined) visit(name, person);
    });
  }
}
