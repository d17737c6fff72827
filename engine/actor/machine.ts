// The runtime's port to the product, filled by `actors/`. The runtime knows no messaging.

import type { Millis, Ordinal } from '../base/brand.ts';
import type { Ages, Context, Decision, Effect, Entry, Message, Tell } from './message.ts';

/** A timer as an entry: due time, owner, and a 128-bit reference. */
export interface TimerSet extends Entry {
  readonly kind: 'timer.set';
  readonly timer: number;
  readonly dueMs: Millis;
  readonly ref: TimerRef;
}

/** Four 32-bit words that name a timer's subject (an id, or a person's ordinal and a step). */
export type TimerRef = readonly [number, number, number, number];

/** Time between two instants of the log that no clock has confirmed. */
export interface Gap {
  readonly fromMs: Millis;
  readonly toMs: Millis;
}

/** Which gaps the log has; the machine only asks. */
export interface GapMemory extends Ages {
  readonly gaps: readonly Gap[];
  readonly unconfirmedMs: Millis;
  doubt(gap: Gap): void;
  confirm(): void;
  restore(gaps: readonly Gap[]): void;
}

/** The operator says that the wall clock is right, and the data was ahead of it. */
export interface Rebase {
  /** The newest instant from now on. */
  readonly toMs: Millis;
  /** Instants from here on were stamped by the wrong clock; beyond all if it is not known. */
  readonly sinceMs: Millis;
  /** How far the newest instant was ahead. */
  readonly aheadMs: Millis;
  /** When something happened, by the right clock. */
  stamp(atMs: Millis): Millis;
  /** When something is awaited: the wait that is left stays as long as it is. */
  due(dueMs: Millis): Millis;
}

/** Rules and memory of one partition. Synchronous and deterministic. */
export interface Machine {
  /** The runtime tells it of unconfirmed time before anything else of a turn; folds ask it. */
  readonly ages: GapMemory;
  /** What decisions and pumps read: an owner's documents, with rows that memory has instead. */
  documentsOf(owner: Ordinal, stored: Context['documents']): Context['documents'];
  /** Only reads. A throw changes nothing and dead-letters the message. */
  decide(message: Message, context: Context): Decision;
  /** The only code that changes memory. Total over (state, entry); a throw ends the process. */
  apply(entry: Entry): void;
  /** A fold: the operator said that the wall clock is right, and it is behind. */
  rebase(to: Rebase): void;
  /** The message for a due timer, to its owner's actor. */
  timerMessage(timer: number, ref: TimerRef, dueMs: Millis): Message;
  /**
   * Work that memory allows now, such as due sends with credit. Runs at the end of every turn, only
   * reads, and returns about `budget` pieces at most; `undefined` if there is none.
   */
  pump(context: PumpContext, budget: number): PumpResult | undefined;
  /**
   * Messages that memory makes due without a timer. Read at the start of every turn, which handles
   * them. A restart derives them again, so they need no timer record.
   */
  due?(nowMs: Millis, wallMs: Millis): readonly Tell[];
  /** Instead of `due` while the disk is nearly full, when no timer fires: what makes room. */
  dueWhenFull?(): readonly Tell[];
  /** When to call `due` next; `undefined` for never. */
  nextDueMs?(): Millis | undefined;
  /** Messages that resume interrupted work (attempts in flight), handled before new ones. */
  recover(nowMs: Millis): readonly Tell[];
  /** All memory, each part made when read. Nothing may change meanwhile. */
  parts(): Iterable<SnapshotPart>;
  /** Restores all of `parts`, in order, one at a time. */
  restore(parts: Iterable<SnapshotPart>): void;
}

/** Plain data without Map or Set, in parts: a checkpoint never copies all memory at once. */
export interface SnapshotPart {
  /** A file name: lower-case letters, digits and hyphens. */
  readonly name: string;
  readonly value: unknown;
}

export interface PumpContext {
  readonly nowMs: Millis;
  /** See `Context`. */
  readonly wallMs: Millis;
  readonly ages: Ages;
  readonly rng: Context['rng'];
  /** Owners with incomplete memory: start nothing for them. */
  readonly quarantined: ReadonlySet<Ordinal>;
  /** Callers are waiting, so non-urgent work gets less of a turn. */
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
