// How many sign-ups wait, and how many were confirmed: derived from the rows that any decision
// writes, so that an erasure or a merge of two people cannot leave a wrong count.

import type { Context, Message } from '../../../engine/actor/message.ts';
import { type OptInRow, optIns } from '../../../storage/tables/opt-in.ts';
import type { Accepted } from '../../area.ts';
import type { OptInCounts, OptInEntry } from './protocol.ts';

export function optInsCounted(
  _app: object,
  _message: Message,
  { documents = [] }: Accepted,
  { owner, documents: reader }: Context,
): OptInEntry | undefined {
  const rows = new Map<string, { key: readonly (string | number)[]; after?: OptInRow }>();
  for (const { table, key, value } of documents) {
    if (table.id !== optIns.id) continue;
    const after = value === undefined ? {} : { after: value as OptInRow };
    rows.set(key.join(' '), { key: key as readonly (string | number)[], ...after });
  }
  if (rows.size === 0) return undefined;
  const by = { queued: 0, waiting: 0, confirmed: 0 };
  for (const { key, after } of rows.values()) {
    const before = reader.get(optIns, key);
    add(by, before, -1);
    add(by, after, 1);
    // A row goes, and what was confirmed stays confirmed.
    if (before?.state === 'confirmed' && after?.state !== 'confirmed') by.confirmed++;
  }
  const isSame = by.queued === 0 && by.waiting === 0 && by.confirmed === 0;
  return isSame ? undefined : { kind: 'opt_in.counted', owner, by };
}

type Counts = { -readonly [Name in keyof OptInCounts]: number };

function add(by: Counts, row: OptInRow | undefined, times: 1 | -1): void {
  if (row === undefined) return;
  if (row.state === 'confirmed') by.confirmed += times;
  else if (row.owed !== undefined) by.queued += times;
  else by.waiting += times;
}
