// The port every channel fills: one attempt in, one outcome out. Adapters are the only code that
// talks to providers. An adapter never throws for what a provider did; it throws only for its own
// bugs.

import type { Clock } from '../../engine/time/clock.ts';
import type { Attempt } from './attempt.ts';
import type { LateResults, ResultsQuery } from './late-results.ts';
import type { Outbound } from './outbound/outbound-call.ts';
import type { Outcome, WebhookRegistration } from './outcome.ts';
import type { ProviderConfig } from './provider-config.ts';
import type { RotateCredential } from './rotation.ts';

/** One channel's way to its provider. One instance serves all tenants of a dispatch thread. */
export interface Adapter {
  /**
   * Makes one call to the provider. `credentials` is the tenant's, already opened and of the shape
   * its schema in the catalogue describes; `undefined` where the channel is the platform's (email).
   */
  send(attempt: Attempt, credentials: unknown): Promise<Outcome>;
  /** Tells the provider where to call an app back. Only where a provider has to be told so. */
  registerWebhook?(url: string, credentials: unknown): Promise<WebhookRegistration>;
  /**
   * A page of what became of messages that it took. Only of a provider that tells nothing by
   * itself.
   */
  results?(query: ResultsQuery, credentials: unknown): Promise<LateResults>;
  /** Lets calls in flight end (at most ten seconds) and closes connections. */
  close(): Promise<void>;
}

/** What an adapter is made with. */
export interface AdapterContext {
  readonly config: ProviderConfig;
  readonly outbound: Outbound;
  readonly clock: Clock;
  /**
   * Absent where nothing is stored (benchmarks, tests of other channels): every rotation is
   * `unavailable` then.
   */
  readonly rotate?: RotateCredential;
  /**
   * Sign what comes back of a mail, the first of them; absent where nobody waits for it
   * (benchmarks, tests).
   */
  readonly mailKeys?: readonly Uint8Array[];
}

export type AdapterFactory = (context: AdapterContext) => Adapter;
