// The metrics of the dispatch threads: calls to providers and deliveries of webhooks, summed.

import type { ChannelId } from '../../actors/channels/channel-ids.ts';
import type { WebhookCallFigures } from '../../actors/integrations/webhooks/calls.ts';
import {
  addFigures,
  type ChannelFigures,
  callBoundsMs,
  noChannelFigures,
} from '../../actors/sending/dispatch/channel-figures.ts';
import type { DispatcherFigures } from '../../actors/sending/dispatch/dispatcher.ts';
import type { Message } from '../../engine/actor/message.ts';
import { addDurations, noDurations } from '../../engine/observe/durations.ts';
import type { Metrics } from '../../engine/observe/metrics.ts';

interface ThreadFigures extends DispatcherFigures {
  readonly more: WebhookCallFigures;
}

export async function setDispatchers(
  metrics: Metrics,
  askers: readonly ((message: Message) => Promise<unknown>)[],
): Promise<void> {
  const answers = await Promise.all(askers.map((ask) => ask({ kind: 'thread.figures' })));
  const threads = answers as ThreadFigures[];
  const channels = new Map<ChannelId, ChannelFigures>();
  for (const [index, answer] of threads.entries()) {
    const dispatcher = { dispatcher: String(index) };
    metrics.set('engage_dispatch_in_flight', dispatcher, answer.inFlight);
    metrics.set('engage_dispatch_handed_back_total', dispatcher, answer.handedBack);
    metrics.set('engage_dispatch_recalled_total', dispatcher, answer.recalled);
    for (const [channel, figures] of answer.channels) {
      const sum = channels.get(channel) ?? noChannelFigures();
      addFigures(sum, figures);
      channels.set(channel, sum);
    }
  }
  for (const [channel, { outcomes, calls, again }] of channels) {
    for (const [outcome, count] of Object.entries(outcomes))
      if (count > 0) metrics.set('engage_dispatch_calls_total', { channel, outcome }, count);
    metrics.set('engage_dispatch_ambiguous_total', { channel }, outcomes.ambiguous);
    metrics.setDurations('engage_dispatch_duration_seconds', { channel }, calls);
    if (again > 0) metrics.set('engage_dispatch_retries_total', { channel }, again);
  }
  setWebhooks(
    metrics,
    threads.map(({ more }) => more),
  );
}

function setWebhooks(metrics: Metrics, threads: readonly WebhookCallFigures[]): void {
  const times = noDurations(callBoundsMs);
  const sums = new Map<string, number>();
  for (const figures of threads) {
    addDurations(times, figures.times);
    for (const [outcome, count] of figures.outcomes)
      sums.set(outcome, (sums.get(outcome) ?? 0) + count);
  }
  metrics.setDurations('engage_webhook_attempt_duration_seconds', {}, times);
  for (const [outcome, count] of sums)
    metrics.set('engage_webhook_attempts_total', { outcome }, count);
}
