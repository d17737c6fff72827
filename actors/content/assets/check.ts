// Checks the counts of pictures against their records, and records against bytes.

import { assetBytes, assetPieces, assets } from '../../../storage/tables/asset.ts';
import { type AppCheck, type CheckedApp, checkOf } from '../../area-check.ts';
import { pieceCount } from '../files/pieces.ts';
import type { AssetsApp } from './memory.ts';

export function checkAssets(
  { assetCount, assetBytes: bytesInMemory }: AssetsApp,
  { problem }: CheckedApp,
): AppCheck {
  const hashes = new Set<string>();
  const pieces = new Map<string, number>();
  let count = 0;
  let bytes = 0;
  return {
    rows: [
      checkOf(assets, (row, key) => {
        count++;
        bytes += row.bytes;
        hashes.add(row.hash);
        if (row.width === undefined) pieces.set(row.hash, pieceCount(row.bytes));
        if (key[0] !== row.id) problem(`: the asset ${row.id} is stored under ${String(key[0])}`);
      }),
      checkOf(assetPieces, (_row, [hash]) => {
        const left = pieces.get(String(hash)) ?? 0;
        if (left === 0) problem(`: a piece of ${String(hash)} belongs to no asset`);
        else pieces.set(String(hash), left - 1);
      }),
      checkOf(assetBytes, ({ id }, key) => {
        if (!hashes.delete(String(key[0]))) problem(`: the bytes of ${id} belong to no asset`);
      }),
    ],
    end: () => {
      if (hashes.size > 0) problem(`: ${hashes.size} assets have no bytes`);
      const cut = [...pieces.values()].filter((left) => left > 0).length;
      if (cut > 0) problem(`: ${cut} assets lack some of their bytes`);
      if (count !== assetCount || bytes !== bytesInMemory)
        problem(
          `: memory counts ${assetCount} assets of ${bytesInMemory} bytes, but there are ${count} of ${bytes}`,
        );
    },
  };
}
