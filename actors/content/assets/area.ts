// Pictures that messages show, served by this server, and files that emails carry.

import type { Context } from '../../../engine/actor/message.ts';
import { parseId } from '../../../engine/base/id.ts';
import { assetBytes, assetPieces, assets } from '../../../storage/tables/asset.ts';
import type { Area, Editable } from '../../area.ts';
import { assetsApplies } from './apply.ts';
import { assetEtag } from './asset-etag.ts';
import { checkAssets } from './check.ts';
import { assetsDecisions } from './decide.ts';
import { type AssetsMemory, type AssetsView, assetsOfApp } from './memory.ts';
import type { AssetsEntry } from './protocol.ts';

/** Of a picture's two records without its bytes. */
const recordBytes = 512;

export const assetsArea = {
  name: 'assets',
  app: assetsOfApp,
  decide: () => assetsDecisions,
  apply: assetsApplies,
  silent: ['asset.added', 'asset.deleted'],
  ends: { 'asset.delete': assetOf },
  check: checkAssets,
  stored: {
    sums: [['pictures', ({ assetCount, assetBytes }) => assetBytes + assetCount * recordBytes]],
    growth: {
      'asset.added': (_app, { bytes }: Extract<AssetsEntry, { kind: 'asset.added' }>) =>
        bytes + recordBytes,
    },
  },
  whenDiskIsFull: ['asset.show', 'asset.list', 'asset.delete'],
  tables: [assets, assetBytes, assetPieces],
} as const satisfies Area<never, AssetsMemory, AssetsView, object>;

function assetOf(
  _state: unknown,
  { id }: { readonly id: string },
  { documents }: Context,
): Editable | undefined {
  const row = parseId('ast', id) && documents.get(assets, [id]);
  return row && { etag: assetEtag(row) };
}
