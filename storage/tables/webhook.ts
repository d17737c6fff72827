// The ledger of outbound webhooks. Events of a turn share a chunk, whatever destinations want them;
// each destination has a record of its own for a chunk, with sixteen bytes a delivery.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface WebhookChunkRow {
  /** Packed (`actors/integrations/webhooks/event-chunk.ts`). */
  readonly events: Uint8Array;
}

/** Key: [instant, number of the chunk in the app]. */
export const webhookChunks = defineTable<WebhookChunkRow>()({
  id: 60,
  name: 'webhook chunks',
  version: 1,
  fields: ['events'],
});

export interface WebhookDeliveriesRow {
  /** Bits of the kinds and of the states that it has, so that lists skip it unread. */
  readonly kinds: number;
  readonly states: number;
  /** Of each delivery, by place (`actors/integrations/webhooks/delivery-rows.ts`). */
  readonly rows: Uint8Array;
  /** The event of each place in the chunk; absent if all are there. */
  readonly events?: Uint8Array;
  /** Distinct answers to first attempts. */
  readonly answers?: readonly string[];
  /** What the instants of `rows` count from, where that is not the chunk's instant. */
  readonly baseMs?: Millis;
}

/** Key: [instant, number of the chunk, number of the destination]. */
export const webhookDeliveries = defineTable<WebhookDeliveriesRow>()({
  id: 61,
  name: 'webhook deliveries',
  version: 2,
  fields: ['kinds', 'states', 'rows', 'events', 'answers', 'baseMs'],
});

/** Says that a chunk has deliveries that are due at an instant. */
interface WebhookDueRow {
  readonly count: number;
}

/** Key: [number of the destination, due instant, instant and number of the chunk]. */
export const webhookDues = defineTable<WebhookDueRow>()({
  id: 62,
  name: 'webhook dues',
  version: 1,
  fields: ['count'],
});

/** One attempt of a delivery that did not succeed at once. */
export interface WebhookTryRow {
  readonly atMs: Millis;
  readonly durationMs: Millis;
  /** Absent without a response. */
  readonly status?: number;
  readonly error?: string;
  /** The first 512 bytes answered. */
  readonly answer?: string;
}

interface WebhookTriesRow {
  /** Oldest first, the newest ten. */
  readonly tries: readonly WebhookTryRow[];
}

/** Key: [instant, number of the chunk, number of the destination, place of the event]. */
export const webhookTries = defineTable<WebhookTriesRow>()({
  id: 63,
  name: 'webhook tries',
  version: 1,
  fields: ['tries'],
});
