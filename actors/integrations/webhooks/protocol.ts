// Messages and entries of outbound webhooks, and what dispatchers get and report.

import type { Entry, Message } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { WebhookTryRow } from '../../../storage/tables/webhook.ts';
import type { Page } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { WebhookResult } from './call/attempt.ts';
import type { DeliveryName, DuePlace } from './delivery-id.ts';
import type { Delivery, DeliveryState } from './delivery-rows.ts';
import type { DestinationRecord, DestinationType, HealthWord } from './destination.ts';
import type { WebhookEvent, WebhookKind } from './event.ts';

/** What a caller may set; the edge has checked it. */
export interface DestinationInput {
  readonly url: string;
  /** Of a webhook. Absent: the one it has, or else `freshSecret`. */
  readonly secret?: string;
  readonly freshSecret?: string;
  readonly events: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly enabled: boolean;
  readonly concurrency: number;
}

/** For callers, without what it is called with. */
export interface DestinationView {
  readonly type: DestinationType;
  readonly enabled: boolean;
  readonly disabledReason: string | null;
  readonly events: readonly string[];
  readonly concurrency: number;
  readonly health: HealthWord;
  readonly pending: number;
  readonly etag: string;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

export interface DeliveryView extends Delivery {
  readonly id: string;
  readonly type: DestinationType;
  readonly event: WebhookKind;
  readonly createdMs: Millis;
}

export interface DeliveryFilter {
  readonly status?: DeliveryState;
  readonly event?: WebhookKind;
  readonly type?: DestinationType;
  readonly fromMs?: Millis;
  readonly toMs?: Millis;
}

export interface WebhooksProtocol {
  'destination.put': {
    body: Caller & { type: DestinationType; input: DestinationInput };
    /** `isSecretFresh`: `freshSecret` is the one it has now. */
    reply: { destination: DestinationView; created: boolean; isSecretFresh: boolean };
  };
  'destination.list': { body: Caller; reply: readonly DestinationView[] };
  'destination.remove': { body: Caller & { type: DestinationType }; reply: null };
  'destination.rotate': {
    body: Caller & { type: DestinationType; freshSecret: string };
    reply: null;
  };
  /** Queues a delivery of `webhook.test` and names it. */
  'destination.test': { body: Caller & { type: DestinationType }; reply: { id: string } };
  /** Newest first. A page may be short; only `nextCursor: null` ends the list. */
  'webhook_delivery.list': {
    body: Caller & DeliveryFilter & { limit: number; cursor?: string };
    reply: Page<DeliveryView>;
  };
  'webhook_delivery.read': {
    body: Caller & { id: string };
    reply: {
      delivery: DeliveryView;
      payload: WebhookEvent;
      attempts: readonly WebhookTryRow[];
    };
  };
  'webhook_delivery.retry': { body: Caller & { id: string }; reply: null };
  /** Some of them; `nextCursor: null` after the last. */
  'webhook_delivery.retry_all': {
    body: Caller & DeliveryFilter & { status: 'dead' | 'stopped'; cursor?: string };
    reply: { retried: number; nextCursor: string | null };
  };
  /** Writes what happened in this turn. */
  'webhook.write': { body: Caller; reply: null };
  'webhook.report': {
    body: Caller & { destination: number; reports: readonly WebhookReport[] };
    reply: null;
  };
  /** The next slice of a pass over the ledger: stops, scrubs or sweeps. */
  'webhook.sweep': { body: Caller; reply: null };
}

export interface WebhookReport extends Omit<DeliveryName, 'destination'> {
  /** `undefined`: returned unsent. */
  readonly result: WebhookResult | undefined;
}

export type WebhooksEntry =
  | (Entry & { readonly kind: 'webhook.saved'; readonly destination: DestinationRecord })
  | (Entry & {
      readonly kind: 'webhook.removed';
      readonly type: DestinationType;
      readonly destination: number;
      readonly atMs: Millis;
    })
  /** What had happened until now is in the tables. */
  | (Entry & {
      readonly kind: 'webhook.written';
      readonly atMs: Millis;
      /** How many numbers were given to chunks. */
      readonly chunks: number;
      /** New deliveries by destination. */
      readonly counts: readonly (readonly [destination: number, count: number])[];
      /** How much of what waits in memory this is, the oldest first. */
      readonly taken: number;
    })
  /** Attempts ended, or deliveries were opened again or stopped. */
  | (Entry & {
      readonly kind: 'webhook.settled';
      readonly destination: number;
      readonly atMs: Millis;
      /** How many more are open than before; negative for fewer. */
      readonly opened: number;
      /** Attempts in their order, as runs: positive for successes, negative for failures. */
      readonly runs: readonly number[];
      /** By run, deliveries that it ended without a success; absent if there are none. */
      readonly lost?: readonly number[];
      /** In strict order: the chunk whose delivery goes next; null if none waits for a retry. */
      readonly head?: readonly [atMs: Millis, chunk: number] | null;
    })
  /** A slice of a pass is done; `next` is where it continues, absent at its end. */
  | (Entry & {
      readonly kind: 'webhook.swept';
      readonly pass: 'rebase' | 'stop' | 'scrub' | 'sweep';
      readonly atMs: Millis;
      /** Of `stop`. */
      readonly destination?: number;
      readonly next?: readonly [atMs: Millis, chunk: number];
      /** The same of `rebase` and `stop`, which go through dues. */
      readonly nextDue?: DuePlace;
    });

/** For the front, which mails it to the owners. Not durable. */
export interface IntegrationDisabled extends Message {
  readonly kind: 'integration.disabled';
  readonly org: Ordinal;
  readonly appId: string;
  readonly type: DestinationType;
}

/** Deliveries of one chunk to one destination that may begin. */
export interface WebhookGrant {
  readonly kind: 'webhook.grant';
  readonly partition: number;
  readonly app: Ordinal;
  readonly destination: number;
  readonly type: 'webhook' | 'legacy' | 'slack';
  /** Opened; it never leaves the process. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The current one first. */
  readonly secrets: readonly string[];
  readonly concurrency: number;
  readonly atMs: Millis;
  readonly chunk: number;
  /** They may have been sent before a restore. */
  readonly isReplayed: boolean;
  /** As stored. */
  readonly events: Uint8Array;
  readonly places: readonly number[];
}

/** Rows of a destination that must not begin any more; they come back unsent. */
export interface WebhookRecall {
  readonly kind: 'webhook.recall';
  readonly app: Ordinal;
  readonly destination: number;
}
