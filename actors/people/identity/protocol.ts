// What a keyless client may ask of an app: to be somebody, and to change what is its own. Every
// message but the first login names its person by a client token, never by an id. Key material
// comes from the edge: `tokenKey` is used only where the app has none yet.

import type { Entry } from '../../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { TagValue } from '../../../storage/tables/subscriber.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { IdentityVerification } from '../../tenants/accounts/records.ts';
import type { DeviceInput } from '../audience/protocol.ts';
import type { IdentitySecret } from '../identity-keys.ts';
import type { KeylessMade, KeylessRoom } from '../keyless.ts';

/** A login. */
export interface Login {
  readonly externalUserId?: string;
  /** Hex HMAC-SHA256 of `externalUserId` under the app's identity secret. */
  readonly identityHash?: string;
  readonly clientToken?: string;
  readonly timezone?: string;
  readonly language?: string;
  /** 32 random bytes. */
  readonly tokenKey: Uint8Array;
}

export interface IdentityProtocol {
  /**
   * Makes a secret the app's own. With a `tokenKey` that one replaces the app's, and every client
   * token ends.
   */
  'identity.put_secret': {
    body: Caller & { secret: string; tokenKey?: Uint8Array };
    reply: null;
  };
  /** What an SDK needs to know of an app before it is anybody. */
  'sdk.describe': {
    body: Caller;
    reply: {
      name: string;
      vapidPublicKey: string | null;
      identityVerification: IdentityVerification;
    };
  };
  'sdk.login': {
    body: Caller & { login: Login; room?: KeylessRoom };
    reply: KeylessMade & { subscriberId: string; clientToken: string };
  };
  /** Who a token names now, for routes that ask other areas about that person. */
  'sdk.person': {
    body: Caller & { clientToken: string };
    reply: { person: PersonOrdinal; subscriberId: string };
  };
  'sdk.register': {
    body: Caller & { clientToken: string; device: DeviceInput };
    reply: { deviceId: string };
  };
  'sdk.unregister': { body: Caller & { clientToken: string; deviceId: string }; reply: null };
  'sdk.tag': {
    body: Caller & { clientToken: string; tags: Readonly<Record<string, TagValue | null>> };
    reply: null;
  };
}

export type IdentityEntry =
  | (Entry & { readonly kind: 'identity.secret_changed'; readonly secret: IdentitySecret })
  | (Entry & { readonly kind: 'identity.token_key_changed'; readonly sealed: Uint8Array });
