// People with devices and tags: one record each, by the person's ordinal in the app.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export type TagValue = string | number | boolean | readonly string[];

export interface DeviceRow {
  readonly id: string;
  /** A channel of the catalog. */
  readonly channel: string;
  /** In normal form; a subscription object for `webpush`. */
  readonly endpoint:
    | string
    | {
        readonly endpoint: string;
        readonly keys: { readonly p256dh: string; readonly auth: string };
      };
  readonly enabled: boolean;
  readonly disabledReason?: string;
  readonly environment?: 'production' | 'sandbox';
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
  /** Of an address that a call without a key registered; absent for one with a key. */
  readonly registeredBy?: RegisteredBy;
  /** The trait of a customer-data platform that it came from, and goes with. */
  readonly fromTrait?: ContactTrait;
  /** The provider's own name for the address, where it is another: WhatsApp's id of a number. */
  readonly knownAs?: string;
}

/** Traits that name an address. */
export type ContactTrait = 'email' | 'phone';

/** A client, or one whose session an `identityHash` proved. */
export type RegisteredBy = 'client' | 'proven';

export interface SubscriberRow {
  readonly id: string;
  readonly person: PersonOrdinal;
  readonly externalUserId?: string;
  readonly devices: readonly DeviceRow[];
  readonly tags: Readonly<Record<string, TagValue>>;
  /** Channels; absent without a preference. */
  readonly preferredChannels?: readonly string[];
  readonly timezone?: string;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
  /** Only events without a key named this person so far: the next login may claim the id. */
  readonly unclaimed?: true;
  /** Client tokens of an older generation are invalid; absent for 0. */
  readonly generation?: number;
  /** Whether a login with an `identityHash` has proven who this is. */
  readonly proven?: true;
  /** Sessions of this generation whose client tokens are invalid. */
  readonly endedSessions?: readonly number[];
}

/** Key: [person ordinal]. */
export const subscribers = defineTable<SubscriberRow>()({
  id: 10,
  name: 'subscribers',
  version: 1,
  fields: [
    'id',
    'person',
    'externalUserId',
    'devices',
    'tags',
    'preferredChannels',
    'timezone',
    'createdMs',
    'updatedMs',
    'unclaimed',
    'generation',
    'proven',
    'endedSessions',
  ],
});

/** A merged person: their id still names the person they were merged into. */
export interface AliasRow {
  readonly id: string;
  /** The person to read, never a merged one. */
  readonly into: PersonOrdinal;
}

/** Key: [the merged person's ordinal]. Memory has it without ids (`People.canonical`). */
export const aliases = defineTable<AliasRow>()({
  id: 15,
  name: 'aliases',
  version: 1,
  fields: ['id', 'into'],
});

/**
 * An endpoint's owner, so that registering it for another person moves it. Decisions read and write
 * it like a document, and memory has it (`actors/people/audience/endpoint-rows.ts`): the table has
 * rows of earlier builds until they are gathered.
 */
export interface EndpointRow {
  readonly person: PersonOrdinal;
  readonly deviceId: string;
}

/**
 * Key: [channel, 16 bytes of SHA-256 of the endpoint's normal form]; of what a provider calls it,
 * [`as <channel>`, the same of the name].
 */
export const endpoints = defineTable<EndpointRow>()({
  id: 11,
  name: 'endpoints',
  version: 1,
  fields: ['person', 'deviceId'],
});
