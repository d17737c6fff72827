// What each relay took today, as an app's entries say: for the bound of a day after a restart. Days
// that are over, and relays that are gone, are forgotten with the next relay's first call of a day.

import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import { serverRelay } from '../../channels/port/open-relay.ts';
import { type RelaysReads, relayOf } from '../../tenants/relays/reads.ts';
import type { Receipt } from './records.ts';

const isTaken = (status: Receipt['status']) => status === 'delivered' || status === 'accepted';

export interface RelayDay {
  /** UTC, since the epoch. */
  readonly day: number;
  readonly calls: number;
}

interface WithRelayDays extends RelaysReads {
  readonly relayDays: Map<string, RelayDay>;
}

/** For folds. `count`: of people of a campaign, whose receipts are one kind. */
export function countRelayCall(
  app: WithRelayDays,
  { relay, status }: Pick<Receipt, 'relay' | 'status'>,
  atMs: Millis,
  count = 1,
): void {
  if (relay === undefined || relay === serverRelay || !isTaken(status)) return;
  const { relayDays } = app;
  const day = Math.floor(atMs / dayMs);
  const before = relayDays.get(relay);
  if (before !== undefined && before.day > day) return;
  if (before?.day !== day) forgetOthers(app, day);
  const calls = before?.day === day ? before.calls : 0;
  relayDays.set(relay, { day, calls: calls + count });
}

function forgetOthers(app: WithRelayDays, today: number): void {
  for (const [relay, { day }] of app.relayDays)
    if (day < today || relayOf(app, relay) === undefined) app.relayDays.delete(relay);
}

/** A clock ran ahead: days that have not come count for nothing. */
export function rebaseRelayDays({ relayDays }: Pick<WithRelayDays, 'relayDays'>, today: number) {
  for (const [relay, { day }] of relayDays) if (day > today) relayDays.delete(relay);
}

/** Those of relays with a bound a day: nobody asks for the others. */
export function* boundedRelayDays(app: WithRelayDays): Generator<readonly [string, RelayDay]> {
  for (const one of app.relayDays) if (relayOf(app, one[0])?.perDay !== undefined) yield one;
}
