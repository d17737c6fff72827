// The interface that every channel implements: one attempt in, one outcome out. Only adapters talk
// to providers. An adapter throws for its own bugs, never for a provider's behavior.

import type { Clock } from '../../../engine/time/clock.ts';
import type { Outbound } from '../outbound/outbound-call.ts';
import type { Attempt } from './attempt.ts';
import type { LateResults, ResultsQuery } from './late-results.ts';
import type { OpenRelay } from './open-relay.ts';
import type {
  CredentialCheck,
  Outcome,
  Trial,
  TrialResult,
  WebhookRegistration,
} from './outcome.ts';
import type { ProviderConfig } from './provider-config.ts';
import type { RotateCredential } from './rotation.ts';

/**
 * Asked each time before the first byte of a message goes out: false if the send was recalled
 * meanwhile. The message must not go out then; the outcome does not matter.
 */
export type MayBegin = () => boolean;

/** A channel's connection to its provider. One instance serves all tenants of a dispatch thread. */
export interface Adapter {
  /**
   * One call. `credentials` are opened and match the channel's schema; of email they are the key
   * that signs. `relay`: by which it leaves, instead of the server's own way.
   */
  send(
    attempt: Attempt,
    credentials: unknown,
    mayBegin?: MayBegin,
    relay?: OpenRelay,
  ): Promise<Outcome>;
  /** Registers an app's webhook, for providers that need it. */
  registerWebhook?(url: string, credentials: unknown): Promise<WebhookRegistration>;
  /** Tries a credential without sending; absent if the provider has no call for that. */
  check?(credentials: unknown, relay?: OpenRelay): Promise<CredentialCheck>;
  /** Tries a relay that its tenant describes; absent if the channel has none. */
  tryOut?(trial: Trial, relay: OpenRelay): Promise<TrialResult>;
  /** A page of delivery results, for providers and gateways that do not push them. */
  results?(query: ResultsQuery, credentials: unknown): Promise<LateResults>;
  /** Lets calls in flight end (at most ten seconds) and closes connections. */
  close(): Promise<void>;
}

export interface AdapterContext {
  readonly config: ProviderConfig;
  readonly outbound: Outbound;
  readonly clock: Clock;
  /** Absent in benchmarks and tests of other channels; every rotation is `unavailable` then. */
  readonly rotate?: RotateCredential;
  /** The first key signs bounce addresses and tracked links. Absent in benchmarks and tests. */
  readonly mailKeys?: readonly Uint8Array[];
}

export type AdapterFactory = (context: AdapterContext) => Adapter;
