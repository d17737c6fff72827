// The queue of one channel of an app, and the channel's health: plain data, which only `outbox.ts`
// changes.

import type { Millis } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Because, Circuit } from './circuit.ts';
import { OutboxRun } from './outbox-run.ts';

/** Targets that come first because they were due before, in the order of their wakes. */
export interface DueAgain {
  entries: [string, number][];
  head: number;
}

export interface ChannelQueue {
  readonly channel: ChannelId;
  /** Due targets of transactional sends, oldest first: send id and index, or a run. */
  ready: ([string, number] | OutboxRun)[];
  head: number;
  /** The same for marketing, which comes second. */
  bulkReady: [string, number][];
  bulkHead: number;
  /** Before `ready`, and before `bulkReady`. */
  again: DueAgain;
  bulkAgain: DueAgain;
  inFlight: number;
  /** Copies of the emails in flight. */
  copiesInFlight: number;
  pausedUntilMs: Millis;
  configFailures: number;
  unreached: number;
  accounts?: Readonly<Record<string, Circuit>>;
  because?: Because;
  slowed?: number;
  slowedMs?: Millis;
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
    again: { entries: [], head: 0 },
    bulkAgain: { entries: [], head: 0 },
    inFlight: 0,
    copiesInFlight: 0,
    pausedUntilMs: 0,
    configFailures: 0,
    unreached: 0,
  };
}

/** Whether a transactional target is in line. */
export function hasExpress({ again, ready, head }: ChannelQueue): boolean {
  return head < ready.length || again.head < again.entries.length;
}

/** Marketing targets in line. */
export function bulkCount({ bulkAgain, bulkReady, bulkHead }: ChannelQueue): number {
  return bulkReady.length - bulkHead + bulkAgain.entries.length - bulkAgain.head;
}

/** For snapshots: without what the heads have passed. */
export function trimmed(queue: ChannelQueue): unknown {
  const { ready, head, bulkReady, bulkHead, again, bulkAgain } = queue;
  return {
    ...queue,
    // A run is written once; queues name it by its key.
    ready: ready.slice(head).map((entry) => (entry instanceof OutboxRun ? entry.key : entry)),
    head: 0,
    bulkReady: bulkReady.slice(bulkHead),
    bulkHead: 0,
    again: rest(again),
    bulkAgain: rest(bulkAgain),
  };
}

/** What the head has not passed. */
export function rest({ entries, head }: DueAgain): DueAgain {
  return { entries: entries.slice(head), head: 0 };
}
