// What a shard tells about its partitions: figures for the metrics, and its clocks.

import type { Partition } from '../../engine/actor/partition.ts';
import type { Millis } from '../../engine/base/brand.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { slowedChannels } from '../sending/outbox/channel-states.ts';
import { unpaidFigures } from '../tenants/billing/unpaid.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { DiskWatch } from './disk-watch.ts';
import type { RunningPartition } from './open-partition.ts';
import type { ClockFigures, ShardFigures } from './protocol.ts';
import type { AppState } from './state.ts';

export function clockOf(
  partitions: readonly Pick<Partition, 'clock' | 'quarantined'>[],
): ClockFigures {
  const clocks = partitions.map(({ clock }) => clock);
  const quarantined = partitions.reduce((sum, one) => sum + one.quarantined.size, 0);
  return {
    behindMs: Math.max(0, ...clocks.map(({ behindMs }) => behindMs)),
    unconfirmedMs: Math.max(0, ...clocks.map(({ unconfirmedMs }) => unconfirmedMs)),
    ...(quarantined === 0 ? {} : { quarantined }),
  };
}

/** Of all apps of a partition together. */
interface AppSums {
  outbox: number;
  /** When the oldest of it was accepted. */
  oldestMs: Millis;
  slowed: number;
  journeys: number;
  readonly campaigns: { scheduled: number; sending: number; paused: number };
  readonly webhooks: { open: number; disabled: number };
}

function sumsOf(apps: Iterable<AppState>, nowMs: Millis): AppSums {
  const sums: AppSums = {
    outbox: 0,
    oldestMs: nowMs,
    slowed: 0,
    journeys: 0,
    campaigns: { scheduled: 0, sending: 0, paused: 0 },
    webhooks: { open: 0, disabled: 0 },
  };
  for (const { outbox, webhooks, campaigns, journeys } of apps) {
    sums.outbox += outbox.jobs.size;
    sums.slowed += slowedChannels(outbox);
    sums.oldestMs = Math.min(sums.oldestMs, outbox.oldestMs ?? nowMs);
    for (const { state } of campaigns.unfinishedRecords())
      if (state === 'scheduled' || state === 'sending' || state === 'paused')
        sums.campaigns[state]++;
    for (const { flow } of journeys.all()) sums.journeys += flow.runs.count;
    for (const { open, record } of webhooks.destinations.values()) {
      sums.webhooks.open += open;
      if (record.disabledReason !== undefined) sums.webhooks.disabled++;
    }
  }
  return sums;
}

export function figuresOf(
  running: readonly RunningPartition[],
  checkpoints: Checkpoints,
  disk: DiskWatch,
): Pick<ShardFigures, 'partitions'> {
  return {
    partitions: running.map((one) => {
      const { index, partition, product, store } = one;
      const { state } = product;
      const nowMs = systemClock.now();
      const { oldestMs, ...sums } = sumsOf(state.apps.values(), nowMs);
      return {
        partition: index,
        seq: partition.seq,
        checkpointSeq: checkpoints.seqOf(index),
        mailbox: partition.mailboxSize,
        timers: partition.timersPending,
        apps: state.apps.size,
        ...sums,
        outboxOldestMs: nowMs - oldestMs,
        store: {
          bytes: store.fileBytes,
          oldestReaderMs: store.oldestReaderMs(nowMs),
          diskLevel: disk.levelOf(one),
        },
        unpaid: unpaidFigures(state.orgs),
        ready: state.ready.size,
        expiredPeople: state.expiredPeople,
        eventIdHours: state.eventIds.effectiveWindowHours(),
        clock: clockOf([partition]),
        quarantined: partition.quarantined.size,
        figures: partition.figures,
      };
    }),
  };
}
