// What each relay took today, as an app's entries say: for the bound of a day after a restart.

import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import type { Receipt } from './records.ts';

const isTaken = (status: Receipt['status']) => status === 'delivered' || status === 'accepted';

export interface RelayDay {
  /** UTC, since the epoch. */
  readonly day: number;
  readonly calls: number;
}

interface WithRelayDays {
  readonly relayDays: Map<string, RelayDay>;
}

/** For folds. `count`: of people of a campaign, whose receipts are one kind. */
export function countRelayCall(
  { relayDays }: WithRelayDays,
  { relay, status }: Pick<Receipt, 'relay' | 'status'>,
  atMs: Millis,
  count = 1,
): void {
  if (relay === undefined || !isTaken(status)) return;
  const day = Math.floor(atMs / dayMs);
  const before = relayDays.get(relay);
  const calls = before?.day === day ? before.calls : 0;
  if (before === undefined || before.day <= day)
    relayDays.set(relay, { day, calls: calls + count });
}
