// Pictures that messages show, served by this server.

import { assetBytes, assets } from '../../../storage/tables/asset.ts';
import type { Area } from '../../area.ts';
import { assetsApplies } from './apply.ts';
import { checkAssets } from './check.ts';
import { assetsDecisions } from './decide.ts';
import { assetsOfApp } from './state.ts';
import type { AssetsMemory, AssetsView } from './view.ts';

export const assetsArea = {
  name: 'assets',
  app: assetsOfApp,
  decide: () => assetsDecisions,
  apply: assetsApplies,
  check: checkAssets,
  whenDiskIsFull: ['asset.show', 'asset.list', 'asset.delete'],
  tables: [assets, assetBytes],
} as const satisfies Area<never, AssetsMemory, AssetsView, object>;
