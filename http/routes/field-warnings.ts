// Which misspelled fields of a campaign or journey are kept with it: those that resemble a field
// that changes what it sends, or stand inside one.

import type { WarningsOfCall } from '../../actors/programs/field-warnings.ts';
import type { Call } from '../call/call.ts';

export function fieldWarningsOf(
  { unknown, sent }: Pick<Call, 'unknown' | 'sent'>,
  narrows: ReadonlySet<string>,
  advises: ReadonlySet<string> = new Set(),
): { readonly doubts: WarningsOfCall } {
  const found = unknown.flatMap(({ field, warning, meant }) => {
    if (meant === undefined) return [];
    const [top = ''] = field.split(/[.[]/);
    const name = top === field ? meant : top;
    if (narrows.has(name)) return [{ field, warning, meant }];
    return advises.has(name) ? [{ field, warning, meant, isAdvice: true as const }] : [];
  });
  return { doubts: { found, given: Object.keys((sent ?? {}) as object) } };
}
