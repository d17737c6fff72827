// Who changed something last, for the callers whose own change comes too late. Owned by the org or
// the app of the thing; its row goes with it.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface Editor {
  /** As the audit log names actors. */
  readonly actor: string;
  /** The API key's name then. */
  readonly actorName?: string;
  readonly atMs: Millis;
}

export interface LastEditRow extends Editor {
  /** The version before. Where it is the current one, this call has changed nothing. */
  readonly from?: string;
  /** Who made that version; absent if nobody is known. */
  readonly earlier?: Editor;
}

/** Key: [id of the thing, or its kind where there is one of it]. */
export const lastEdits = defineTable<LastEditRow>()({
  id: 34,
  name: 'last edits',
  version: 1,
  fields: ['actor', 'actorName', 'atMs', 'from', 'earlier'],
});
