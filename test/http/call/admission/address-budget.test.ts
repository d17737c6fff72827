// A stranger with a /48 has 65,536 budgets of a /64, and sixteen in all. Others notice nothing.

import fc from 'fast-check';
import t from 'tap';
import { minuteMs } from '../../../../engine/base/brand.ts';
import { AddressBudget } from '../../../../http/call/admission/address-budget.ts';
import type { Hold } from '../../../../http/call/call-edge.ts';
import { rateKey } from '../../../../http/server/client-address.ts';

const budgetsOfSite = 16;
const startMs = 1_790_000_000_000;
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

t.test(
  'sites that call from all their networks take a few places, and leave the rest',
  async (t) => {
    const budget = new AddressBudget(10, 2_000);
    let passed = 0;
    for (let site = 0; site < 6; site++)
      for (let net = 0; net < 3_000; net++)
        if (budget.take(rateKey(`2001:db8:${site}:${net.toString(16)}::1`), startMs) === 0)
          passed++;
    t.equal(passed, 6 * 160, 'each has the budget of sixteen addresses');
    t.equal(budget.overflows, 0, 'the tables have room');
    for (let nth = 0; nth < 300; nth++) {
      const v4 = `198.51.${nth >> 8}.${nth & 255}`;
      const v6 = rateKey(`2001:db8:${(nth + 100).toString(16)}::1`);
      for (const who of [v4, v6]) {
        for (let i = 0; i < 10; i++) t.equal(budget.take(who, startMs), 0, who);
        t.not(budget.take(who, startMs), 0, 'its own limit, exactly');
      }
    }
    t.equal(budget.overflows, 0, 'nobody shares a counter');
  },
);

t.test(
  'a full table of IPv6 leaves that of IPv4 alone, and newcomers share counters',
  async (t) => {
    const budget = new AddressBudget(10, 200);
    for (let site = 0; site < 500; site++)
      budget.take(rateKey(`2001:db8:${site.toString(16)}::1`), startMs);
    t.ok(budget.overflows > 0);
    let refused = 0;
    for (let site = 1_000; site < 1_100; site++)
      if (budget.take(rateKey(`2001:db8:${site.toString(16)}::1`), startMs) > 0) refused++;
    t.equal(refused, 0, 'newcomers pass');
    const before = budget.overflows;
    for (let nth = 0; nth < 200; nth++) t.equal(budget.take(`198.51.100.${nth}`, startMs), 0);
    t.equal(budget.overflows, before);
  },
);

t.test('a site whose networks were forgotten has its places again', async (t) => {
  const budget = new AddressBudget(10, 1_000);
  const from = (net: number) => rateKey(`2001:db8:5:${net.toString(16)}::1`);
  for (let round = 0; round < 3; round++) {
    const nowMs = startMs + round * 3_600_000;
    for (let net = 0; net < 70; net++) budget.take(from(net), nowMs);
    // Calls of others let the table forget those at rest.
    for (let nth = 0; nth < 200; nth++)
      budget.take(rateKey(`2001:db8:${nth + 9}::1`), nowMs + 61_000);
    for (let i = 0; i < 10; i++) t.equal(budget.take(from(0), nowMs + 61_000), 0);
    t.not(budget.take(from(0), nowMs + 61_000), 0, 'counted for itself');
  }
});
