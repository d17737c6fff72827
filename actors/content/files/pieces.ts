// The bytes of a file in pieces: a record has at most 4 MiB.

import type { DocumentReader, DocumentWrite, TypedTable } from '../../../engine/actor/message.ts';
import type { Bytes } from '../../../engine/base/brand.ts';
import type { FilePieceRow } from '../../../storage/tables/file.ts';

const pieceBytes: Bytes = 1024 * 1024;

/** Each piece owns its bytes. */
export function pieceWrites(
  table: TypedTable<FilePieceRow>,
  hash: string,
  bytes: Uint8Array,
): readonly DocumentWrite[] {
  return Array.from({ length: pieceCount(bytes.byteLength) }, (_, i) => ({
    table,
    key: [hash, i],
    value: { bytes: bytes.slice(i * pieceBytes, (i + 1) * pieceBytes) },
  }));
}

export function pieceRemovals(
  table: TypedTable<FilePieceRow>,
  hash: string,
  bytes: Bytes,
): readonly DocumentWrite[] {
  return Array.from({ length: pieceCount(bytes) }, (_, i) => ({
    table,
    key: [hash, i],
    value: undefined,
  }));
}

/** Copies a file into `into`, which has its length; false if a piece is missing. May throw. */
export function readPieces(
  table: TypedTable<FilePieceRow>,
  hash: string,
  into: Uint8Array,
  documents: Pick<DocumentReader, 'get'>,
): boolean {
  for (let i = 0; i < pieceCount(into.byteLength); i++) {
    const piece = documents.get(table, [hash, i]);
    if (piece === undefined) return false;
    into.set(piece.bytes, i * pieceBytes);
  }
  return true;
}

export function pieceCount(bytes: Bytes): number {
  return Math.ceil(bytes / pieceBytes);
}
