// A partition's options, bounds and figures. Bounds are counts, so simulated turns end alike.

import type { Millis, Ordinal, Seq } from '../base/brand.ts';
import type { Rng } from '../base/rng.ts';
import { type Durations, noDurations } from '../observe/durations.ts';
import type { Clock } from '../time/clock.ts';
import type { Machine } from './machine.ts';
import type { MailboxLimits } from './mailbox.ts';
import type { DocumentReader, DocumentWrite, Effect, Message, RecordWrite } from './message.ts';
import type { ClockSource, DeadLetter } from './runtime-memory.ts';
import type { DocumentChange, PartitionStore } from './store.ts';

/** Uncommitted documents over the store (`storage/documents.ts`). */
interface PartitionDocuments {
  bound(owner: Ordinal): DocumentReader;
  /** All, or none if one cannot be written. */
  stage(owner: Ordinal, writes: readonly DocumentWrite[], records?: readonly RecordWrite[]): void;
  /** Record bytes staged in this turn. */
  readonly stagedBytes: number;
  takeStaged(seq: Seq): readonly DocumentChange[];
  settled(seq: Seq): void;
}

export interface Scheduler {
  /** Runs `task` soon, after deliveries that already arrived. */
  soon(task: () => void): void;
  /** Runs `task` once at or after `atMs`; replaces an earlier call. */
  wakeAt(atMs: Millis, task: () => void): void;
}

/** Bounds of one turn, counted, never timed. */
export interface TurnLimits extends MailboxLimits {
  readonly turnMessagesMax: number;
  readonly turnBytesMax: number;
  /** Of a turn of express messages. */
  readonly turnBytesExpressMax: number;
  /** Of bulk while express messages arrive: they wait for the turn, which has one large body. */
  readonly turnBytesSharedMax: number;
  /** A turn ends at this size of documents: one commit must not take a slow disk seconds. */
  readonly turnStagedBytesMax: number;
  /** Due timers per turn, also after a downtime. */
  readonly turnTimersMax: number;
  readonly turnPumpMax: number;
  readonly commitsInFlightMax: number;
  /** Of turns that a shared log has and the store does not yet. */
  readonly commitsUnstoredMax: number;
}

export const defaultTurnLimits: TurnLimits = {
  messagesMax: 8192,
  bytesMax: 64 * 1024 * 1024,
  turnMessagesMax: 1024,
  turnBytesMax: 1024 * 1024,
  turnBytesExpressMax: 192 * 1024,
  turnBytesSharedMax: 64 * 1024,
  turnStagedBytesMax: 4 * 1024 * 1024,
  turnTimersMax: 205,
  turnPumpMax: 512,
  commitsInFlightMax: 2,
  commitsUnstoredMax: 64,
};

export interface PartitionOptions {
  readonly index: number;
  readonly store: PartitionStore;
  readonly documents: PartitionDocuments;
  readonly machine: Machine;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly scheduler: Scheduler;
  readonly limits?: Partial<TurnLimits>;
  /** Called only once the causing turn is durable. */
  emit(effect: Effect): void;
  /**
   * Whether an answer may leave that no commit vouches for: where machines share a log, another one
   * may have begun a term. Absent: always.
   */
  mayAnswer?(): boolean;
  /** A message's bytes are no longer needed. */
  onRead?(bytes: Uint8Array): void;
  /** True on a nearly full disk: only `allowedWhenFull` messages are handled. */
  diskLow?(): boolean;
  /**
   * True on a full disk: nothing is written. Decisions that would write are refused, and outcomes
   * wait until there is room.
   */
  diskFull?(): boolean;
  /** Reads, opt-outs and outcomes that must still work on a nearly full disk. */
  allowedWhenFull?(message: Message): boolean;
  /** A message whose `decide` threw; the stack is for the log. */
  onDeadLetter?(letter: DeadLetter, error: unknown): void;
  /** The wall clock jumped ahead and the turn clock catches up. Called once per jump. */
  onClockJump?(aheadMs: Millis): void;
  /** The wall clock is further ahead than anything explains. `byMs`: as far as that. */
  onClockDoubted?(byMs: Millis): void;
  onClockConfirmed?(by: ClockSource): void;
  /** The wall clock fell behind the data, or (below a minute) no longer is. */
  onClockBehind?(behindMs: Millis): void;
  /** `apply` threw: memory and log differ, so the process must end. */
  onFatal(error: unknown): void;
}

export interface PartitionClock {
  /** How far the wall clock is behind the newest instant. */
  readonly behindMs: Millis;
  /** How much time nobody confirmed, and what the wall clock showed at the newest doubt. */
  readonly unconfirmedMs: Millis;
  readonly doubtedMs: Millis | undefined;
}

/** Longer turns delay everyone in the partition. */
export const longTurnMs: Millis = 10;

/** Buckets of the histograms. */
export const turnBoundsMs = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1_000] as const;
export const commitBoundsMs = [
  0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000,
] as const;
export const latenessBoundsMs = [10, 50, 100, 500, 1_000, 2_000, 5_000, 10_000, 60_000] as const;

export interface PartitionFigures {
  turns: number;
  /** Turn durations without commits, and how many exceeded `longTurnMs`. */
  readonly turnTimes: Durations;
  longTurns: number;
  messages: number;
  entries: number;
  expired: number;
  refusedFull: number;
  deadLetters: number;
  commits: number;
  readonly commitTimes: Durations;
  commitMsMax: number;
  blockBytes: number;
  /** How late timers fired. */
  readonly timerTimes: Durations;
  timerLatenessMsMax: number;
  clockJumps: number;
}

export function noFigures(): PartitionFigures {
  return {
    turns: 0,
    turnTimes: noDurations(turnBoundsMs),
    longTurns: 0,
    messages: 0,
    entries: 0,
    expired: 0,
    refusedFull: 0,
    deadLetters: 0,
    commits: 0,
    commitTimes: noDurations(commitBoundsMs),
    commitMsMax: 0,
    blockBytes: 0,
    timerTimes: noDurations(latenessBoundsMs),
    timerLatenessMsMax: 0,
    clockJumps: 0,
  };
}
