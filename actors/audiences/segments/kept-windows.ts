// Refuses a retention shorter than a saved filter's window. Source: specification, "Errors".

import type { Message } from '../../../engine/actor/message.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { limits } from '../../limits.ts';
import { longestWindowDays } from './filter.ts';
import type { SegmentsView } from './memory.ts';
import { savedFilters } from './saved-filters.ts';

/** Why a `settings.patch` is refused for saved filters; `undefined` if it is not. */
export function windowBeyond(app: SegmentsView, message: Message): Fault | undefined {
  const { patch } = message as Message & {
    readonly patch: { readonly eventsRetentionDays?: number | null };
  };
  if (patch.eventsRetentionDays === undefined) return undefined;
  const keptDays = patch.eventsRetentionDays ?? limits.eventsRetentionDays;
  for (const { filter, what } of savedFilters(app)) {
    const days = longestWindowDays(filter);
    if (days <= keptDays) continue;
    return fieldFault(
      'eventsRetentionDays',
      `${what} looks back ${days} days; shorten its window first`,
    );
  }
  return undefined;
}
