import t from 'tap';
import { Admission } from '../../../../http/call/admission/admit.ts';
import { testClock } from '../../../support/partition.ts';

const minuteMs = 60_000;

/** A key's grant: of an org, or of an agency's client. */
function grantOf(org: number, standard: number | null, agency?: number) {
  return {
    org,
    ...(agency === undefined ? {} : { agency }),
    rateLimits: { transactional: standard, standard },
  } as never;
}

t.test('the clients of an agency share a multiple of their limit', async (t) => {
  const clock = testClock(0);
  const admission = new Admission({ clock, perIpPerMinute: 1, clientsShare: 3 });
  const passes = (grant: never, units = 1) =>
    admission.charge(grant, 'standard', units).refusal === undefined;
  for (let client = 1; client <= 3; client++)
    for (let n = 0; n < 10; n++) t.ok(passes(grantOf(client, 10, 99)));
  const { state, refusal } = admission.charge(grantOf(4, 10, 99), 'standard', 1);
  t.match(refusal, { code: 'rate_limited', retryAfterSeconds: 60 });
  t.match(refusal?.message, 'all client workspaces of your agency together may use 30 units');
  t.same(state, { lane: 'standard', limit: 10, remaining: 10, reset: 0 });
  t.ok(passes(grantOf(99, 10)), 'the agency itself has its own lane');
  t.ok(passes(grantOf(5, 10, 98)), 'another agency has its own share');
  t.ok(passes(grantOf(6, null, 99)), 'a client without a limit is not bounded');
  t.ok(
    admission.charge(grantOf(4, 10, 99), 'transactional', 1).refusal === undefined,
    'the other lane has its own share',
  );
  clock.nowMs += minuteMs + 1_000;
  t.ok(passes(grantOf(4, 10, 99)));
});

t.test('what a client is refused by its own limit uses nothing of the share', async (t) => {
  const clock = testClock(0);
  const admission = new Admission({ clock, perIpPerMinute: 1, clientsShare: 2 });
  const charge = (org: number, units: number) =>
    admission.charge(grantOf(org, 10, 99), 'standard', units).refusal;
  for (let n = 0; n < 100; n++) charge(1, 11);
  t.equal(charge(1, 10), undefined);
  for (let n = 0; n < 100; n++) t.match(charge(1, 1)?.message, 'allows 10 units');
  t.equal(charge(2, 10), undefined);
  t.match(charge(3, 1)?.message, 'together may use 20 units');
});

t.test('a share of 0 is no bound', async (t) => {
  const admission = new Admission({ clock: testClock(0), perIpPerMinute: 1, clientsShare: 0 });
  for (let org = 1; org <= 100; org++)
    t.equal(admission.charge(grantOf(org, 1, 99), 'standard', 1).refusal, undefined);
});
