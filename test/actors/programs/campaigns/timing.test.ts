// Who gets it when, and which of it: everybody's own hour, those held out, variants, an experiment
// and its winner.

import t from 'tap';
import { hourMs, type Millis, minuteMs } from '../../../../engine/base/brand.ts';
import { Scene } from './scene.ts';

const variants = async (scene: Scene, weights: readonly number[]) =>
  Promise.all(
    weights.map(async (weight, i) => ({
      id: `v${i}`,
      weight,
      messageId: await scene.message({ title: `v${i}` }),
    })),
  );

/** Which variant each was sent. */
function gotten(scene: Scene): Map<string, string> {
  return new Map(
    scene.sent.map(({ endpoint, content }) => [String(endpoint), content.title as string]),
  );
}

t.test(
  'everybody is reached at the hour of their own day, or on the next where it has passed',
  async (t) => {
    const scene = await Scene.open();
    const zones = ['Asia/Bangkok', 'America/New_York', 'Pacific/Auckland', undefined];
    for (const timezone of zones)
      await scene.person(timezone ?? 'app', ['fcm'], timezone === undefined ? {} : { timezone });
    // midnight in UTC, 07:00 in Bangkok, 19:00 in New York, 13:00 in Auckland
    const startMs = scene.one.clock.nowMs;
    const { id } = await scene.sentCampaign({ timezoneDelivery: { at: '09:30' } });
    t.same(scene.sent, []);
    t.match((await scene.stats(id)).progress, { waitingFor: { reason: 'local_time', people: 4 } });
    await scene.crash();
    for (let step = 0; step < 48; step++) await scene.advance(hourMs / 2);
    const atOf = (who: string) => {
      const place = scene.sent.findIndex(({ endpoint }) => String(endpoint).includes(who));
      return ((scene.sentMs[place] as Millis) - startMs) / hourMs;
    };
    t.equal(atOf('Bangkok'), 2.5);
    t.equal(atOf('app'), 9.5);
    t.equal(atOf('New_York'), 14.5);
    t.equal(atOf('Auckland'), 20.5);
    const stats = await scene.stats(id);
    t.match(stats, { state: 'completed', sent: 4 });
    t.equal(stats.occurrences[0]?.nextDay, 2, 'in New York and Auckland it is the next day');
    t.same(scene.events('deferred'), [], 'the author chose the hour');
  },
);

t.test(
  'those held out get nothing, the same people each time, not by the fallback either',
  async (t) => {
    const scene = await Scene.withPeople(400, ['fcm', 'email']);
    const { id } = await scene.sentCampaign({
      holdoutShare: 0.25,
      fallbackChannels: ['email'],
      fallbackAfterMinutes: 30,
      schedule: { type: 'recurring', every: 'hour', at: '00:00', timezone: 'UTC' },
    });
    const sets: Set<string>[] = [];
    for (let occurrence = 0; occurrence < 2; occurrence++) {
      await scene.advance(31 * minuteMs);
      sets.push(new Set(scene.reached()));
      t.ok(scene.sent.length > 500, 'the fallback went out, too');
      t.equal(scene.reached('fcm').length, scene.reached('email').length);
      if (occurrence === 1) break;
      scene.sent.length = 0;
      await scene.advance(29 * minuteMs);
    }
    t.same([...(sets[0] as Set<string>)], [...(sets[1] as Set<string>)]);
    const share = 1 - (sets[0] as Set<string>).size / 400;
    t.ok(share > 0.17 && share < 0.33, `${share} were held out`);
    const { occurrences, holdout, audience } = await scene.stats(id);
    t.equal(occurrences[0]?.holdout.size, 400 - (sets[0] as Set<string>).size);
    t.equal(holdout.size, 2 * (occurrences[0]?.holdout.size ?? 0));
    t.equal(audience, 800);
  },
);

t.test('variants are divided by weight, and everybody keeps theirs', async (t) => {
  const scene = await Scene.withPeople(600, ['fcm']);
  await scene.person('several', ['fcm', 'fcm']);
  const { id } = await scene.sentCampaign({
    variants: await variants(scene, [3, 1]),
    schedule: { type: 'recurring', every: 'hour', at: '00:00', timezone: 'UTC' },
  });
  await scene.advance(1);
  const first = gotten(scene);
  await scene.crash();
  await scene.advance(hourMs);
  t.same([...gotten(scene)].sort(), [...first].sort());
  const light = [...first.values()].filter((title) => title === 'v1').length;
  t.ok(light > 110 && light < 195, `${light} of 602`);
  const { byVariant, sent } = await scene.stats(id);
  t.equal(sent, 1_202);
  const people = (title: string) =>
    new Set(
      [...first]
        .filter(([, got]) => got === title)
        .map(([to]) => to.replace(/several-1/, 'several')),
    ).size;
  t.equal(byVariant['v0']?.delivered, 2 * people('v0'));
  t.equal(byVariant['v1']?.delivered, 2 * people('v1'));
});

