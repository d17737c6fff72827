// What a customer-data platform (Segment, RudderStack) may ask of an app, and the integration
// through which it does. The platform shows a write key; here is only ever the key's hash, so a
// reader of this state cannot send with it.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { TagValue } from '../../../storage/tables/subscriber.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';

/**
 * The write key of an app: a SHA-256 of its text. The one before may go on for a day, while senders
 * are changed over.
 */
export interface WriteKeys {
  readonly secretHash: Uint8Array;
  readonly previous: { readonly secretHash: Uint8Array; readonly untilMs: Millis } | null;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

/** An integration as a caller may see it: never its configuration. */
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

/** An `identify`: its traits as a patch of tags that has been checked. */
export interface IdentifyCall extends CallBase {
  readonly kind: 'identify';
  readonly traits: Readonly<Record<string, TagValue | null>>;
}

/**
 * A call that becomes an event. `atMs` is corrected for the sender's clock, but may still lie
 * outside what is kept.
 */
export interface EventCall extends CallBase {
  readonly kind: 'event';
  readonly name: string;
  readonly atMs: Millis;
  readonly propsJson?: string;
}

export type CdpCall = IdentifyCall | EventCall;

/** Why a call, or a part of one, was not taken. `error` names the member first. */
export interface CdpError {
  readonly index: number;
  readonly error: string;
}

/** Calls of one message, at most: a turn of them is short. */
export const callsMax = 500;

export interface CdpTaken {
  /** The first so many calls were decided; the others have to be sent again. */
  readonly handled: number;
  readonly errors: readonly CdpError[];
}

export interface CdpProtocol {
  /** Makes a key the app's own, and its first one the integration. */
  'cdp.put': {
    body: Caller & { secretHash: Uint8Array };
    reply: { integration: IntegrationView; created: boolean };
  };
  'cdp.remove': { body: Caller; reply: null };
  'integration.list': { body: Caller; reply: readonly IntegrationView[] };
  /** Whether a write key is one of the app's: asked before its body is looked at. */
  'cdp.verify': { body: Caller & { secretHash: Uint8Array }; reply: boolean };
  /** Calls of one request in their order, 1 to `callsMax`; the key is judged again. */
  'cdp.take': {
    body: Caller & { secretHash: Uint8Array; calls: readonly CdpCall[] };
    reply: CdpTaken;
  };
}

export type CdpEntry =
  | (Entry & { readonly kind: 'cdp.key_changed'; readonly keys: WriteKeys })
  | (Entry & { readonly kind: 'cdp.removed' })
  /**
   * Ids of calls that left no event, so that nothing else remembers them: two words of hash each.
   */
  | (Entry & {
      readonly kind: 'cdp.seen';
      readonly atMs: Millis;
      readonly hashes: readonly number[];
    });
