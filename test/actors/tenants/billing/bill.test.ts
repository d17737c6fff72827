// The lines of an invoice, against the specification's prices worked out a second time with exact
// fractions, over generated months.

import fc from 'fast-check';
import t from 'tap';
import { type Bill, billOf } from '../../../../actors/tenants/billing/bill.ts';
import { pricesOf } from '../../../../actors/tenants/billing/prices.ts';
import type { Carry } from '../../../../actors/tenants/billing/records.ts';
import type { MonthUsage } from '../../../../actors/tenants/usage/months.ts';
import { tries } from '../../../support/tries.ts';

const prices = pricesOf(2026 * 12);

/** Cents as quarters, which every price is a multiple of per person or email: bigints are exact. */
function secondOpinion(workspaces: readonly MonthUsage[], carriedIn: number) {
  let people = 0n;
  let emails = 0n;
  for (const { mau, emailsDelivered, emailsIncluded } of workspaces) {
    people += BigInt(mau);
    if (emailsIncluded !== null && emailsDelivered > emailsIncluded)
      emails += BigInt(emailsDelivered) - BigInt(emailsIncluded);
  }
  const above = (floor: bigint) => (people > floor ? people - floor : 0n);
  const volume = above(250_000n);
  const priced = above(10_000n) - volume;
  // 5 USD per 1,000 is half a cent; 2.50 USD a quarter; 1 USD a tenth.
  const cents = [half(priced, 2n), half(volume, 4n), half(emails, 10n)];
  return cents.reduce((sum, one) => sum + one, carriedIn);
}

/** `count / divisor`, half up. */
function half(count: bigint, divisor: bigint): number {
  return Number((2n * count + divisor) / (2n * divisor));
}

const workspace = fc.record({
  mau: fc.oneof(fc.nat(40_000), fc.nat(2_000_000), fc.constantFrom(9_999, 10_000, 10_001, 250_001)),
  emailsDelivered: fc.oneof(fc.nat(60_000), fc.nat(50_000_000)),
  emailsIncluded: fc.oneof(fc.constant(null), fc.constant(20_000), fc.nat(100_000)),
});
const carry = fc.option(
  fc.record({ cents: fc.integer({ min: 1, max: 49 }), from: fc.constant('ABCD-0001') }),
  { nil: undefined },
);

t.test('every month costs what the specification says', async (t) => {
  fc.assert(
    fc.property(fc.array(workspace, { minLength: 1, maxLength: 8 }), carry, (all, carried) => {
      const bill = billOf(prices, all, carried);
      const due = secondOpinion(all, carried?.cents ?? 0);
      const isSmall = due > 0 && due < 50;
      t.equal(bill.totalCents, isSmall ? 0 : due);
      t.equal(bill.carriedCents, isSmall ? due : 0);
      t.equal(sumOf(bill), bill.totalCents, 'the lines add up to the total');
      t.ok(bill.lines.every(({ amountCents }) => Number.isInteger(amountCents)));
      t.ok(bill.lines.every(({ quantity }) => quantity > 0));
    }),
    { numRuns: tries(2_000) },
  );
});

t.test('nothing is lost between invoices, however small each month is', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 10_000, max: 10_200 }), { maxLength: 30 }), (months) => {
      let carried: Carry | undefined;
      let charged = 0;
      let due = 0;
      for (const [index, mau] of months.entries()) {
        const one = { mau, emailsDelivered: 0, emailsIncluded: 20_000 };
        const bill = billOf(prices, [one], carried);
        charged += bill.totalCents;
        due += half(BigInt(mau - 10_000), 2n);
        carried =
          bill.carriedCents === 0 ? undefined : { cents: bill.carriedCents, from: `${index}` };
        t.ok(bill.totalCents === 0 || bill.totalCents >= 50, 'no charge is under 50 cents');
      }
      t.equal(charged + (carried?.cents ?? 0), due);
    }),
  );
});

t.test('the bounds of the tiers', async (t) => {
  const cases: readonly (readonly [mau: number, cents: number])[] = [
    [0, 0],
    [10_000, 0],
    [10_100, 50],
    [10_101, 51],
    [11_000, 500],
    [250_000, 120_000],
    [250_001, 120_000],
    [250_002, 120_001],
    [251_000, 120_250],
    [1_000_000, 307_500],
  ];
  for (const [mau, cents] of cases) {
    const one = { mau, emailsDelivered: 0, emailsIncluded: null };
    t.equal(billOf(prices, [one], undefined).totalCents, cents, `${mau} people`);
  }
});

t.test("an unlimited allowance has no email line, and nobody uses another's", async (t) => {
  const of = (emailsDelivered: number, emailsIncluded: number | null) => ({
    mau: 0,
    emailsDelivered,
    emailsIncluded,
  });
  const codes = (...all: MonthUsage[]) =>
    billOf(prices, all, undefined).lines.map(({ code, quantity }) => [code, quantity]);
  t.same(codes(of(9_000_000, null)), []);
  t.same(codes(of(20_000, 20_000)), []);
  t.same(codes(of(30_000, 20_000), of(0, 20_000)), [['emails', 10_000]]);
  t.same(codes(of(10, 0), of(990, 0)), [['emails', 1_000]]);
});

function sumOf({ lines }: Bill): number {
  return lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
}
