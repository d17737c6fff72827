// The metrics of the shards: each tells its figures, and they become rows by partition.

import type { ShardFigures } from '../../actors/runtime/protocol.ts';
import type { Router } from '../../engine/actor/router.ts';
import type { Metrics } from '../../engine/observe/metrics.ts';

export async function setShards(
  metrics: Metrics,
  router: Pick<Router, 'askShard' | 'shardCount'>,
): Promise<void> {
  const exhausted = new Map<string, number>();
  let unvouchedApps = 0;
  for (let shard = 0; shard < router.shardCount; shard++) {
    const answer = await router.askShard(shard, { kind: 'thread.figures' });
    if (!answer.ok) continue;
    const figures = answer.value as ShardFigures;
    setExhausted(metrics, figures, exhausted);
    for (const one of figures.partitions) setPartition(metrics, one);
    unvouchedApps += figures.unvouchedApps;
  }
  metrics.set('engage_unvouched_alarm_apps', {}, unvouchedApps);
}

/** `sums` is over the shards, by channel and lane; this adds one shard. */
function setExhausted(
  metrics: Metrics,
  { exhausted }: ShardFigures,
  sums: Map<string, number>,
): void {
  for (const [channel, lane, count] of exhausted) {
    const place = `${channel}/${lane}`;
    const sum = (sums.get(place) ?? 0) + count;
    sums.set(place, sum);
    metrics.set('engage_sends_given_up_total', { channel, lane }, sum);
  }
}

function setPartition(metrics: Metrics, one: ShardFigures['partitions'][number]): void {
  const { campaigns, clock, figures, store, webhooks, unpaid } = one;
  const partition = { partition: String(one.partition) };
  const rows: Readonly<Record<string, number>> = {
    engage_commits_total: figures.commits,
    engage_commit_max_seconds: figures.commitMsMax / 1000,
    engage_turns_total: figures.turns,
    engage_long_turns_total: figures.longTurns,
    engage_log_entries_total: figures.entries,
    engage_log_bytes_total: figures.blockBytes,
    engage_messages_total: figures.messages,
    engage_messages_expired_total: figures.expired,
    engage_messages_refused_total: figures.refusedFull,
    engage_dead_letters_total: figures.deadLetters,
    engage_mailbox_depth: one.mailbox,
    engage_timers_pending: one.timers,
    engage_clock_jumps_total: figures.clockJumps,
    engage_clock_behind_seconds: clock.behindMs / 1000,
    engage_clock_unconfirmed_seconds: clock.unconfirmedMs / 1000,
    engage_timer_lateness_max_seconds: figures.timerLatenessMsMax / 1000,
    engage_outbox_depth: one.outbox,
    engage_outbox_oldest_age_seconds: one.outboxOldestMs / 1000,
    engage_channels_slowed: one.slowed,
    engage_journeys_active: one.journeys,
    engage_webhooks_open: webhooks.open,
    engage_webhooks_disabled: webhooks.disabled,
    engage_people_expired_total: one.expiredPeople,
    engage_event_id_window_seconds: one.eventIdHours * 3600,
    engage_store_bytes: store.bytes,
    engage_store_oldest_reader_seconds: store.oldestReaderMs / 1000,
    engage_store_disk_level: store.diskLevel,
    engage_quarantined: one.quarantined,
  };
  for (const [name, value] of Object.entries(rows)) metrics.set(name, partition, value);
  for (const [state, count] of Object.entries(campaigns))
    metrics.set('engage_campaigns', { ...partition, state }, count);
  for (const status of ['open', 'failed'] as const)
    metrics.set('engage_invoices_unpaid', { ...partition, status }, unpaid[status]);
  metrics.setDurations('engage_turn_duration_seconds', partition, figures.turnTimes);
  metrics.setDurations('engage_commit_duration_seconds', partition, figures.commitTimes);
  metrics.setDurations('engage_timer_lateness_seconds', partition, figures.timerTimes);
}
