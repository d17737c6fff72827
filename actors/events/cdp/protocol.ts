// Segment and RudderStack. State has only hashes of write keys, so that its readers cannot send.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { ContactTrait, TagValue } from '../../../storage/tables/subscriber.ts';
import type { Consent } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';

/** SHA-256 of the write key. The previous key stays valid for a day. */
export interface WriteKeys {
  readonly secretHash: Uint8Array;
  readonly previous: { readonly secretHash: Uint8Array; readonly untilMs: Millis } | null;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
  /** Whether traits become devices; absent: they do. */
  readonly devicesFromTraits?: boolean;
  /** What people have agreed to; absent: confirmed. */
  readonly consent?: Consent;
}

/** For callers, without its configuration. */
export interface IntegrationView {
  readonly type: 'cdp';
  readonly enabled: boolean;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
  readonly devicesFromTraits: boolean;
  readonly consent: Consent;
}

/** What a person can change of an integration. */
interface CdpSettings {
  readonly devicesFromTraits?: boolean;
  readonly consent?: Consent;
}

/** Addresses among the traits, as given; `null` for none any more. */
export type Contact = { readonly [Trait in ContactTrait]?: unknown };

/** As given, in the app of a phone. */
export interface PushToken {
  readonly platform: 'apple' | 'android';
  readonly token: unknown;
}

interface CallBase {
  /** Place in the request, for errors. */
  readonly index: number;
  /** The platform's `userId`: our `externalUserId`. */
  readonly userId: string;
  readonly messageId?: string;
  readonly push?: PushToken;
}

/** Traits as a checked tag patch. */
export interface IdentifyCall extends CallBase {
  readonly kind: 'identify';
  readonly traits: Readonly<Record<string, TagValue | null>>;
  readonly contact?: Contact;
  readonly timezone?: string;
}

/** `atMs` is corrected for the sender's clock, but may be outside the retention. */
export interface EventCall extends CallBase {
  readonly kind: 'event';
  readonly name: string;
  readonly atMs: Millis;
  readonly propsJson?: string;
}

export type CdpCall = IdentifyCall | EventCall;

/** Why all or part of a call was rejected. `error` starts with the field's name. */
export interface CdpError {
  readonly index: number;
  readonly error: string;
}

/** Per message, to bound a turn. */
export const callsMax = 500;

export interface CdpReply {
  /** Calls decided, from the first; the caller resends the others. */
  readonly handled: number;
  readonly errors: readonly CdpError[];
}

export interface CdpProtocol {
  /** The first key creates the integration. */
  'cdp.put': {
    body: Caller & { secretHash: Uint8Array; settings?: CdpSettings };
    reply: { integration: IntegrationView; created: boolean };
  };
  /** Changes the integration and keeps its key. */
  'cdp.configure': { body: Caller & { settings: CdpSettings }; reply: IntegrationView };
  'cdp.remove': { body: Caller; reply: null };
  'integration.list': { body: Caller; reply: readonly IntegrationView[] };
  /** Checks a key before the body is read. */
  'cdp.verify': { body: Caller & { secretHash: Uint8Array }; reply: boolean };
  /** 1 to `callsMax` calls in order. Checks the key again. */
  'cdp.take': {
    body: Caller & { secretHash: Uint8Array; calls: readonly CdpCall[] };
    reply: CdpReply;
  };
}

export type CdpEntry =
  | (Entry & { readonly kind: 'cdp.key_changed'; readonly keys: WriteKeys })
  | (Entry & { readonly kind: 'cdp.removed' })
  /** Call ids without an event: two hash words each. */
  | (Entry & {
      readonly kind: 'cdp.seen';
      readonly atMs: Millis;
      readonly hashes: readonly number[];
    });
