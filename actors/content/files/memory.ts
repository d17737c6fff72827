// How many files the sends of an app have, and how large they are together; tables have the files.

import type { AppsOf, NewApp, Slice } from '../../area.ts';

export interface FilesApp {
  fileCount: number;
  fileBytes: number;
}

/** Absent in checkpoints of before there were any. */
type Snapshot = Partial<FilesApp>;

export const filesOfApp: Slice<FilesApp, Snapshot, NewApp> = {
  make: () => ({ fileCount: 0, fileBytes: 0 }),
  snapshot: ({ fileCount, fileBytes }) => ({ fileCount, fileBytes }),
  restore: ({ fileCount = 0, fileBytes = 0 }) => ({ fileCount, fileBytes }),
};

export type FilesView = FilesApp;

export type FilesMemory = AppsOf<FilesView>;
