// Changes that the restore of an older backup would undo, and must not. They are listed outside
// backups, and made again after the restore (`runtime/restore-changes.ts`).

import type { Context, DocumentWrite, Effect, Entry } from '../engine/actor/message.ts';

/** `Own`: an entry that makes such a change. */
export interface Undone<State, Own> {
  /** Changes are made again in this order: each kind has its own, among those of all areas. */
  readonly rank: number;
  /** What the entry decides about. Earlier ones about it no longer matter. */
  about(entry: Own): string;
  /** It changes only a part of what an earlier one made, which is made again as well. */
  readonly isPart?: true;
  /** It is not written to the list at once, but together with others. */
  readonly isListedLater?: true;
  /** How it is listed; `undefined` if it cannot be made again. */
  listed?(entry: Own): Entry | undefined;
  /** What goes with it; `undefined` if the backup has it. Without this, an app's always is. */
  again?(state: State, entry: Own, context: Context): Again | undefined;
}

interface Again {
  readonly documents?: readonly DocumentWrite[];
  readonly effects?: readonly Effect[];
}

export type UndoneBy<Own extends Entry, State> = {
  readonly [Kind in Own['kind']]?: Undone<State, Extract<Own, { readonly kind: Kind }>>;
};
