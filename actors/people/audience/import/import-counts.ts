// What an import did, over all its slices.

import type { ImportReply } from '../protocol.ts';

export type ImportCounts = Pick<ImportReply, 'created' | 'updated' | 'unconfirmed' | 'keptOut'>;

export const noCounts: ImportCounts = { created: 0, updated: 0 };

/** A count that no slice has stays absent. */
export function withSlice(counts: ImportCounts, slice: ImportCounts): ImportCounts {
  return {
    created: counts.created + slice.created,
    updated: counts.updated + slice.updated,
    ...sum('unconfirmed', counts, slice),
    ...sum('keptOut', counts, slice),
  };
}

function sum(name: 'unconfirmed' | 'keptOut', counts: ImportCounts, slice: ImportCounts) {
  const [one, other] = [counts[name], slice[name]];
  return one === undefined && other === undefined ? {} : { [name]: (one ?? 0) + (other ?? 0) };
}
