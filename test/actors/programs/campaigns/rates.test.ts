import fc from 'fast-check';
import t from 'tap';
import { type Funnel, noFunnel } from '../../../../actors/programs/campaigns/funnel.ts';
import { liftOf } from '../../../../actors/programs/campaigns/lift.ts';
import {
  bestOfCampaigns,
  rateNames,
  ratesOf,
} from '../../../../actors/programs/campaigns/rates.ts';

function campaign(campaignId: string, counts: Partial<Funnel>, hasGoal = true) {
  const funnel = { ...noFunnel(), ...counts };
  return { campaignId, ...funnel, rates: ratesOf(funnel, hasGoal), lift: null };
}

t.test('every rate is a share of the people sent to, with its interval', async (t) => {
  const { rates } = campaign('a', { sent: 263, delivered: 260, opened: 81, failed: 1 });
  // The worked example of R. G. Newcombe, Statistics in Medicine 17 (1998), 857, method 3.
  const { share = 0, low = 0, high = 0 } = rates?.opened ?? {};
  t.same(
    [share, low, high].map((one) => one.toFixed(4)),
    ['0.3080', '0.2553', '0.3662'],
  );
  t.equal(rates?.of, 'sent');
  t.same(rates?.complained.share, 0);
  t.ok((rates?.complained.high ?? 0) > 0.01, 'none of 263 does not mean none of all');
  t.equal(campaign('a', {}).rates, null, 'nothing is a share of nobody');
  t.equal(campaign('a', { sent: 9 }, false).rates?.converted, null, 'without a goal');
});

t.test('a rate of some out of more than were sent to is all of them', async (t) => {
  t.same(campaign('a', { sent: 2, unsubscribed: 3 }).rates?.unsubscribed.share, 1);
});

t.test('nothing is best by chance', async (t) => {
  const one = campaign('a', { sent: 100, delivered: 100, opened: 21, bounced: 0 });
  const other = campaign('b', { sent: 100, delivered: 100, opened: 20, bounced: 1 });
  t.same(new Set(Object.values(bestOfCampaigns([one, other]))), new Set([null]));
  t.same(new Set(Object.values(bestOfCampaigns([one]))), new Set([null]), 'alone');
  const nobody = campaign('c', {});
  t.same(bestOfCampaigns([one, nobody]).opened, null, 'against one that was not sent');
});

t.test('the best is named where its lead is shown over each of the others', async (t) => {
  const low = campaign('low', { sent: 1000, opened: 100, bounced: 200 });
  const high = campaign('high', { sent: 1000, opened: 300, bounced: 2 });
  const near = campaign('near', { sent: 1000, opened: 290, bounced: 150 });
  t.match(bestOfCampaigns([low, high]), { opened: 'high', bounced: 'high', clicked: null });
  t.match(bestOfCampaigns([low, high, near]), { opened: null, bounced: 'high' });
  const noGoal = campaign('x', { sent: 1000, opened: 0 }, false);
  const goal = campaign('y', { sent: 1000, opened: 0, converted: 500 });
  t.equal(bestOfCampaigns([noGoal, goal]).converted, null, 'one of them has no goal');
});

t.test('a lift is best above 0 and above all others', async (t) => {
  const withLift = (campaignId: string, low: number, high: number) => ({
    ...campaign(campaignId, { sent: 1 }),
    lift: { difference: (low + high) / 2, low, high, relative: null },
  });
  const little = withLift('little', -0.01, 0.02);
  t.equal(bestOfCampaigns([little, withLift('much', 0.03, 0.05)]).lift, 'much');
  t.equal(bestOfCampaigns([little, withLift('more', 0.01, 0.05)]).lift, null, 'they overlap');
  const harm = withLift('harm', -0.2, -0.1);
  t.equal(bestOfCampaigns([little, harm]).lift, null, 'the best of them is not above 0');
  t.equal(bestOfCampaigns([withLift('alone', 0.1, 0.2)]).lift, null);
});

t.test('a campaign is best only if it beats each other one alone', async (t) => {
  const counts = fc
    .integer({ min: 0, max: 400 })
    .chain((sent) =>
      fc.record({ sent: fc.constant(sent), opened: fc.integer({ min: 0, max: sent }) }),
    );
  fc.assert(
    fc.property(fc.array(counts, { minLength: 2, maxLength: 10 }), (all) => {
      const campaigns = all.map((one, at) => campaign(String(at), one));
      const { opened: best } = bestOfCampaigns(campaigns);
      const known = all.filter(({ sent }) => sent > 0);
      const group = (one: (typeof all)[number]) => ({ size: one.sent, converted: one.opened });
      const first = known.find((one) =>
        known.every((other) => one === other || (liftOf(group(one), group(other))?.low ?? 0) > 0),
      );
      const expected = known.length < 2 || first === undefined ? null : String(all.indexOf(first));
      return best === expected;
    }),
  );
  t.ok(rateNames.length > 0);
});
