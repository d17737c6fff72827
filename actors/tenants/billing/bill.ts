// From a month's figures to the lines of its invoice. Pure: the preview and the invoice are both
// this function. Money is integer cents; a line is exact until it is rounded, half up, at its end.
// Source: specification, "Billing rules"; contract, section 11.

import type { InvoiceLine } from '../../../storage/tables/invoice.ts';
import type { MonthUsage } from '../usage/months.ts';
import { chargedCentsMin, type PriceTable } from './prices.ts';
import type { Carry } from './records.ts';

export interface Bill {
  readonly lines: readonly InvoiceLine[];
  readonly totalCents: number;
  /** Too little to be charged: what the next invoice begins with. */
  readonly carriedCents: number;
}

/** `workspaces`: the root org and its clients. */
export function billOf(
  prices: PriceTable,
  workspaces: readonly MonthUsage[],
  carry: Carry | undefined,
): Bill {
  const due = [
    ...carriedIn(carry),
    ...mauLines(prices, workspaces),
    ...emailLines(prices, workspaces),
  ];
  const sum = due.reduce((cents, { amountCents }) => cents + amountCents, 0);
  if (sum === 0 || sum >= chargedCentsMin) return { lines: due, totalCents: sum, carriedCents: 0 };
  const out: InvoiceLine = {
    code: 'carried_out',
    description: 'Carried to the next invoice',
    quantity: 1,
    amountCents: -sum,
  };
  return { lines: [...due, out], totalCents: 0, carriedCents: sum };
}

function carriedIn(carry: Carry | undefined): readonly InvoiceLine[] {
  if (carry === undefined) return [];
  const description = `Carried from invoice ${carry.from}`;
  return [{ code: 'carried_in', description, quantity: 1, amountCents: carry.cents }];
}

/** People of all workspaces are added up before the tiers apply. */
function mauLines(prices: PriceTable, workspaces: readonly MonthUsage[]): InvoiceLine[] {
  const { freeMau, volumeMau, mauCentsPerThousand, volumeCentsPerThousand } = prices;
  const mau = workspaces.reduce((sum, one) => sum + one.mau, 0);
  const free = Math.min(mau, freeMau);
  const priced = Math.max(0, Math.min(mau, volumeMau) - freeMau);
  const volume = Math.max(0, mau - volumeMau);
  return [
    lineOf('mau_free', 'Monthly active users, included', free, 0),
    lineOf(
      'mau',
      `Monthly active users above ${count(freeMau)}, ${dollars(mauCentsPerThousand)} per 1,000`,
      priced,
      mauCentsPerThousand,
    ),
    lineOf(
      'mau_volume',
      `Monthly active users above ${count(volumeMau)}, ${dollars(volumeCentsPerThousand)} per 1,000`,
      volume,
      volumeCentsPerThousand,
    ),
  ].flat();
}

/** The overage is each workspace's own: one's unused allowance is not another's. */
function emailLines(prices: PriceTable, workspaces: readonly MonthUsage[]): InvoiceLine[] {
  const beyond = workspaces.reduce(
    (sum, { emailsDelivered, emailsIncluded }) =>
      sum + Math.max(0, emailsDelivered - (emailsIncluded ?? emailsDelivered)),
    0,
  );
  const { emailCentsPerThousand: price } = prices;
  const description = `Delivered emails beyond the allowance, ${dollars(price)} per 1,000`;
  return lineOf('emails', description, beyond, price);
}

function lineOf(
  code: InvoiceLine['code'],
  description: string,
  quantity: number,
  centsPerThousand: number,
): InvoiceLine[] {
  if (quantity === 0) return [];
  const amountCents = Math.floor((quantity * centsPerThousand + 500) / 1_000);
  return [{ code, description, quantity, amountCents }];
}

function count(number: number): string {
  return number.toLocaleString('en');
}

/** `5 USD`, `2.50 USD`. */
function dollars(cents: number): string {
  return `${cents % 100 === 0 ? cents / 100 : (cents / 100).toFixed(2)} USD`;
}
