// Messages and entries of the files that sends carry. The edge has checked what a file is; the
// bytes go beside the message.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';

/** A file as its app's actor keeps it. */
interface KeptFile {
  /** SHA-256 of the bytes, base64url. */
  readonly hash: string;
  readonly bytes: number;
}

export interface FilesProtocol {
  /** With the bytes. Keeps them until no send that is accepted from now on needs them. */
  'file.keep': { body: Caller & { hash: string }; reply: null };
  /** The same with the bytes of an asset, which may be deleted afterwards. */
  'file.keep_asset': {
    body: Caller & { assetId: string };
    reply: KeptFile & { readonly type: string; readonly name?: string };
  };
}

export type FilesEntry =
  | (Entry & { readonly kind: 'file.kept'; readonly bytes: number })
  | (Entry & { readonly kind: 'file.dropped'; readonly count: number; readonly bytes: number });
