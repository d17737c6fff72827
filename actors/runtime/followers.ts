// Numbers the events of decided entries and asks the subscribers what follows; when an entry is
// folded, hands them the same facts again.

import type { Entry } from '../../engine/actor/message.ts';
import type { Millis } from '../../engine/base/brand.ts';
import type { Accepted } from '../area.ts';
import { type EntryFacts, noFacts } from '../events/log/entry-facts.ts';
import { factsOf, numberEntry } from './facts.ts';
import type { AppState, PartitionState } from './state.ts';
import { type Consequences, factSubscribers } from './subscribers.ts';

const following = factSubscribers.filter(({ follow }) => follow !== undefined);
const folding = factSubscribers.filter(({ fold }) => fold !== undefined);

export class Followers {
  /** The facts of entries that were decided and are folded next, in this order. */
  readonly #decided: { readonly entry: Entry; readonly facts: EntryFacts }[] = [];
  #folded = 0;

  /** What was decided before has been folded. */
  forget(): void {
    this.#decided.length = 0;
    this.#folded = 0;
  }

  /** Numbers the events of an app's entries and asks the subscribers for consequences. */
  follow(app: AppState, entries: readonly Entry[], nowMs: Millis): readonly Consequences[] {
    const all: EntryFacts[] = [];
    let next = app.nextEvent;
    for (const entry of entries) {
      numberEntry(entry, next);
      const facts = factsOf(entry);
      if (facts === noFacts) continue;
      facts.resolve(app.people);
      next += facts.rows().count;
      all.push(facts);
      this.#decided.push({ entry, facts });
    }
    if (all.length === 0) return [];
    const followed: Consequences[] = [];
    for (const subscriber of following) {
      const one = subscriber.follow?.(app, all, nowMs);
      if (one !== undefined) followed.push(one);
    }
    return followed;
  }

  /** A decision with what its subscribers want done. */
  withFollowed(app: AppState | undefined, decision: Accepted, nowMs: Millis): Accepted {
    const { entries } = decision;
    this.forget();
    if (app === undefined || entries === undefined) return decision;
    const followed = this.follow(app, entries, nowMs);
    if (followed.length === 0) return decision;
    const { tells = [], effects = [], work = 0 } = decision;
    return {
      ...decision,
      tells: [
        ...followed.flatMap((one) => one.first ?? []),
        ...tells,
        ...followed.flatMap((one) => one.tells ?? []),
      ],
      effects: [...effects, ...followed.flatMap((one) => one.effects ?? [])],
      work: followed.reduce((sum, one) => sum + (one.work ?? 0), work),
    };
  }

  fold(app: AppState, entry: Entry, state: PartitionState): void {
    const decided = this.#decided[this.#folded];
    let facts = decided?.facts;
    if (facts !== undefined && decided?.entry === entry) this.#folded++;
    else {
      facts = factsOf(entry);
      if (facts === noFacts) return;
      facts.resolve(app.people);
    }
    for (const subscriber of folding) subscriber.fold?.(app, facts, state);
  }
}
