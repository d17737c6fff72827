// Messages and entries of customer-data platforms (Segment, RudderStack). State has only hashes of
// write keys, so that a reader of it cannot send with them.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { TagValue } from '../../../storage/tables/subscriber.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';

/** SHA-256 of an app's write key. The previous key stays valid for a day. */
export interface WriteKeys {
  readonly secretHash: Uint8Array;
  readonly previous: { readonly secretHash: Uint8Array; readonly untilMs: Millis } | null;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

/** An integration as callers see it, without its configuration. */
export interface IntegrationView {
  readonly type: 'cdp';
  readonly enabled: boolean;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

interface CallBase {
  /** Its place in the request, for errors. */
  readonly index: number;
  /** The platform's `userId`, which is our `externalUserId`. */
  readonly userId: string;
  readonly messageId?: string;
}

/** An `identify` with its traits as a checked patch of tags. */
export interface IdentifyCall extends CallBase {
  readonly kind: 'identify';
  readonly traits: Readonly<Record<string, TagValue | null>>;
}

/** `atMs` is corrected for the sender's clock, but may lie outside the retention. */
export interface EventCall extends CallBase {
  readonly kind: 'event';
  readonly name: string;
  readonly atMs: Millis;
  readonly propsJson?: string;
}

export type CdpCall = IdentifyCall | EventCall;

/** Why a call, or a part of it, was rejected. `error` starts with the field's name. */
export interface CdpError {
  readonly index: number;
  readonly error: string;
}

/** Calls per message, so that a turn stays short. */
export const callsMax = 500;

export interface CdpReply {
  /** Calls decided, from the first on; the caller sends the others again. */
  readonly handled: number;
  readonly errors: readonly CdpError[];
}

export interface CdpProtocol {
  /** Sets the app's key; the first one creates the integration. */
  'cdp.put': {
    body: Caller & { secretHash: Uint8Array };
    reply: { integration: IntegrationView; created: boolean };
  };
  'cdp.remove': { body: Caller; reply: null };
  'integration.list': { body: Caller; reply: readonly IntegrationView[] };
  /** Whether a key is valid, before its body is read. */
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
  /** Hashes of the ids of calls that left no event: two words each. */
  | (Entry & {
      readonly kind: 'cdp.seen';
      readonly atMs: Millis;
      readonly hashes: readonly number[];
    });
