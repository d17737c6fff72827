// The end of a turn: apps that are ready let their sends begin, in turns; then areas add what
// those mean, such as webhooks.

import type { PumpContext, PumpResult } from '../../engine/actor/machine.ts';
import type { DocumentWrite, Effect, Entry, Tell } from '../../engine/actor/message.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import { limits } from '../limits.ts';
import type { Clocks } from './clocks.ts';
import type { Followers } from './followers.ts';
import type { PartitionState } from './state.ts';

interface Begun {
  readonly entries: Entry[];
  readonly documents: (DocumentWrite & { readonly owner: Ordinal })[];
  readonly effects: Effect[];
  readonly tells: Tell[];
}

const nothing = (): Begun => ({ entries: [], documents: [], effects: [], tells: [] });

/** About `budget` pieces of work; `undefined` if there are none. `mayStart`: sends may begin. */
export function startWork(
  state: PartitionState,
  clocks: Clocks,
  followers: Followers,
  context: PumpContext,
  budget: number,
  mayStart: boolean,
): PumpResult | undefined {
  let begun = nothing();
  if (mayStart && state.ready.size > 0) startApps(state, clocks, followers, context, budget, begun);
  let isAny = begun.entries.length > 0;
  if (!isAny) begun = nothing(); // what has no entry did not happen
  for (const { effects, tells } of clocks.end(state, context, begun.entries, mayStart)) {
    begun.effects.push(...effects);
    begun.tells.push(...tells);
    isAny = true;
  }
  return isAny ? begun : undefined;
}

function startApps(
  state: PartitionState,
  clocks: Clocks,
  followers: Followers,
  context: PumpContext,
  budget: number,
  begun: Begun,
): void {
  const { ready } = state;
  followers.forget();
  let left = budget;
  let people: number = context.isShared ? limits.turnPeopleSharedMax : limits.turnPeopleMax;
  for (const owner of [...ready]) {
    const app = context.quarantined.has(owner) ? undefined : state.apps.get(owner);
    if (app === undefined) {
      ready.delete(owner);
      continue;
    }
    const own: Entry[] = [];
    let isAny = false;
    let handled = 0;
    let served: number | undefined;
    for (const one of clocks.start(state, app, { context, left, people })) {
      isAny = true;
      own.push(...one.entries);
      begun.documents.push(...(one.documents ?? []));
      begun.effects.push(...one.effects);
      handled += one.handled ?? 0;
      if (one.people !== undefined) served = (served ?? 0) + one.people;
    }
    if (!isAny) {
      // Without room left in this turn, the next one asks. Else the app is back by the entry that
      // gives it credit, or at a due time.
      if (people > 0 || !clocks.hasMore(app)) ready.delete(owner);
      continue;
    }
    begun.entries.push(...own);
    for (const one of followers.follow(app, own, context.nowMs)) {
      begun.tells.push(...(one.first ?? []), ...(one.tells ?? []));
      begun.effects.push(...(one.effects ?? []));
    }
    left -= handled;
    people -= served ?? 0;
    if (served !== undefined) {
      // Round-robin: move a served app to the back.
      ready.delete(owner);
      ready.add(owner);
    }
    if (left <= 0) break;
  }
}
