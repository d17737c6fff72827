// When billing has something to do for each org: begin, close a month, charge an invoice. Derived
// from memory, so a restart needs no record of it, and neither a downtime nor a corrected clock can
// leave a month unclosed.

import type { Entry, Tell } from '../../../engine/actor/message.ts';
import { hourMs, type Millis, minuteMs, type Ordinal } from '../../../engine/base/brand.ts';
import type { AreaClock, DueTurn } from '../../area-clock.ts';
import { type ChargePlan, nextChargeMs } from './charging.ts';
import type { BillingMemory, BillingOrgView } from './memory.ts';
import { closesMs, openMonth } from './months.ts';
import type { BillingEntry } from './protocol.ts';

/** Orgs per turn. */
const orgsMax = 64;
/** Until it looks again at an org that could not do what was due, and at a clock in doubt. */
const againMs: Millis = minuteMs;
/** Behind the data, the wall clock and instants do not run alike. */
const behindMs: Millis = hourMs;

const moving: ReadonlySet<string> = new Set<BillingEntry['kind'] | 'org.created'>([
  'org.created',
  'billing.began',
  'billing.method_connected',
  'billing.method_detached',
  'invoice.closed',
  'invoice.paid',
  'charge.started',
  'charge.unresolved',
  'charge.failed',
]);

export class BillingClock implements AreaClock<BillingMemory, unknown> {
  readonly needsDispatchers = true;
  readonly #plan: ChargePlan;
  /** The next due instant per org; 0 to compute it. */
  readonly #nextOf = new Map<Ordinal, Millis>();
  /** Nothing is due before this. */
  #nextMs: Millis = Number.POSITIVE_INFINITY;

  constructor(plan: ChargePlan) {
    this.#plan = plan;
  }

  /** When the clock needs a turn; `undefined` for never. */
  get nextMs(): Millis | undefined {
    return this.#nextMs === Number.POSITIVE_INFINITY ? undefined : this.#nextMs;
  }

  begin({ orgs }: BillingMemory): void {
    for (const owner of orgs.keys()) this.#look(owner);
  }

  confirmed(): void {
    for (const owner of this.#nextOf.keys()) this.#look(owner);
  }

  folded(entry: Entry): void {
    if (moving.has(entry.kind)) this.#look(entry.owner);
  }

  /** Charges that may have been made when the process ended. */
  resume({ orgs }: BillingMemory): readonly Tell[] {
    const tells: Tell[] = [];
    for (const [to, { billing }] of orgs)
      if (billing.unpaid.some(({ charge }) => charge !== null))
        tells.push({ to, message: { kind: 'billing.resume', by: -1 } as Tell['message'] });
    return tells;
  }

  due(state: BillingMemory, { nowMs, wallMs }: DueTurn): Tell[] {
    if (nowMs < this.#nextMs) return [];
    if (state.ages.gaps.length > 0) {
      this.#nextMs = nowMs + againMs;
      return [];
    }
    const tells: Tell[] = [];
    this.#nextMs = Number.POSITIVE_INFINITY;
    for (const [owner, askMs] of this.#nextOf) {
      const org = state.orgs.get(owner);
      if (org === undefined || org.record.parentOrgId !== null) {
        this.#nextOf.delete(owner);
        continue;
      }
      let nextMs = askMs;
      if (askMs <= nowMs) {
        nextMs = this.#dueMs(org, nowMs, wallMs);
        if (nextMs <= nowMs && tells.length < orgsMax) {
          tells.push({ to: owner, message: { kind: 'billing.due', by: -1 } as Tell['message'] });
          nextMs = nowMs + againMs;
        }
        this.#nextOf.set(owner, nextMs);
      }
      this.#nextMs = Math.min(this.#nextMs, nextMs);
    }
    return tells;
  }

  #look(owner: Ordinal): void {
    this.#nextOf.set(owner, 0);
    this.#nextMs = 0;
  }

  #dueMs({ billing }: BillingOrgView, nowMs: Millis, wallMs: Millis): Millis {
    const month = openMonth(billing);
    if (month === undefined) return nowMs;
    const isBehind = wallMs < nowMs;
    const closes = closesMs(month) + (nowMs - wallMs);
    const charges = nextChargeMs(billing.unpaid, this.#plan) ?? Number.POSITIVE_INFINITY;
    return Math.min(closes, charges, isBehind ? nowMs + behindMs : Number.POSITIVE_INFINITY);
  }
}
