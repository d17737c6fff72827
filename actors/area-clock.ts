// What an area does without being asked: what its memory makes due, what a turn lets begin at its
// end, what a start resumes. Derived from memory: every start begins anew.

import type { PumpContext } from '../engine/actor/machine.ts';
import type { Context, DocumentWrite, Effect, Entry, Tell } from '../engine/actor/message.ts';
import type { Millis, Ordinal } from '../engine/base/brand.ts';

/** The turn that asks what is due. */
export interface DueTurn {
  readonly nowMs: Millis;
  /** See `Context`. */
  readonly wallMs: Millis;
  /** Callers are waiting, so non-urgent work gets less of the turn. */
  readonly isShared: boolean;
}

/** What is left of the end of a turn, for all apps. */
export interface StartTurn {
  readonly context: PumpContext;
  /** Pieces of work. */
  readonly left: number;
  /** People of campaigns. */
  readonly people: number;
}

/** What an app lets begin. The entries of all apps are folded when the turn ends. */
export interface Started {
  readonly entries: readonly Entry[];
  readonly documents?: readonly (DocumentWrite & { readonly owner: Ordinal })[];
  readonly effects: readonly Effect[];
  /** How many pieces of work it was. */
  readonly handled?: number;
  /** How many people of campaigns it was; if present, other apps are asked first next time. */
  readonly people?: number;
}

/** What an area adds at the end of a turn. */
export interface Ended {
  readonly effects: readonly Effect[];
  readonly tells: readonly Tell[];
}

/** Learns from a message of any area; `app` is the receiver, if it is one. */
export type Hears<App> = (app: App | undefined, message: never, context: Context) => void;

export interface AreaClock<State, App> {
  /** After memory was restored or the clock set right: computes everything again. */
  begin?(state: State, nowMs: Millis): void;
  /** An entry was folded. */
  folded?(entry: Entry, app: App | undefined): void;
  /** Messages for what is due, at most one turn's worth. */
  due?(state: State, turn: DueTurn): readonly Tell[];
  /** When it wants a turn; `undefined` for never. */
  readonly nextMs?: Millis | undefined;
  /** Instead of `due` while the disk is nearly full: what makes room. */
  dueWhenFull?(state: State): readonly Tell[];
  /** While true, only clocks that run `whileHeld` are asked, and nothing begins. */
  holds?(state: State): boolean;
  readonly whileHeld?: true;
  /** It is not asked once dispatchers are about to end. */
  readonly needsDispatchers?: true;
  /** The clock was in doubt and is confirmed: what waited for that may be due. */
  confirmed?(): void;
  /** The columns of an app are complete. */
  columnsComplete?(app: App): void;
  /** It survives a clock that is set right; others are made anew. */
  readonly isKept?: true;
  /** What it learns of messages, by kind, before they are decided. */
  readonly before?: Readonly<Record<string, Hears<App>>>;
  /** The same, once they are accepted. */
  readonly after?: Readonly<Record<string, Hears<App>>>;
  /** Lets work of an app begin; `undefined` if there is none that may. */
  start?(state: State, app: App, turn: StartTurn): Started | undefined;
  /** Whether the app has more than fits into a turn. */
  hasMore?(app: App): boolean;
  /** The turn ends with these entries, which are not folded yet. */
  end?(
    state: State,
    context: PumpContext,
    entries: readonly Entry[],
    mayStart: boolean,
  ): Ended | undefined;
  /** Messages that resume interrupted work after a start. */
  resume?(state: State): readonly Tell[];
  /** The same, of each app. */
  resumeApp?(state: State, app: App): readonly Tell[];
}
