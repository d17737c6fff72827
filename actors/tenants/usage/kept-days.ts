// How many days of events an app has, for what they take.

import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import { keptDaysOf } from '../accounts/records.ts';
import type { UsageView } from './reads.ts';

export function eventDaysOf({ settings }: Pick<UsageView, 'settings'>, nowMs: Millis): number {
  const { goneBeforeMs = 0 } = settings;
  return Math.min(keptDaysOf(settings), Math.ceil((nowMs - goneBeforeMs) / dayMs));
}
