// What the front has in hand: the way to the actors, the caches, the ceilings and the clock. Made
// once, at start.

import type { ChannelId } from '../actors/channels/channel-ids.ts';
import type { Tracked } from '../actors/channels/email/tracked-token.ts';
import type {
  CallbackCounts,
  RegisterWebhook,
  WebhookRegistration,
} from '../actors/channels/outcome.ts';
import type { Asker } from '../engine/actor/asker.ts';
import type { Rng } from '../engine/base/rng.ts';
import type { Log } from '../engine/observe/log.ts';
import type { Clock } from '../engine/time/clock.ts';
import type { Admission } from './admit.ts';
import type { Authenticator } from './authenticate.ts';

/** What of the operator's configuration is asked while requests are answered. */
interface EdgeConfig {
  readonly mode: 'sandbox' | 'live';
  readonly dataDir: string;
  readonly partitions: number;
  /** How many proxies in front add an address to `X-Forwarded-For`. */
  readonly trustedProxies: number;
  readonly publicUrl: string;
  readonly ingestUrl: string;
  /** Whether tenants may name addresses of the operator's own network. */
  readonly allowPrivateNetworks: boolean;
}

export interface Edge {
  readonly config: EdgeConfig;
  readonly router: Asker;
  readonly authenticator: Authenticator;
  readonly admission: Admission;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly log: Log;
  /** False while starting and from the moment that draining began. */
  ready(): boolean;
  /** Counts what providers told, for metrics. */
  countCallbacks?(channel: ChannelId, counts: CallbackCounts): void;
  /** Has a provider told where to call back. Absent where nothing is sent. */
  registerWebhook?(ask: RegisterWebhook): Promise<WebhookRegistration>;
  /** Opens what an unsubscribe link seals, or `undefined` for a forged or damaged one. */
  openUnsubscribe(token: string): { readonly app: number; readonly address: string } | undefined;
  /**
   * Reads the token of an open pixel or a tracked link; `undefined` for one that we did not make.
   */
  readTracked(token: string): Tracked | undefined;
}
