// The world as one life of the engine's process sees it.

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
import type { Sabotage } from './sabotage.ts';
import type { SeenTurn } from './sim-store.ts';
import type { Timeline } from './timeline.ts';

/** What the world hands to each life of the process. */
export interface ProcessWorld {
  readonly timeline: Timeline;
  readonly clock: Clock;
  readonly findings: Findings;
  readonly sealer: Sealer;
  readonly sabotage: Sabotage;
  faults(): Faults;
  diskLow(): boolean;
  diskFull(): boolean;
  /** The adapter of this process for a channel. */
  adapter(channel: (typeof channelIds)[number]): Adapter;
  /** Receivers of webhooks, as this process reaches them. */
  receiver(): (attempt: WebhookAttempt) => Promise<WebhookResult>;
  onDurable(partition: number, turn: SeenTurn): void;
  onGrant(grant: DispatchGrant | DispatchWave): void;
  onWebhookGrant(grant: WebhookGrant): void;
  /** An answer about a segment was compared with the truth, for one instant. */
  onJudged(): void;
  /** A promise was settled: what waits for it runs before the next event. */
  onPromise(): void;
  /** The process must end, and starts again. */
  onFatal(why: string): void;
  note(text: string): void;
}
