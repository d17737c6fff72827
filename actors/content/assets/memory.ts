// How many pictures an app has, and how large they are together; tables have the pictures; and
// what assets see of a partition's memory.

import type { AppsOf, NewApp, Slice } from '../../area.ts';

export interface AssetsApp {
  assetCount: number;
  assetBytes: number;
}

/** Absent in checkpoints of before there were any. */
type Snapshot = Partial<AssetsApp>;

export const assetsOfApp: Slice<AssetsApp, Snapshot, NewApp> = {
  make: () => ({ assetCount: 0, assetBytes: 0 }),
  snapshot: ({ assetCount, assetBytes }) => ({ assetCount, assetBytes }),
  restore: ({ assetCount = 0, assetBytes = 0 }) => ({ assetCount, assetBytes }),
};

export type AssetsView = AssetsApp;

export type AssetsMemory = AppsOf<AssetsView>;
