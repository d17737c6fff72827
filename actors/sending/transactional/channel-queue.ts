// The queue of one channel of an app, and the channel's health: plain data, which only `outbox.ts`
// changes.

import type { Millis } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { OutboxRun } from './outbox-run.ts';

export interface ChannelQueue {
  readonly channel: ChannelId;
  /**
   * Due targets of transactional sends, oldest first: send id and target index, or a run of a
   * batch.
   */
  ready: ([string, number] | OutboxRun)[];
  head: number;
  /** The same for marketing, which comes second. */
  bulkReady: [string, number][];
  bulkHead: number;
  inFlight: number;
  /** Nothing starts before this instant: the provider asked for a pause, or the circuit is open. */
  pausedUntilMs: Millis;
  /** `config` outcomes in a row; above 0 only one probe is in flight at a time. */
  configFailures: number;
}

/** Whether the consumed head of a queue is long enough to cut off. */
export function isWorthCutting({ length }: readonly unknown[], head: number): boolean {
  return (head > 0 && head === length) || (head > 4096 && head > length / 2);
}

export function emptyQueue(channel: ChannelId): ChannelQueue {
  return {
    channel,
    ready: [],
    head: 0,
    bulkReady: [],
    bulkHead: 0,
    inFlight: 0,
    pausedUntilMs: 0,
    configFailures: 0,
  };
}

/** For snapshots: without what the heads have passed. */
export function trimmed(queue: ChannelQueue): unknown {
  const { ready, head, bulkReady, bulkHead } = queue;
  return {
    ...queue,
    // A run is written once; queues name it by its key.
    ready: ready.slice(head).map((entry) => (entry instanceof OutboxRun ? entry.key : entry)),
    head: 0,
    bulkReady: bulkReady.slice(bulkHead),
    bulkHead: 0,
  };
}
