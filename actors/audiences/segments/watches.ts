// Followed segments. Members are part of the fold, so that a restart knows what followers were
// sent; the edges of windows are not (`membership-clock.ts`).

import { Bitset } from '../../../engine/base/bitset.ts';

export interface Watch {
  /** Names of the followers (`journey:jrn_…`). */
  readonly followers: Set<string>;
  /** Members as of the newest entry. */
  readonly members: Bitset;
  /**
   * Members that followers have not heard of, because only calls without proof put them there. It
   * may hold others: where columns were still being built, nothing says what such a call changed.
   */
  readonly unproven: Bitset;
}

export interface WatchSnapshot {
  readonly segmentId: string;
  readonly followers: readonly string[];
  readonly members: Uint8Array;
  /** Absent in checkpoints of earlier builds. */
  readonly unproven?: Uint8Array;
}

export function watchesOf(snapshots: readonly WatchSnapshot[]): Map<string, Watch> {
  return new Map(
    snapshots.map(({ segmentId, followers, members, unproven }) => [
      segmentId,
      {
        followers: new Set(followers),
        members: Bitset.restore(members),
        unproven: unproven === undefined ? new Bitset(0) : Bitset.restore(unproven),
      },
    ]),
  );
}

export function snapshotsOf(watches: ReadonlyMap<string, Watch>): WatchSnapshot[] {
  return [...watches].map(([segmentId, { followers, members, unproven }]) => ({
    segmentId,
    followers: [...followers],
    members: members.snapshot(),
    unproven: unproven.snapshot(),
  }));
}
