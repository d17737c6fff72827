// The version of a picture, which never changes: it can only be deleted.

import type { AssetRow } from '../../../storage/tables/asset.ts';
import { etagOf } from '../../etag.ts';

export function assetEtag(asset: AssetRow): string {
  return etagOf(asset);
}
