// Which misspelled fields of a campaign or journey are kept with it: those that resemble a field
// that narrows what it does, or stand inside one.

import type { DoubtsOfCall } from '../../actors/programs/doubts.ts';
import type { Call } from '../call.ts';

export function doubtsOf(
  { unknown, sent }: Pick<Call, 'unknown' | 'sent'>,
  narrows: ReadonlySet<string>,
): { readonly doubts: DoubtsOfCall } {
  const found = unknown.flatMap(({ field, warning, meant }) => {
    if (meant === undefined) return [];
    const [top = ''] = field.split(/[.[]/);
    return narrows.has(top === field ? meant : top) ? [{ field, warning, meant }] : [];
  });
  return { doubts: { found, given: Object.keys((sent ?? {}) as object) } };
}
