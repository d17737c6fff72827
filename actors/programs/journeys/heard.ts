// The events of an app that one of its journeys listens for, as messages for the same turn. What
// journeys bring about themselves, their own rows and the receipts of what they send, enrols
// nobody, or two of them could go round for ever; goals hear it all the same.

import type { Tell } from '../../../engine/actor/message.ts';
import type { EntryFacts } from '../../events/facts.ts';
import type { Heard } from './protocol.ts';
import type { JourneysView } from './view.ts';

/** What telling a journey of one event costs, as `Decision.work` counts: some microseconds. */
const workOfMove = 256;

/** The messages that tell journeys of these events; `undefined` for most. */
export function heardBy(
  app: JourneysView,
  facts: readonly EntryFacts[],
): { readonly tells: readonly Tell[]; readonly work: number } | undefined {
  const { listeners } = app.journeys;
  if (listeners.isEmpty) return undefined;
  const heardOf = new Map<string, Heard[]>();
  let work = 0;
  const tell = (id: string, heard: Heard) => {
    work += workOfMove;
    const some = heardOf.get(id);
    if (some === undefined) heardOf.set(id, [heard]);
    else some.push(heard);
  };
  for (const one of facts) {
    const rows = one.rows();
    const listening = rows.names.map((name) => listeners.to(name));
    if (listening.every((some) => some === undefined)) continue;
    for (let row = 0; row < rows.count; row++) {
      const index = rows.nameIndex(row);
      const some = listening[index];
      if (some === undefined) continue;
      const person = app.people.canonical(rows.person(row));
      const name = rows.names[index] as string;
      const mayEnroll = one.mayEnroll(row);
      const heard: Heard = { person, name, atMs: rows.atMs(row), mayEnroll };
      for (const id of some.waiting) tell(id, heard);
      if (!mayEnroll) continue;
      for (const id of some.triggered) if (!some.waiting.has(id)) tell(id, heard);
    }
  }
  if (work === 0) return undefined;
  const tells = [...heardOf].map(([id, heard]) => ({
    to: app.record.ordinal,
    message: { kind: 'journey.hear', by: -1, id, heard } as Tell['message'],
  }));
  return { tells, work };
}
