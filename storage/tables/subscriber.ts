// People with their devices and tags: one record a person, keyed by the person's ordinal within the
// app.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

/** A tag's value. */
export type TagValue = string | number | boolean | readonly string[];

/** One channel endpoint of a person. */
export interface DeviceRow {
  readonly id: string;
  /** A channel identifier of the catalogue. */
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
}

export interface SubscriberRow {
  readonly id: string;
  readonly person: PersonOrdinal;
  readonly externalUserId?: string;
  readonly devices: readonly DeviceRow[];
  readonly tags: Readonly<Record<string, TagValue>>;
  /** Channel identifiers; absent is no preference. */
  readonly preferredChannels?: readonly string[];
  readonly timezone?: string;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
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
  ],
});

/**
 * Somebody who turned out to be somebody else: their id goes on naming the person they were merged
 * into.
 */
export interface AliasRow {
  readonly id: string;
  /** Whose record to read; always somebody who was not merged into another person. */
  readonly into: PersonOrdinal;
}

/**
 * Key: [ordinal that the merged person had]. Memory has the same without the ids
 * (`People.canonical`).
 */
export const aliases = defineTable<AliasRow>()({
  id: 15,
  name: 'aliases',
  version: 1,
  fields: ['id', 'into'],
});

/** Who owns an endpoint, so that registering it for somebody else moves it. */
export interface EndpointRow {
  readonly person: PersonOrdinal;
  readonly deviceId: string;
}

/** Key: [channel, 16 bytes of SHA-256 of the endpoint's normal form]. */
export const endpoints = defineTable<EndpointRow>()({
  id: 11,
  name: 'endpoints',
  version: 1,
  fields: ['person', 'deviceId'],
});
