// The port through which the runtime drives the product. `actors/` fills it; the runtime knows no
// messaging.

import type { Millis, Ordinal } from '../base/brand.ts';
import type { Context, Decision, Effect, Entry, Message, Tell } from './message.ts';

/**
 * A timer as an entry: due at an instant, owned by an actor, naming what it is about in 128 bits.
 */
export interface TimerSet extends Entry {
  readonly kind: 'timer.set';
  readonly timer: number;
  readonly dueMs: Millis;
  readonly ref: TimerRef;
}

/**
 * Four 32-bit words that name what a timer is about (an id's words, a person's ordinal and a step
 * …).
 */
export type TimerRef = readonly [number, number, number, number];

/**
 * The rules and the memory of everything that lives in one partition. Synchronous and deterministic
 * throughout.
 */
export interface Machine {
  /** Only reads. After a throw nothing has happened, and the message is dead-lettered. */
  decide(message: Message, context: Context): Decision;
  /**
   * The only code that changes memory. Depends on (state, entry) alone, is total, and a throw ends
   * the process.
   */
  apply(entry: Entry): void;
  /** The message that a due timer becomes, for its owner's actor. */
  timerMessage(timer: number, ref: TimerRef, dueMs: Millis): Message;
  /**
   * Work that memory says can start now (due sends with credit to dispatch). Called at the end of
   * every turn, like a decision: it only reads, and returns at most about `budget` pieces of work.
   * `undefined` when there is none.
   */
  pump(context: PumpContext, budget: number): PumpResult | undefined;
  /**
   * Messages that are due although no timer was set: instants that follow from memory. Asked at the
   * start of every turn, which handles them. They need no timer record: a restart finds the same
   * ones again.
   */
  due?(nowMs: Millis): readonly Tell[];
  /** When to ask `due` next, given what was folded so far; `undefined` for never. */
  nextDueMs?(): Millis | undefined;
  /** What a restart must resume (attempts in flight): messages handled before anything new. */
  recover(nowMs: Millis): readonly Tell[];
  /** All of memory, part by part: each is made when it is read. Nothing may change in between. */
  parts(): Iterable<SnapshotPart>;
  /** Restores everything that `parts` gave, in the same order, one part at a time. */
  restore(parts: Iterable<SnapshotPart>): void;
}

/**
 * A piece of memory as plain data (objects, arrays, typed arrays; no Map, no Set). Memory is
 * written in pieces, so that a checkpoint of a large partition holds one piece at a time and never
 * a second copy of everything.
 */
export interface SnapshotPart {
  /** Lower-case letters, digits and hyphens; a file name. */
  readonly name: string;
  readonly value: unknown;
}

/** Like a decision's context, for several owners in turn. */
export interface PumpContext {
  readonly nowMs: Millis;
  readonly rng: Context['rng'];
  /** Owners whose memory is incomplete: nothing may be started for them. */
  readonly quarantined: ReadonlySet<Ordinal>;
  /**
   * Callers wait for answers of this partition, so work that is not urgent takes less of a turn.
   */
  readonly isShared: boolean;
  documentsOf(owner: Ordinal): Context['documents'];
}

export interface PumpResult {
  readonly entries: readonly Entry[];
  readonly documents: readonly (import('./message.ts').DocumentWrite & {
    readonly owner: Ordinal;
  })[];
  readonly effects: readonly Effect[];
  /** Consequences, handled in the same turn. */
  readonly tells?: readonly Tell[];
}
