// The line of one channel of an app, and how that stands with its provider: plain data, which
// `outbox.ts` alone changes.

import type { Millis } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { OutboxRun } from './outbox-run.ts';

/** How an (app, channel) stands with its provider. */
export interface ChannelQueue {
  readonly channel: ChannelId;
  /**
   * Due targets of transactional sends, oldest first: pairs of send id and target index, and runs
   * of a batch.
   */
  ready: ([string, number] | OutboxRun)[];
  head: number;
  /** Those of marketing sends, which come after. */
  bulkReady: [string, number][];
  bulkHead: number;
  inFlight: number;
  /** Nothing starts before this instant: the provider asked for a pause, or the circuit is open. */
  pausedUntilMs: Millis;
  /** `config` outcomes in a row; above 0 only one probe is in flight at a time. */
  configFailures: number;
}

/** Whether the head of a line has left enough behind it to be cut off. */
export function isWorthCutting({ length }: readonly unknown[], head: number): boolean {
  return (head > 0 && head === length) || (head > 4096 && head > length / 2);
}

/** A channel that had nothing yet. */
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

/** As a snapshot has it: without what the heads have passed. */
export function trimmed(queue: ChannelQueue): unknown {
  const { ready, head, bulkReady, bulkHead } = queue;
  return {
    ...queue,
    // A run is written once, and named in the lines it is in.
    ready: ready.slice(head).map((entry) => (entry instanceof OutboxRun ? entry.key : entry)),
    head: 0,
    bulkReady: bulkReady.slice(bulkHead),
    bulkHead: 0,
  };
}
