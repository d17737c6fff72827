// Sign-in mails to strangers are bounded whatever tenants do; those to people who sign in are
// bounded by their own address alone.

import fc from 'fast-check';
import t from 'tap';
import type { Membership } from '../../../../actors/tenants/sessions/protocol.ts';
import { SignInBounds } from '../../../../http/call/session/sign-in-bounds.ts';
import { tries } from '../../../support/tries.ts';

const startMs = 1_790_000_000_000;
const hourMs = 3_600_000;

function membership(orgId: string, email: string, isOpen: boolean, parent?: string): Membership {
  const member = { id: 'mbr_1', email, role: 'viewer', createdMs: 0 } as const;
  return {
    org: 1,
    orgId,
    orgName: 'x',
    parentOrgId: parent ?? null,
    member: isOpen ? { ...member, isOpen } : member,
    seenMs: null,
  };
}

t.test('in no hour more than its bound for an org, an address and the server', async (t) => {
  const step = fc.record({
    org: fc.constantFrom('a', 'b', 'c'),
    address: fc.nat(60),
    isKnown: fc.boolean(),
    waitMs: fc.constantFrom(0, 0, 0, 10_000, 600_000, hourMs),
  });
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(step, { minLength: 60, maxLength: 250 }), (steps) => {
        const bounds = new SignInBounds(45, 20);
        const sent: { atMs: number; org: string; address: number; isKnown: boolean }[] = [];
        let nowMs = startMs;
        for (const { org, address, isKnown, waitMs } of steps) {
          nowMs += waitMs;
          const email = `${address % 2 === 0 ? 'x' : 'X'}${address}@a.test`;
          if (bounds.take(membership(org, email, true), isKnown, nowMs) === undefined)
            sent.push({ atMs: nowMs, org, address, isKnown });
          const recent = sent.filter((one) => one.atMs > nowMs - hourMs);
          const ofOrg = recent.filter((one) => one.org === org).length;
          const own = recent.filter((one) => one.address === address && one.isKnown === isKnown);
          if (recent.length > 45 || ofOrg > 20 || own.length > 5) return false;
        }
        return true;
      }),
      { seed: 14, numRuns: tries(60) },
    ),
  );
});

t.test('200 a day for an org, however slowly', async (t) => {
  const bounds = new SignInBounds(1_000_000, 20);
  const midnight = Math.ceil(startMs / (24 * hourMs)) * 24 * hourMs;
  let sent = 0;
  for (let nth = 0; nth < 24 * 20; nth++) {
    const one = membership('a', `p${nth}@a.test`, true);
    if (bounds.take(one, false, midnight + nth * 180_000) === undefined) sent++;
  }
  t.equal(sent, 200);
  t.equal(bounds.take(membership('a', 'z@a.test', true), false, midnight + 24 * hourMs), undefined);
});

t.test('clients of an agency share a bound, and people who sign in share none', async (t) => {
  const bounds = new SignInBounds(1_000_000, 2);
  let sent = 0;
  for (let nth = 0; nth < 100; nth++) {
    const one = membership(`client-${nth}`, `p${nth}@a.test`, true, 'agency');
    if (bounds.take(one, false, startMs) === undefined) sent++;
  }
  t.equal(sent, 40);
  const few = new SignInBounds(1, 20);
  for (let nth = 0; nth < 100; nth++)
    t.equal(few.take(membership('a', `p${nth}@a.test`, false), false, startMs), undefined);
});
