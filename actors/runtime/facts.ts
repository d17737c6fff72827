// What each entry means to others, by the areas' tables. Events are numbered only here: without
// gaps within an app, in the order in which decisions and the pump return entries.

import type { TimerSet } from '../../engine/actor/machine.ts';
import type { Entry } from '../../engine/actor/message.ts';
import type {
  Carried,
  ClockAccepted,
  ClockConfirmed,
  ClockDoubted,
  DeadLetter,
  TimerFired,
} from '../../engine/actor/runtime-memory.ts';
import { numberedBatch } from '../events/log/batch.ts';
import { type EntryFacts, type EventsOf, noFacts } from '../events/log/entry-facts.ts';
import { type AnyArea, areas } from './areas.ts';
import type { AnyEntry } from './protocols.ts';

type LogEntry =
  | AnyEntry
  | Carried
  | ClockAccepted
  | ClockConfirmed
  | ClockDoubted
  | DeadLetter
  | TimerFired
  | TimerSet;

type Kind = LogEntry['kind'];

const none = () => noFacts;

/** Of the engine's own. */
const engineFacts: Readonly<Record<Exclude<Kind, AnyEntry['kind']>, typeof none>> = {
  'runtime.carried': none,
  'runtime.clock_accepted': none,
  'runtime.clock_confirmed': none,
  'runtime.clock_doubted': none,
  'runtime.dead_letter': none,
  'timer.fired': none,
  'timer.set': none,
};

/** By kind of entry. */
export const factsByKind: Readonly<Record<string, (entry: never) => EntryFacts>> =
  Object.fromEntries([
    ...Object.entries(engineFacts),
    ...areas.flatMap(({ facts = {}, silent = [] }: AnyArea) => [
      ...silent.map((kind) => [kind, none] as const),
      ...(Object.entries(facts) as [string, (entry: never) => EntryFacts][]),
    ]),
  ]);

export function factsOf(entry: Entry): EntryFacts {
  const facts = factsByKind[entry.kind] as ((entry: Entry) => EntryFacts) | undefined;
  if (facts === undefined) throw new Error(`nothing says what ${entry.kind} means`);
  return facts(entry);
}

/** The events that history stores of an entry, in the order of their numbers. */
export const eventsOf: EventsOf = (entry) => factsOf(entry).batches();

/** Sets the number of the entry's first event. Nothing may read the number before. */
export function numberEntry(entry: Entry, firstEvent: number): void {
  const one = entry as LogEntry;
  if ('firstEvent' in one) one.firstEvent = firstEvent;
  else if (one.kind === 'events.tracked') one.batch = numberedBatch(one.batch, firstEvent);
  else if (one.kind === 'suppression.added' && one.unsubscribed !== undefined)
    one.unsubscribed.firstEvent = firstEvent;
}
