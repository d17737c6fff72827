// Frequency caps: how often marketing may reach a person within rolling hours, over all channels or
// on one. Stores only what some cap asks for; a new cap counts from when it was set. A fold.
// Source: contract, section 3.

import type { Rebase } from '../../../engine/actor/machine.ts';
import { hourMs, type Millis, type PersonOrdinal } from '../../../engine/base/brand.ts';
import { NewestTimes } from '../../audiences/segments/newest-times.ts';
import type { NewestTimesSnapshot } from '../../audiences/segments/records.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { FrequencyCap } from '../../tenants/accounts/records.ts';

type Scope = ChannelId | 'all';

export type CapCountsSnapshot = readonly (readonly [Scope, NewestTimesSnapshot])[];

const none = () => 0;

export class CapCounts {
  readonly #times = new Map<Scope, NewestTimes>();

  /**
   * `isFirst`: over all channels, only a message's first send counts. `ahead`: sends not yet
   * folded.
   */
  isReached(
    caps: readonly FrequencyCap[],
    person: PersonOrdinal,
    channel: ChannelId,
    nowMs: Millis,
    isFirst = true,
    ahead: (cap: FrequencyCap) => number = none,
  ): boolean {
    for (const cap of caps) {
      if (cap.channel === undefined ? !isFirst : cap.channel !== channel) continue;
      const rank = cap.max - ahead(cap);
      if (rank <= 0) return true;
      const atMs = this.#times.get(cap.channel ?? 'all')?.at(person, rank) ?? 0;
      if (atMs > nowMs - cap.perHours * hourMs) return true;
    }
    return false;
  }

  /** `undefined` if no cap asks. `isFirst`: the message's first send to this person. */
  counter(
    caps: readonly FrequencyCap[],
    channel: ChannelId,
    next: PersonOrdinal,
  ): ((person: PersonOrdinal, isFirst: boolean, atMs: Millis) => void) | undefined {
    const on = this.#scope(caps, channel, next);
    const all = this.#scope(caps, 'all', next);
    if (on === undefined && all === undefined) return undefined;
    return (person, isFirst, atMs) => {
      on?.add(person, atMs, next);
      if (isFirst) all?.add(person, atMs, next);
    };
  }

  merge(from: PersonOrdinal, into: PersonOrdinal, next: PersonOrdinal): void {
    for (const times of this.#times.values()) times.addAll(times, from, into, next);
    this.forget(from);
  }

  forget(person: PersonOrdinal): void {
    for (const times of this.#times.values()) times.forget(person);
  }

  /** Follows changed settings: drops scopes without a cap and makes room for higher caps. */
  keepFor(caps: readonly FrequencyCap[], next: PersonOrdinal): void {
    const scopes = new Set<Scope>(caps.map((cap) => cap.channel ?? 'all'));
    for (const scope of this.#times.keys()) if (!scopes.has(scope)) this.#times.delete(scope);
    for (const cap of caps) this.#reach(cap.channel ?? 'all', cap.max, next);
  }

  /** `next`: how many people exist. */
  rebase(to: Rebase, next: PersonOrdinal): void {
    for (const [scope, before] of this.#times) {
      const times = new NewestTimes(before.kept);
      for (let person = 0; person < next; person++)
        for (let rank = 1; before.at(person, rank) > 0; rank++)
          times.add(person, to.stamp(before.at(person, rank)), next);
      this.#times.set(scope, times);
    }
  }

  snapshot(): CapCountsSnapshot {
    return [...this.#times].map(([scope, times]) => [scope, times.snapshot()]);
  }

  static restore(from: CapCountsSnapshot): CapCounts {
    const counts = new CapCounts();
    for (const [scope, times] of from) counts.#times.set(scope, NewestTimes.restore(times));
    return counts;
  }

  #scope(
    caps: readonly FrequencyCap[],
    scope: Scope,
    next: PersonOrdinal,
  ): NewestTimes | undefined {
    const kept = caps.reduce(
      (most, cap) => ((cap.channel ?? 'all') === scope ? Math.max(most, cap.max) : most),
      0,
    );
    return kept === 0 ? undefined : this.#reach(scope, kept, next);
  }

  #reach(scope: Scope, kept: number, next: PersonOrdinal): NewestTimes {
    const before = this.#times.get(scope);
    if (before !== undefined && before.kept >= kept) return before;
    const times = new NewestTimes(kept);
    if (before !== undefined)
      for (let person = 0; person < next; person++) times.addAll(before, person, person, next);
    this.#times.set(scope, times);
    return times;
  }
}
