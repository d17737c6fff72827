// The event and tag names of an app that nobody vouched for: only calls without a key have used
// them, and no filter or journey. Unvouched event names make room for each other; tags do not,
// because records hold their values.

import { beaconNames } from '../../events/ingest/names.ts';
import { limits } from '../../limits.ts';
import { isChoiceTag } from '../../people/topics/choice-tag.ts';
import type { Names } from './records.ts';

export interface UnvouchedNamesSnapshot {
  readonly events: readonly string[];
  readonly tags: readonly string[];
  readonly brought: number;
}

type Known = Pick<ReadonlyMap<string, unknown>, 'has'>;

/** Names brought between two trims: a trim reads every filter of the app. */
const trimEvery = 50;
/** What a trim leaves of the bound, so that the next one is not due at once. */
const keptShare = 0.9;
export const unvouchedKept = limits.namesKeylessMax * keptShare;

const beacons: ReadonlySet<string> = new Set(beaconNames);

export class UnvouchedNames {
  /** In order of their last use. */
  readonly events = new Set<string>();
  readonly tags = new Set<string>();
  #brought = 0;

  get isTrimDue(): boolean {
    if (this.#brought < trimEvery) return false;
    return this.events.size > limits.namesKeylessMax || this.tags.size > unvouchedKept;
  }

  /** Names of an entry's events, before the columns `known` have them. */
  noteEvents(names: readonly string[], known: Known, isKeyless: boolean): void {
    if (!isKeyless) {
      if (this.events.size > 0) for (const name of names) this.events.delete(name);
      return;
    }
    for (const name of names) {
      if (this.events.delete(name)) this.events.add(name);
      else if (!known.has(name) && !beacons.has(name)) {
        this.events.add(name);
        this.#brought++;
      }
    }
  }

  /** The same for changed tags. Choices name the app's own topics. */
  noteTags(changed: Readonly<Record<string, unknown>>, known: Known, isKeyless: boolean): void {
    if (!isKeyless && this.tags.size === 0) return;
    for (const tag in changed) {
      if (!isKeyless) this.tags.delete(tag);
      else if (changed[tag] !== null && !known.has(tag) && !isChoiceTag(tag)) {
        this.tags.add(tag);
        this.#brought++;
      }
    }
  }

  /** Vouched for, or gone. */
  remove({ events, tags }: Names): void {
    for (const name of events) this.events.delete(name);
    for (const name of tags) this.tags.delete(name);
  }

  trimmed(): void {
    this.#brought = 0;
  }

  snapshot(): UnvouchedNamesSnapshot {
    return { events: [...this.events], tags: [...this.tags], brought: this.#brought };
  }

  /** Without a snapshot, as from before this was noted, all names are vouched for. */
  static restore(from: UnvouchedNamesSnapshot | undefined): UnvouchedNames {
    const names = new UnvouchedNames();
    for (const name of from?.events ?? []) names.events.add(name);
    for (const name of from?.tags ?? []) names.tags.add(name);
    names.#brought = from?.brought ?? 0;
    return names;
  }
}
