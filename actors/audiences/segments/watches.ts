// Segments whose membership somebody follows. What a reader would get wrong: who was in is part of
// the fold, so that a restart knows what followers were told; who is due to change by time alone is
// not (`membership-clock.ts`).

import { Bitset } from '../../../engine/base/bitset.ts';

/** A followed segment. */
export interface Watch {
  /** Who follows it, by their own names (`journey:jrn_…`). */
  readonly followers: Set<string>;
  /** Who was in it as of the newest entry that says so: what followers were told. */
  readonly members: Bitset;
}

export interface WatchSnapshot {
  readonly segmentId: string;
  readonly followers: readonly string[];
  readonly members: Uint8Array;
}

export function watchesOf(snapshots: readonly WatchSnapshot[]): Map<string, Watch> {
  return new Map(
    snapshots.map(({ segmentId, followers, members }) => [
      segmentId,
      { followers: new Set(followers), members: Bitset.restore(members) },
    ]),
  );
}

export function snapshotsOf(watches: ReadonlyMap<string, Watch>): WatchSnapshot[] {
  return [...watches].map(([segmentId, { followers, members }]) => ({
    segmentId,
    followers: [...followers],
    members: members.snapshot(),
  }));
}
