// Messages and entries of keyless clients: log in, and change one's own records. All but the first
// login name the person by a client token, never by an id. The edge makes key material: `tokenKey`
// is used only if the app has none yet.

import type { Entry } from '../../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Words2, Words4 } from '../../../engine/base/words.ts';
import type { TagValue } from '../../../storage/tables/subscriber.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { Branding, IdentityVerification } from '../../tenants/accounts/records.ts';
import type {
  DeviceInput,
  PersonRef,
  PreferenceChange,
  Preferences,
} from '../audience/protocol.ts';
import type { IdentitySecret } from '../identity-keys.ts';
import type { KeylessCreated, KeylessQuota } from '../keyless.ts';
import type { NameQuota, NamesBrought } from '../name-limit.ts';

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

/** Hashes of a login's idempotency key and body. */
export interface LoginClaim {
  readonly key: Words4;
  readonly fingerprint: Words2;
}

export interface IdentityProtocol {
  /** Sets the app's secret. A `tokenKey` replaces the app's and ends every client token. */
  'identity.put_secret': {
    body: Caller & { secret: string; tokenKey?: Uint8Array };
    reply: null;
  };
  /** What an SDK needs of an app before a login. */
  'sdk.describe': {
    body: Caller;
    reply: {
      name: string;
      vapidPublicKey: string | null;
      identityVerification: IdentityVerification;
      branding: Branding;
    };
  };
  'sdk.login': {
    body: Caller & { login: Login; room?: KeylessQuota; claim?: LoginClaim | null };
    reply: KeylessCreated & { subscriberId: string; clientToken: string; replayed: boolean };
  };
  /** The current person of a token, for routes that ask other areas about them. */
  'sdk.person': {
    body: Caller & { clientToken: string };
    /** `isProven`: an `identityHash` proved who they are. */
    reply: { person: PersonOrdinal; subscriberId: string; isProven: boolean };
  };
  'sdk.preferences': { body: Caller & { clientToken: string }; reply: Preferences };
  'sdk.set_preferences': {
    body: Caller & { clientToken: string; change: PreferenceChange };
    reply: Preferences;
  };
  'sdk.register': {
    body: Caller & { clientToken: string; device: DeviceInput };
    reply: { deviceId: string };
  };
  'sdk.unregister': {
    body: Caller & {
      clientToken: string;
      /** Its id, or its address. */
      device: string | Pick<DeviceInput, 'channel' | 'endpoint'>;
    };
    reply: null;
  };
  /** Ends the session of this token; with `deviceId`, also removes that device. */
  'sdk.logout': { body: Caller & { clientToken: string; deviceId?: string }; reply: null };
  /** Ends every session of a person. */
  'subscriber.end_sessions': { body: Caller & { ref: PersonRef }; reply: null };
  'sdk.tag': {
    body: Caller & {
      clientToken: string;
      tags: Readonly<Record<string, TagValue | null>>;
      names?: NameQuota;
    };
    reply: NamesBrought;
  };
}

/** The client tokens of a person that have ended, all of them. The record has the same. */
export type SessionsEnded = Entry & {
  readonly kind: 'sessions.ended';
  readonly subscriberId: string;
  readonly generation: number;
  /** Sessions of this generation. */
  readonly ended: readonly number[];
};

export type IdentityEntry =
  | SessionsEnded
  | (Entry & { readonly kind: 'identity.secret_changed'; readonly secret: IdentitySecret })
  | (Entry & { readonly kind: 'identity.token_key_changed'; readonly sealed: Uint8Array });
