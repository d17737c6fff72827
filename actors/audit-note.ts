// What an area has the audit log note of its entries. No secret and no address may get in. Source:
// contract, section 2.

import type { Context, Entry, Message } from '../engine/actor/message.ts';
import type { AuditAction } from './audit-actions.ts';

export interface NoteText {
  readonly action: AuditAction;
  readonly target: string;
  readonly before?: object;
  readonly after?: object;
  /** Where the change itself says who made it. */
  readonly actor?: string;
}

/**
 * By kind of entry: what is noted, whoever caused it; `undefined` for nothing. Called before the
 * entry is folded, so `state` is the state before.
 */
export type Notes<Own extends Entry, State> = {
  readonly [Kind in Own['kind']]?: (
    state: State,
    entry: Extract<Own, { readonly kind: Kind }>,
    context: Context,
    message: Message,
  ) => NoteText | undefined;
};