t.test('an experiment sends its sample, and the best of the variants to the rest', async (t) => {
  for (const [best, metric] of [
    ['v0', 'clicked'],
    ['v1', 'clicked'],
    ['v1', 'opened'],
    ['v1', 'converted'],
  ] as const) {
    const scene = await Scene.withPeople(300);
    const { id } = await scene.sentCampaign({
      variants: await variants(scene, [1, 1]),
      experiment: { sampleShare: 0.2, winnerMetric: metric, decideAfterMinutes: 60 },
      goal: { event: 'bought', withinHours: 2 },
    });
    const sample = gotten(scene);
    t.ok(sample.size > 35 && sample.size < 85, `${sample.size} are a fifth`);
    t.match(await scene.stats(id), {
      state: 'sending',
      deferredBy: { experiment: 300 - sample.size },
    });
    t.match((await scene.stats(id)).progress?.waitingFor, { reason: 'experiment' });
    await scene.advance(30 * minuteMs);
    for (const [endpoint, title] of sample) {
      if (title !== best) continue;
      const name = metric === 'converted' ? 'bought' : metric;
      await scene.track(endpoint.split('.')[1] as string, name, { campaignId: id });
    }
    await scene.crash();
    t.equal(scene.sent.length, sample.size, 'nothing before the hour');
    await scene.advance(30 * minuteMs);
    const stats = await scene.stats(id);
    t.match(stats, { state: 'completed', sent: 300, delivered: 300 });
    t.equal(stats.occurrences[0]?.winner, best);
    const rest = [...gotten(scene)].filter(([to]) => !sample.has(to));
    t.same([...new Set(rest.map(([, title]) => title))], [best]);
    t.equal(rest.length, 300 - sample.size);
    t.equal(
      (stats.byVariant['v0']?.sent ?? 0) + (stats.byVariant['v1']?.sent ?? 0),
      300,
      'each variant has its people',
    );
  }
});

t.test(
  'where nobody answers, the variant of the greatest weight wins, of equals the first',
  async (t) => {
    for (const [weights, winner] of [
      [[1, 3], 'v1'],
      [[2, 2], 'v0'],
    ] as const) {
      const scene = await Scene.withPeople(50);
      const { id } = await scene.sentCampaign({
        variants: await variants(scene, weights),
        experiment: { sampleShare: 0.3, winnerMetric: 'clicked', decideAfterMinutes: 60 },
      });
      await scene.advance(hourMs);
      const stats = await scene.stats(id);
      t.equal(stats.occurrences[0]?.winner, winner);
      t.match(stats, { state: 'completed', sent: 50 });
    }
  },
);

t.test('an experiment that is paused over its end decides when it is resumed', async (t) => {
  const scene = await Scene.withPeople(60);
  const { id } = await scene.sentCampaign({
    variants: await variants(scene, [1, 1]),
    experiment: { sampleShare: 0.5, winnerMetric: 'clicked', decideAfterMinutes: 60 },
  });
  await scene.verb('pause', id);
  await scene.advance(3 * hourMs);
  t.ok(scene.sent.length < 60);
  await scene.verb('resume', id);
  t.match(await scene.stats(id), { state: 'completed', sent: 60, delivered: 60 });
});

t.test('an experiment and a fallback: the fallback comes after the rest', async (t) => {
  const scene = await Scene.withPeople(60, ['fcm', 'email']);
  const { id } = await scene.sentCampaign({
    variants: await variants(scene, [1, 1]),
    experiment: { sampleShare: 0.5, winnerMetric: 'clicked', decideAfterMinutes: 60 },
    fallbackChannels: ['email'],
    fallbackAfterMinutes: 30,
  });
  await scene.advance(59 * minuteMs);
  t.equal(scene.reached('email').length, 0);
  await scene.advance(minuteMs);
  t.equal(scene.reached('fcm').length, 60);
  await scene.advance(29 * minuteMs);
  t.equal(scene.reached('email').length, 0);
  await scene.advance(minuteMs);
  t.equal(scene.reached('email').length, 60);
  t.match(await scene.stats(id), {
    state: 'completed',
    sent: 60,
    fallback: { eligible: 60, sent: 60 },
  });
});
