// Turns events that journeys listen for into messages of the same turn. Events caused by journeys,
// and receipts of their sends, enroll nobody, or two journeys could loop; goals still get them. The
// app's settings say what events without proof may do.

import type { Tell } from '../../../engine/actor/message.ts';
import type { EntryFacts } from '../../events/log/entry-facts.ts';
import type { JourneysView } from './memory.ts';
import { type JourneyEvent, journeyTell } from './protocol.ts';

/** The cost of one event for one journey, as `Decision.work` counts: some microseconds. */
const workOfMove = 256;

/** `undefined` if no journey listens, as usual. */
export function journeyEventTells(
  app: JourneysView,
  facts: readonly EntryFacts[],
): { readonly tells: readonly Tell[]; readonly work: number } | undefined {
  const { listeners } = app.journeys;
  const { startJourneys = true, countEngagement = true } = app.settings.keylessEvents ?? {};
  if (listeners.isEmpty) return undefined;
  const eventsOf = new Map<string, JourneyEvent[]>();
  let work = 0;
  const tell = (id: string, event: JourneyEvent) => {
    work += workOfMove;
    const some = eventsOf.get(id);
    if (some === undefined) eventsOf.set(id, [event]);
    else some.push(event);
  };
  for (const one of facts) {
    const rows = one.rows();
    const listening = rows.names.map((name) => listeners.to(name));
    if (listening.every((some) => some === undefined)) continue;
    for (let row = 0; row < rows.count; row++) {
      const index = rows.nameIndex(row);
      const some = listening[index];
      if (some === undefined || one.isByMachine(row)) continue;
      const person = app.people.canonical(rows.person(row));
      const name = rows.names[index] as string;
      const isVouched = one.isVouched(person);
      const mayEnroll = one.mayEnroll(row) && (isVouched || startJourneys);
      const mayConvert = isVouched || countEngagement;
      const event: JourneyEvent = {
        ...{ person, name, atMs: rows.atMs(row), mayEnroll, isVouched },
        ...(!mayConvert && { mayConvert }),
      };
      if (mayConvert) for (const id of some.waiting) tell(id, event);
      if (!mayEnroll) continue;
      for (const id of some.triggered) if (!mayConvert || !some.waiting.has(id)) tell(id, event);
    }
  }
  if (work === 0) return undefined;
  const { ordinal } = app.record;
  const tells = [...eventsOf].map(([id, heard]) =>
    journeyTell(ordinal, { kind: 'journey.hear', id, heard }),
  );
  return { tells, work };
}
