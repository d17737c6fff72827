// A stranger with a /48 has 65,536 budgets of a /64, and sixteen in all. Others notice nothing.

import fc from 'fast-check';
import t from 'tap';
import { minuteMs } from '../../engine/base/brand.ts';
import { AddressBudget } from '../../http/address-budget.ts';
import type { Hold } from '../../http/call-edge.ts';
import { rateKey } from '../../http/client-address.ts';

const budgetsOfSite = 16;
const net = (site: number, subnet: number) =>
  rateKey(`2001:db8:${site.toString(16)}:${subnet.toString(16)}::1`);

t.test('all of a /48 together get what sixteen addresses get', async (t) => {
  const budget = new AddressBudget(10, 1_000);
  let passed = 0;
  for (let subnet = 0; subnet < 500; subnet++)
    for (let i = 0; i < 12; i++) if (budget.take(net(1, subnet), 0) === 0) passed++;
  t.equal(passed, 10 * budgetsOfSite);
  t.equal(budget.take(net(2, 1), 0), 0, 'another site');
  t.equal(budget.take('10.0.0.1', 0), 0, 'IPv4');
  t.equal(budget.take(`7 ${net(1, 1)}`, 0), 0, 'another app');
  t.equal(budget.take(net(1, 77), 0), 60, 'seconds to wait');
  t.equal(budget.take(net(1, 77), minuteMs), 0, 'a minute later');
});

t.test('an address with the /48 to itself keeps the limit of an address', async (t) => {
  const budget = new AddressBudget(10, 1_000);
  for (let i = 0; i < 10; i++) t.equal(budget.take(net(1, 1), 0), 0);
  t.equal(budget.take(net(1, 1), 0), 60);
  t.equal(budget.take(net(1, 2), 0), 0);
});

t.test('a hold takes of both, and gives back to both', async (t) => {
  const budget = new AddressBudget(10, 1_000);
  const held: Hold[] = [];
  for (let subnet = 0; subnet < budgetsOfSite; subnet++)
    budget.hold(net(1, subnet), 10, 0, (hold) => held.push(hold));
  t.same(
    held.map(({ count }) => count),
    held.map(() => 10),
  );
  let late: Hold | undefined;
  budget.hold(net(1, 99), 4, 0, (hold) => {
    late = hold;
  });
  t.equal(late, undefined, 'it waits for what the others hold');
  held[0]?.release(3, 0);
  t.match(late, { count: 4, waitSeconds: 0 });
  for (const one of held.slice(1)) one.release(10, 0);
  budget.hold(net(1, 100), 10, 0, (hold) => {
    t.match(hold, { count: 3, used: 9 }, 'a new address of a noisy site counts as noisy');
    hold.release(0, 0);
  });
});

t.test('no minute of a /48 or a /64 exceeds its limit, however it is asked', async (t) => {
  const call = fc.record({
    site: fc.integer({ min: 1, max: 2 }),
    subnet: fc.integer({ min: 0, max: 60 }),
    units: fc.integer({ min: 1, max: 5 }),
    afterMs: fc.integer({ min: 0, max: 5_000 }),
    how: fc.constantFrom('take', 'hold'),
  });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 400 }), (calls) => {
      const budget = new AddressBudget(5, 1_000);
      const passed: { key: string; site: number; atMs: number; units: number }[] = [];
      let nowMs = 0;
      for (const { site, subnet, units, afterMs, how } of calls) {
        nowMs += afterMs;
        const key = net(site, subnet);
        const note = (n: number) => passed.push({ key, site, atMs: nowMs, units: n });
        if (how === 'take') {
          if (budget.take(key, nowMs, units) === 0) note(units);
        } else
          budget.hold(key, units, nowMs, (hold) => {
            note(hold.count);
            hold.release(hold.count, nowMs);
          });
        const recent = passed.filter(({ atMs }) => atMs > nowMs - minuteMs);
        const sum = (of: typeof recent) => of.reduce((all, one) => all + one.units, 0);
        if (sum(recent.filter((one) => one.key === key)) > 5) return false;
        if (sum(recent.filter((one) => one.site === site)) > 5 * budgetsOfSite) return false;
      }
      return true;
    }),
  );
  t.pass();
});
