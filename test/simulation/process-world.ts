// The world as one life of an engine's process sees it.

import type { channelIds } from '../../actors/channels/channel-ids.ts';
import type { Adapter } from '../../actors/channels/port/adapter.ts';
import type {
  WebhookAttempt,
  WebhookResult,
} from '../../actors/integrations/webhooks/call/attempt.ts';
import type { WebhookGrant } from '../../actors/integrations/webhooks/protocol.ts';
import type { Sealer } from '../../actors/sealer.ts';
import type { DispatchWave } from '../../actors/sending/dispatch/protocol.ts';
import type { DispatchGrant } from '../../actors/sending/outbox/protocol.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { Faults } from './faults.ts';
import type { Findings } from './invariants.ts';
import type { LinkHost } from './link.ts';
import type { Sabotage } from './sabotage.ts';
import type { SeenTurn } from './sim-store.ts';

/** What the threads of a process need of the world. */
export interface ThreadsWorld {
  readonly timeline: LinkHost['timeline'];
  readonly clock: Clock;
  readonly findings: Findings;
  readonly sealer: Sealer;
  readonly sabotage: Sabotage;
  faults(): Faults;
  /** The adapter of this process for a channel. */
  adapter(channel: (typeof channelIds)[number]): Adapter;
  /** Receivers of webhooks, as this process reaches them. */
  receiver(): (attempt: WebhookAttempt) => Promise<WebhookResult>;
  onGrant(grant: DispatchGrant | DispatchWave): void;
  onWebhookGrant(grant: WebhookGrant): void;
  /** A promise was settled: what waits for it runs before the next event. */
  onPromise(): void;
}

/** What the world hands to each life of a process. */
export interface ProcessWorld extends ThreadsWorld {
  diskLow(): boolean;
  diskFull(): boolean;
  onDurable(partition: number, turn: SeenTurn): void;
  /** An answer about a segment was compared with the truth, for one instant. */
  onJudged(): void;
  /** The process must end, and starts again. */
  onFatal(why: string): void;
  note(text: string): void;
}
