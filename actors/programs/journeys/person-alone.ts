// One person's columns alone, so that a walk on a virtual clock can track events on them; the live
// filter compiler reads them. Copies only what the filters need. Counts that no column keeps must
// be passed in (`uncounted-times.ts`), or they would start at zero.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { TagValue } from '../../../storage/tables/subscriber.ts';
import { countedNames, matches } from '../../audiences/segments/evaluate.ts';
import { eachCondition, type Filter } from '../../audiences/segments/filter.ts';
import type { TraitsReads } from '../../audiences/segments/reads.ts';
import { Traits } from '../../audiences/segments/traits.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';

/** A stored person with their tags; a person whose events are replayed; or a fictional person. */
export type Walker =
  | {
      readonly traits: TraitsReads;
      readonly person: PersonOrdinal;
      readonly tags: Readonly<Record<string, TagValue>>;
    }
  | {
      readonly createdMs: Millis;
      readonly tags?: Readonly<Record<string, TagValue>>;
      readonly reach?: ReadonlySet<ChannelId>;
    };

const alone: PersonOrdinal = 0;

export class PersonAlone {
  readonly #traits = new Traits();

  constructor(walker: Walker, filters: readonly Filter[]) {
    const own = this.#traits;
    own.addPerson(
      alone,
      'traits' in walker ? walker.traits.created.at(walker.person) : walker.createdMs,
    );
    for (const filter of filters)
      for (const [name, kept] of countedNames(filter)) {
        own.collect(name, Math.max(kept, own.timesOf(name)?.kept ?? 0));
        own.becomeWhole(name);
      }
    if ('traits' in walker) this.#copy(walker, filters);
    else {
      own.setTags(alone, walker.tags ?? {});
      own.setReach(alone, walker.reach ?? new Set());
    }
  }

  /** Records an event on the virtual clock. */
  track(name: string, atMs: Millis): void {
    this.#traits.track(alone, name, atMs);
  }

  matches(filter: Filter, nowMs: Millis): boolean {
    return matches(filter, this.#traits, alone, nowMs);
  }

  #copy(
    { traits, person, tags }: Extract<Walker, { traits: TraitsReads }>,
    filters: readonly Filter[],
  ): void {
    const own = this.#traits;
    own.setTags(alone, tags);
    own.setReach(
      alone,
      new Set(channelIds.filter((channel) => traits.reachOn(channel).test(person))),
    );
    own.activity.touch(alone, traits.activity.at(person), own.next);
    // None is later than the newest activity, so that stays as it is.
    for (const name of eventNamesOf(filters)) {
      const atMs = traits.events.get(name)?.at(person) ?? 0;
      if (atMs > 0) own.track(alone, name, atMs);
      own.counted.get(name)?.times.forget(alone); // it is in `times`, too
      const times = traits.timesOf(name);
      if (times !== undefined) own.fillIn(name, times, person, person + 1, () => alone);
    }
  }
}

function eventNamesOf(filters: readonly Filter[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const filter of filters)
    eachCondition(filter, (condition) => {
      if ('event' in condition) names.add(condition.event);
    });
  return names;
}
