// The interface that every channel implements: one attempt in, one outcome out. Only adapters talk
// to providers. An adapter never throws for a provider's behaviour; it throws only for its own
// bugs.

import type { Clock } from '../../engine/time/clock.ts';
import type { Attempt } from './attempt.ts';
import type { LateResults, ResultsQuery } from './late-results.ts';
import type { Outbound } from './outbound/outbound-call.ts';
import type { Outcome, WebhookRegistration } from './outcome.ts';
import type { ProviderConfig } from './provider-config.ts';
import type { RotateCredential } from './rotation.ts';

/**
 * The connection of a channel to its provider. One instance serves all tenants of a dispatch
 * thread.
 */
export interface Adapter {
  /**
   * Makes one call to the provider. `credentials` is the tenant's, opened and in the form of its
   * schema in the catalogue; `undefined` where the channel is the platform's own (email).
   */
  send(attempt: Attempt, credentials: unknown): Promise<Outcome>;
  /** Registers an app's webhook. Only where the provider needs that. */
  registerWebhook?(url: string, credentials: unknown): Promise<WebhookRegistration>;
  /** A page of delivery results. Only where the provider does not report them by itself. */
  results?(query: ResultsQuery, credentials: unknown): Promise<LateResults>;
  /** Lets calls in flight end (at most ten seconds) and closes connections. */
  close(): Promise<void>;
}

export interface AdapterContext {
  readonly config: ProviderConfig;
  readonly outbound: Outbound;
  readonly clock: Clock;
  /**
   * Absent where nothing is stored (benchmarks, tests of other channels); every rotation is
   * `unavailable` then.
   */
  readonly rotate?: RotateCredential;
  /** The first of them signs bounce addresses and tracked links. Absent in benchmarks and tests. */
  readonly mailKeys?: readonly Uint8Array[];
}

export type AdapterFactory = (context: AdapterContext) => Adapter;
