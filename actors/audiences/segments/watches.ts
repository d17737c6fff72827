// Followed segments. Members are part of the fold, so that a restart knows what followers were
// sent; the edges of windows are not (`membership-clock.ts`).

import { Bitset } from '../../../engine/base/bitset.ts';

export interface Watch {
  /** Names of the followers (`journey:jrn_…`). */
  readonly followers: Set<string>;
  /** Members as of the newest entry: what followers were sent. */
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
