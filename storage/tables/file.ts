// Files of sends, apart from their bytes. By the hash of the bytes, so that what a thousand people
// get is stored once; by the day of their latest use, so that retention finds the old ones first.

import { defineTable } from '../table.ts';

interface FileRow {
  /** Length of the file. */
  readonly bytes: number;
  /** UTC day of the latest send that was accepted with it. */
  readonly day: number;
}

/** A piece of a file. */
export interface FilePieceRow {
  readonly bytes: Uint8Array;
}

interface FileDayRow {
  readonly bytes: number;
}

/** Key: [SHA-256 of the bytes, base64url]. */
export const files = defineTable<FileRow>()({
  id: 70,
  name: 'files of sends',
  version: 1,
  fields: ['bytes', 'day'],
});

/** A record has at most 4 MiB. Key: [hash, number of the piece]. */
export const fileBytes = defineTable<FilePieceRow>()({
  id: 71,
  name: 'bytes of files',
  version: 1,
  fields: ['bytes'],
});

/** Key: [day, hash]. */
export const fileDays = defineTable<FileDayRow>()({
  id: 72,
  name: 'days of files',
  version: 1,
  fields: ['bytes'],
});
