// Whether an org may still send an email this month: what was delivered, what is under way and what
// this turn has started are held against its allowance, so that it is never passed, whatever order
// the answers come in. Source: specification, "Errors" and "Limits"; contract, section 3.

import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { type UtcMonth, utcMonthOf } from '../../../engine/time/utc-month.ts';
import { channelIds } from '../../channels/catalog.ts';
import type { PartitionState } from '../../state.ts';

const emailIndex = channelIds.indexOf('email');

/** The room of all orgs of a partition, for one turn. */
export class EmailAllowance {
  readonly #state: PartitionState;
  readonly #month: UtcMonth;
  readonly #left = new Map<Ordinal, number>();

  constructor(state: PartitionState, nowMs: Millis) {
    this.#state = state;
    this.#month = utcMonthOf(nowMs);
  }

  /** Takes room for one email of this org; false when there is none. */
  take(org: Ordinal): boolean {
    const left = this.#left.get(org) ?? this.#leftOf(org);
    this.#left.set(org, left - 1);
    return left > 0;
  }

  /** How many there is room for. */
  left(org: Ordinal): number {
    return Math.max(0, this.#left.get(org) ?? this.#leftOf(org));
  }

  #leftOf(org: Ordinal): number {
    const kept = this.#state.orgs.get(org);
    const allowance = kept?.record.emailAllowance ?? null;
    if (kept === undefined || allowance === null) return Number.POSITIVE_INFINITY;
    let used = kept.meter.emails(this.#month)?.delivered ?? 0;
    for (const ordinal of kept.apps) {
      const app = this.#state.apps.get(ordinal);
      used += app?.outbox.channels.get('email')?.inFlight ?? 0;
      used += app?.sending.rowsOn[emailIndex] ?? 0;
    }
    return allowance - used;
  }
}
