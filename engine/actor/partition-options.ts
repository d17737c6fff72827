// A partition's options, the bounds of its turns, and its figures. Bounds are counts and never
// times, so that a simulated turn is cut where a real one is.

import type { Millis, Ordinal, Seq } from '../base/brand.ts';
import type { Rng } from '../base/rng.ts';
import type { Clock } from '../time/clock.ts';
import type { Machine } from './machine.ts';
import type { MailboxLimits } from './mailbox.ts';
import type { DocumentReader, DocumentWrite, Effect, Message } from './message.ts';
import type { DeadLetter } from './runtime-memory.ts';
import type { DocumentChange, PartitionStore } from './store.ts';

/** The overlay of uncommitted documents over the store; `storage/documents.ts` implements it. */
interface PartitionDocuments {
  bound(owner: Ordinal): DocumentReader;
  /** All of them, or none if one cannot be written. */
  stage(owner: Ordinal, writes: readonly DocumentWrite[]): void;
  /** Bytes of the records staged so far in this turn. */
  readonly stagedBytes: number;
  takeStaged(seq: Seq): readonly DocumentChange[];
  settled(seq: Seq): void;
}

/** How a partition gets its next moment to run. */
export interface Scheduler {
  /** Runs `task` soon, after what has already arrived has been delivered. */
  soon(task: () => void): void;
  /** Runs `task` once at or after `atMs`; a later call replaces the earlier one. */
  wakeAt(atMs: Millis, task: () => void): void;
}

/** Bounds of one turn, counted, never timed. */
export interface TurnLimits extends MailboxLimits {
  readonly turnMessagesMax: number;
  readonly turnBytesMax: number;
  /** The same while express messages arrive, too: they wait for the turn in progress. */
  readonly turnBytesSharedMax: number;
  /**
   * A turn handles no further message once its documents have this size: one commit must not take a
   * slow disk seconds.
   */
  readonly turnStagedBytesMax: number;
  /**
   * The due timers that a turn handles at most; overdue ones after a downtime never fill more than
   * this.
   */
  readonly turnTimersMax: number;
  readonly turnPumpMax: number;
  readonly commitsInFlightMax: number;
}

export const defaultTurnLimits: TurnLimits = {
  messagesMax: 8192,
  bytesMax: 64 * 1024 * 1024,
  turnMessagesMax: 1024,
  turnBytesMax: 1024 * 1024,
  turnBytesSharedMax: 192 * 1024,
  turnStagedBytesMax: 4 * 1024 * 1024,
  turnTimersMax: 205,
  turnPumpMax: 512,
  commitsInFlightMax: 2,
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
  /** Sends an effect out. Called only when the turn that caused it is durable. */
  emit(effect: Effect): void;
  /** A message's bytes were read and are not needed here any more. */
  onRead?(bytes: Uint8Array): void;
  /** True while the disk is nearly full: only messages that `allowedWhenFull` names are handled. */
  diskLow?(): boolean;
  /** Reads, opt-outs and outcomes that must still work on a nearly full disk. */
  allowedWhenFull?(message: Message): boolean;
  /** A message whose `decide` threw. The stack is for the log. */
  onDeadLetter?(letter: DeadLetter, error: unknown): void;
  /**
   * The wall clock jumped ahead by this much, and the turn clock is catching up. Called once per
   * jump.
   */
  onClockJump?(aheadMs: Millis): void;
  /** A throw in `apply`: memory and log differ, so the process must end. */
  onFatal(error: unknown): void;
}

/** A turn that takes longer is too long: everybody in the partition waits for it. */
export const longTurnMs: Millis = 10;

/** Figures for metrics; read as they are. */
export interface PartitionFigures {
  turns: number;
  /** The duration of turns without their commits, and how many took longer than `longTurnMs`. */
  turnMsTotal: number;
  longTurns: number;
  messages: number;
  entries: number;
  expired: number;
  refusedFull: number;
  deadLetters: number;
  commits: number;
  commitMsTotal: number;
  commitMsMax: number;
  blockBytes: number;
  timerLatenessMsMax: number;
  clockJumps: number;
}

/** The state that a partition starts with. */
export function noFigures(): PartitionFigures {
  return {
    turns: 0,
    turnMsTotal: 0,
    longTurns: 0,
    messages: 0,
    entries: 0,
    expired: 0,
    refusedFull: 0,
    deadLetters: 0,
    commits: 0,
    commitMsTotal: 0,
    commitMsMax: 0,
    blockBytes: 0,
    timerLatenessMsMax: 0,
    clockJumps: 0,
  };
}
