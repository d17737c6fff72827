// Pictures and files of an app, apart from their bytes, so that a list reads none. By id, which
// sorts by creation; the bytes by their hash, so that the same picture is stored once.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';
import type { FilePieceRow } from './file.ts';

export interface AssetRow {
  readonly id: string;
  /** SHA-256 of the bytes, base64url. */
  readonly hash: string;
  readonly name?: string;
  readonly type: string;
  readonly bytes: number;
  /** Of a picture, in pixels; a file that is none has no public address. */
  readonly width?: number;
  readonly height?: number;
  readonly createdMs: Millis;
}

interface AssetBytesRow {
  readonly id: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Key: [asset id, `ast_…`]. */
export const assets = defineTable<AssetRow>()({
  id: 32,
  name: 'assets',
  version: 1,
  fields: ['id', 'hash', 'name', 'type', 'bytes', 'width', 'height', 'createdMs'],
});

/** Of pictures. Key: [hash]. */
export const assetBytes = defineTable<AssetBytesRow>()({
  id: 33,
  name: 'bytes of assets',
  version: 1,
  fields: ['id', 'type', 'bytes'],
});

/** Of files that are no pictures. Key: [hash, number of the piece]. */
export const assetPieces = defineTable<FilePieceRow>()({
  id: 73,
  name: 'pieces of assets',
  version: 1,
  fields: ['bytes'],
});
