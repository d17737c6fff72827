// What the audience answers, and the entries it emits.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { DeviceRow, SubscriberRow, TagValue } from '../../../storage/tables/subscriber.ts';
import type { SuppressionRow } from '../../../storage/tables/suppression.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';

/** A person as every read shows them. */
export interface SubscriberView
  extends Omit<SubscriberRow, 'preferredChannels' | 'timezone' | 'externalUserId'> {
  readonly externalUserId: string | null;
  readonly preferredChannels: readonly string[] | null;
  readonly timezone: string | null;
  /** `null` for somebody who never did anything. */
  readonly lastActiveMs: Millis | null;
}

export interface DeviceInput {
  readonly channel: ChannelId;
  readonly endpoint: unknown;
  readonly environment?: 'production' | 'sandbox';
  readonly enabled?: boolean;
  /** Why it comes in disabled; means nothing for an enabled one. */
  readonly disabledReason?: string;
}

/** What an upsert may carry; what is left out stays as it is. */
export interface SubscriberInput {
  readonly externalUserId?: string;
  readonly tags?: Readonly<Record<string, TagValue | null>>;
  /** `null` clears the preference. */
  readonly preferredChannels?: readonly ChannelId[] | null;
  readonly timezone?: string | null;
  readonly devices?: readonly DeviceInput[];
}

/** How a call names a person: by subscriber id or by the caller's own user id. */
export type PersonRef = { readonly id: string } | { readonly externalUserId: string };

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** Whose opt-out it is, and what their events say. */
export interface Unsubscribed {
  readonly people: readonly PersonOrdinal[];
  /** Numbered by the runtime; 0 until then, here and in all entries that have it. */
  firstEvent: number;
  readonly atMs: Millis;
  readonly channel: ChannelId;
  readonly source: 'unsubscribe' | 'callback' | 'bounce';
  readonly reason?: string;
}

/**
 * A row of an import that was not taken, and why; the words begin with the member that is wrong.
 */
export interface RowError {
  /** Which row, from 0. */
  readonly row: number;
  readonly error: string;
}

/** What became of the rows of one slice. */
export interface ImportReply {
  /**
   * How many rows were judged, from the first; the rest has to be sent again as a slice of its own.
   */
  readonly handled: number;
  readonly created: number;
  readonly updated: number;
  /** In order of `row`, which counts within the slice. */
  readonly errors: readonly RowError[];
}

export interface AudienceProtocol {
  'subscriber.upsert': {
    body: Caller & { subscriber: SubscriberInput };
    reply: { subscriber: SubscriberView; created: boolean };
  };
  /** Upserts of one slice, in order, each of which is taken or refused by itself. */
  'subscriber.import': {
    body: Caller & { rows: readonly SubscriberInput[] };
    reply: ImportReply;
  };
  'subscriber.read': { body: Caller & { ref: PersonRef }; reply: SubscriberView };
  'subscriber.patch': {
    body: Caller & { ref: PersonRef; patch: Omit<SubscriberInput, 'externalUserId' | 'devices'> };
    reply: SubscriberView;
  };
  'subscriber.list': {
    body: Caller & { externalUserId?: string; channel?: ChannelId; limit: number; cursor?: string };
    reply: Page<SubscriberView>;
  };
  'device.add': { body: Caller & { ref: PersonRef; device: DeviceInput }; reply: DeviceRow };
  'device.enable': {
    body: Caller & { ref: PersonRef; deviceId: string; enabled: boolean };
    reply: DeviceRow;
  };
  'device.remove': { body: Caller & { ref: PersonRef; deviceId: string }; reply: null };
  'suppression.add': {
    body: Caller & {
      channel: ChannelId;
      address: string;
      reason?: string;
      source: SuppressionRow['source'];
    };
    reply: SuppressionRow;
  };
  'suppression.remove': { body: Caller & { channel: ChannelId; address: string }; reply: null };
  'suppression.list': {
    body: Caller & { channel?: ChannelId; address?: string; limit: number; cursor?: string };
    reply: Page<SuppressionRow>;
  };
}

export type AudienceEntry =
  | (Entry & {
      readonly kind: 'subscriber.created';
      readonly person: PersonOrdinal;
      readonly externalUserId: string | null;
      readonly atMs: Millis;
      /** Created by a call without a key: counts against the app's bound. */
      readonly keyless: boolean;
    })
  | (Entry & {
      readonly kind: 'subscriber.changed';
      readonly person: PersonOrdinal;
      readonly atMs: Millis;
    })
  /** Somebody anonymous got an external id that nobody had. */
  | (Entry & {
      readonly kind: 'subscriber.identified';
      readonly person: PersonOrdinal;
      readonly externalUserId: string;
    })
  /**
   * `person` is `into` from now on: devices, tags and record are in the documents, the rest is
   * memory's to move.
   */
  | (Entry & {
      readonly kind: 'subscriber.merged';
      readonly person: PersonOrdinal;
      readonly into: PersonOrdinal;
      readonly atMs: Millis;
    })
  | (Entry & {
      readonly kind: 'suppression.added';
      readonly identityKey: string;
      /**
       * Absent where the people did not do it themselves: an event `unsubscribed` for each of them.
       */
      readonly unsubscribed?: Unsubscribed;
    })
  | (Entry & { readonly kind: 'suppression.removed'; readonly identityKey: string });
