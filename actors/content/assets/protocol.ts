// Messages and entries of assets. The edge reads the picture's head and hashes it; the bytes go
// beside the message.

import type { Entry } from '../../../engine/actor/message.ts';
import type { AssetRow } from '../../../storage/tables/asset.ts';
import type { CountedPage, OrderedPage } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';

interface NewAsset extends Pick<AssetRow, 'hash' | 'type' | 'width' | 'height'> {
  readonly name?: string;
}

export interface AssetsProtocol {
  /** With the bytes. `created: false`: the app has this picture already, under its first name. */
  'asset.add': {
    body: Caller & { asset: NewAsset };
    reply: { readonly asset: AssetRow; readonly created: boolean };
  };
  /** For anyone who knows the hash. */
  'asset.show': {
    body: Caller & { hash: string };
    reply: { readonly type: string; readonly bytes: Uint8Array };
  };
  'asset.delete': { body: Caller & { id: string }; reply: null };
  'asset.list': {
    body: Caller & OrderedPage;
    reply: CountedPage<AssetRow> & { readonly bytes: number };
  };
}

export type AssetsEntry =
  | (Entry & { readonly kind: 'asset.added'; readonly id: string; readonly bytes: number })
  | (Entry & { readonly kind: 'asset.deleted'; readonly id: string; readonly bytes: number });
