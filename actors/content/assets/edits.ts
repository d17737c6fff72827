// What a message deletes of pictures.

import type { Context } from '../../../engine/actor/message.ts';
import { parseId } from '../../../engine/base/id.ts';
import { assets } from '../../../storage/tables/asset.ts';
import type { Editable, EditableOf } from '../../area.ts';
import { assetEtag } from './asset-etag.ts';

export const assetEnds = {
  'asset.delete': (
    _state: unknown,
    { id }: { readonly id: string },
    { documents }: Context,
  ): Editable | undefined => {
    const row = parseId('ast', id) && documents.get(assets, [id]);
    return row && { etag: assetEtag(row) };
  },
} satisfies Record<string, EditableOf<unknown>>;
