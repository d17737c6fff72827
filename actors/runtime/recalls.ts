// What the dispatchers must not begin any more after a decision, as the areas say.

import type { Effect, Entry } from '../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../engine/base/brand.ts';
import type { Recall } from '../recall.ts';
import type { DispatchRecall } from '../sending/dispatch/protocol.ts';
import { type AnyArea, areas } from './areas.ts';
import { byKind } from './by-kind.ts';
import type { AppState, PartitionState } from './state.ts';

type RecallOf = (state: PartitionState, entry: Entry) => Recall | undefined;

const recalls = byKind(({ recalls }) => recalls) as ReadonlyMap<string, RecallOf>;
const inFlightOf = areas.flatMap(({ inFlight }: AnyArea) => inFlight ?? []);

/** One for each recall; the host thread passes them to all dispatchers. */
export function recallsOf(state: PartitionState, entries: readonly Entry[]): readonly Effect[] {
  let effects: Effect[] | undefined;
  for (const entry of entries) {
    const recall = recalls.get(entry.kind)?.(state, entry);
    const message = recall && messageOf(state, entry.owner, recall);
    if (message === undefined) continue;
    effects ??= [];
    effects.push({ port: 'host', message });
  }
  return effects ?? none;
}

const none: readonly Effect[] = [];

function messageOf(
  { apps }: PartitionState,
  owner: number,
  { people, areErased = false, ...rest }: Recall,
): DispatchRecall | undefined {
  const recall = { kind: 'dispatch.recall' as const, app: owner, ...rest };
  if (people === undefined) return recall;
  const app = apps.get(owner);
  const found = app && inFlight(app, people, areErased);
  return found && { ...recall, people: found };
}

/** The ordinals, former ones too, of those with something in flight. */
function inFlight(
  app: AppState,
  people: Iterable<PersonOrdinal>,
  areErased: boolean,
): PersonOrdinal[] | undefined {
  const asks = inFlightOf.flatMap((of) => of(app, areErased) ?? []);
  if (asks.length === 0) return undefined;
  let found: PersonOrdinal[] | undefined;
  for (const person of people) {
    const names = [person, ...app.people.aliasesOf(person)] as const;
    if (!asks.some((ask) => ask(names))) continue;
    found ??= [];
    found.push(...names);
  }
  return found;
}
