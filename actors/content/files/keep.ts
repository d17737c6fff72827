// Keeps and drops files of sends. The same bytes are one file of an app, however many sends have
// them. No send is counted: a file stays for the retention of the newest send that has it, and what
// a kill left without a send goes the same way.

import type { Context, DocumentWrite } from '../../../engine/actor/message.ts';
import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import { fileBytes, fileDays, files } from '../../../storage/tables/file.ts';
import { pieceRemovals, pieceWrites } from './pieces.ts';
import type { FilesEntry } from './protocol.ts';

interface FileWrites {
  readonly entries: readonly FilesEntry[];
  readonly documents: readonly DocumentWrite[];
}

type Reading = Pick<Context, 'documents' | 'nowMs' | 'owner'>;

/** `read` is asked for the bytes only if the app does not have them. */
export function keptFile(
  hash: string,
  bytes: number,
  read: () => Uint8Array,
  context: Reading,
): FileWrites {
  const { documents, owner } = context;
  if (documents.get(files, [hash]) !== undefined) {
    return { entries: [], documents: usedFile(hash, context) };
  }
  const day = dayOf(context.nowMs);
  const entry: FilesEntry = { kind: 'file.kept', owner, bytes };
  return {
    entries: [entry],
    documents: [
      { table: files, key: [hash], value: { bytes, day } },
      ...pieceWrites(fileBytes, hash, read()),
      { table: fileDays, key: [day, hash], value: { bytes } },
    ],
  };
}

/** Notes that a send was accepted with a file; nothing if that is noted for today. */
export function usedFile(
  hash: string,
  { documents, nowMs }: Pick<Reading, 'documents' | 'nowMs'>,
): readonly DocumentWrite[] {
  const row = documents.get(files, [hash]);
  const day = dayOf(nowMs);
  if (row === undefined || row.day >= day) return [];
  const { bytes } = row;
  return [
    { table: files, key: [hash], value: { bytes, day } },
    { table: fileDays, key: [row.day, hash], value: undefined },
    { table: fileDays, key: [day, hash], value: { bytes } },
  ];
}

export function hasFile(hash: string, { documents }: Pick<Reading, 'documents'>): boolean {
  return documents.get(files, [hash]) !== undefined;
}

/** At most `limit` files that no send accepted at or after `cutMs` has, the oldest first. */
export function droppedFiles(
  cutMs: Millis,
  limit: number,
  { documents, owner }: Pick<Reading, 'documents' | 'owner'>,
): FileWrites {
  const to = [Math.max(0, dayOf(cutMs))];
  const damaged = () => {}; // its bytes are counted in the record alone; `engage check` tells
  const rows = documents.range(fileDays, { to, limit, damaged });
  if (rows.length === 0) return { entries: [], documents: [] };
  const bytes = rows.reduce((sum, { value }) => sum + value.bytes, 0);
  const entry: FilesEntry = { kind: 'file.dropped', owner, count: rows.length, bytes };
  const writes = rows.flatMap(({ key, value }): DocumentWrite[] => {
    const hash = String(key[1]);
    return [
      { table: fileDays, key, value: undefined },
      { table: files, key: [hash], value: undefined },
      ...pieceRemovals(fileBytes, hash, value.bytes),
    ];
  });
  return { entries: [entry], documents: writes };
}

function dayOf(atMs: Millis): number {
  return Math.floor(atMs / dayMs);
}
