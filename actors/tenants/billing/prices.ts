// What usage costs, by the month from which it holds. Invoices name their table. Append only: a
// table that an invoice names never changes. Source: specification, "Billing rules".

import { assert } from '../../../engine/base/assert.ts';
import { parseUtcMonth, type UtcMonth } from '../../../engine/time/utc-month.ts';

export interface PriceTable {
  readonly name: string;
  readonly from: UtcMonth;
  /** Monthly active users without a price. */
  readonly freeMau: number;
  /** Above the free ones, up to `volumeMau`. */
  readonly mauCentsPerThousand: number;
  /** The volume price applies above this many. */
  readonly volumeMau: number;
  readonly volumeCentsPerThousand: number;
  /** Delivered emails beyond a workspace's allowance. */
  readonly emailCentsPerThousand: number;
}

/** The least total that the payment provider charges; less goes to the next invoice. */
export const chargedCentsMin = 50;

/** The oldest first; the first holds for all months before it, too. */
const tables: readonly PriceTable[] = [
  {
    name: '2026-01',
    from: monthOf('2026-01'),
    freeMau: 10_000,
    mauCentsPerThousand: 500,
    volumeMau: 250_000,
    volumeCentsPerThousand: 250,
    emailCentsPerThousand: 100,
  },
];

export function pricesOf(month: UtcMonth): PriceTable {
  const table = tables.findLast(({ from }) => from <= month) ?? tables[0];
  assert(table !== undefined, 'there is a price table');
  return table;
}

function monthOf(text: string): UtcMonth {
  const month = parseUtcMonth(text);
  assert(month !== undefined, `${text} is a month`);
  return month;
}
