// Logs, once a day, each invoice that cannot be closed because a client workspace does not report.
// Without the line, the agency would get no invoice and nobody would know why. What it logged is
// forgotten with the process, so a start may repeat a line.

import { dayMs, type Millis, type Ordinal } from '../../engine/base/brand.ts';
import type { Log } from '../../engine/observe/log.ts';
import { utcMonthText } from '../../engine/time/utc-month.ts';
import type { BillingMemory } from '../tenants/billing/memory.ts';
import { heldMonth } from '../tenants/billing/months.ts';

const idsShown = 3;

export class HeldInvoices {
  readonly #log: Pick<Log, 'warn'>;
  /** When each org was last logged. */
  readonly #told = new Map<Ordinal, Millis>();

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log;
  }

  /** Looks at all orgs of a partition. */
  look(state: BillingMemory, wallMs: Millis): void {
    for (const [owner, org] of state.orgs) {
      if (org.clients.size === 0) continue;
      const held = heldMonth(state, owner, org, wallMs);
      if (held === undefined) {
        this.#told.delete(owner);
        continue;
      }
      if (wallMs < (this.#told.get(owner) ?? Number.NEGATIVE_INFINITY) + dayMs) continue;
      this.#told.set(owner, wallMs);
      const { month, clients } = held;
      const more = clients.length > idsShown ? ', …' : '';
      this.#log.warn(
        { evt: 'invoice.held', org: org.record.id, count: clients.length },
        `the invoice of ${utcMonthText(month)} waits for client workspaces that have not reported their usage: ${clients.slice(0, idsShown).join(', ')}${more}`,
      );
    }
  }
}
