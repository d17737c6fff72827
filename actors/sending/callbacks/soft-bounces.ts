// When an address rests: its soft bounces in a row, each send once, until something is delivered.
// After a rest one more soft bounce rests it again; then the count begins anew. Pure.

import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import type { SoftBounces } from '../../../storage/tables/device-send.ts';
import type { SoftBounceRule } from '../../tenants/accounts/records.ts';

/** A mail relay that reports no deliveries leaves no other end of a row. */
const rowEndsAfterMs: Millis = 60 * dayMs;

interface Counted {
  readonly soft: SoftBounces;
  /** Set if the address rests now. */
  readonly untilMs?: Millis;
}

/** `undefined`: it rests already, and nothing changes. */
export function afterSoftBounce(
  known: SoftBounces | undefined,
  { inARow, overDays, restDays }: SoftBounceRule,
  nowMs: Millis,
): Counted | undefined {
  const { restedUntilMs = 0 } = known ?? {};
  if (restedUntilMs > nowMs) return undefined;
  const isInRow = known !== undefined && nowMs - known.lastMs < rowEndsAfterMs;
  const count = isInRow ? known.count + 1 : 1;
  const sinceMs = isInRow && known.count > 0 ? known.sinceMs : nowMs;
  const isAgain = isInRow && known.restedUntilMs !== undefined;
  const isEnough = count >= inARow && nowMs - sinceMs >= overDays * dayMs;
  if (!isAgain && !isEnough) return { soft: { count, sinceMs, lastMs: nowMs } };
  const untilMs = nowMs + restDays * dayMs;
  const soft: SoftBounces = { count: 0, sinceMs: nowMs, lastMs: untilMs };
  return { soft: isAgain ? soft : { ...soft, restedUntilMs: untilMs }, untilMs };
}
