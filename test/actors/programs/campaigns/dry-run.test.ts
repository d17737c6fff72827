// What a dry run says is what a send does.

import fc from 'fast-check';
import t from 'tap';
import type { ReadingHost } from '../../../../actors/pool-question.ts';
import { answerDryRun } from '../../../../actors/programs/campaigns/dry-run.ts';
import type { CampaignInput, DryRun } from '../../../../actors/programs/campaigns/protocol.ts';
import { tries } from '../../../support/tries.ts';
import { endpointOf, Scene } from './scene.ts';

const hourMs = 3_600_000;

/** As its shard asks for it. */
async function dryRun(scene: Scene, id: string): Promise<DryRun> {
  const host = { partition: scene.one.partition } as unknown as ReadingHost;
  let found: DryRun | undefined;
  answerDryRun(host, scene.app, { kind: 'campaign.dry_run', by: -1, id }, (answer) => {
    if (!answer.ok) throw new Error(answer.fault.message);
    found = answer.value as DryRun;
  });
  await scene.one.settle();
  if (found === undefined) throw new Error('a dry run was not answered');
  return found;
}

t.test('every verdict of a dry run is what the send then does', async (t) => {
  const scene = await Scene.withPeople(40, ['fcm'], { timezone: 'Asia/Bangkok' });
  for (let i = 0; i < 10; i++)
    await scene.person(`late-${i}`, ['fcm'], { timezone: 'America/New_York' });
  for (let i = 0; i < 5; i++)
    await scene.person(`choosy-${i}`, ['fcm'], { preferredChannels: ['email'] });
  for (let i = 0; i < 7; i++) await scene.person(`bare-${i}`, []);
  // Half past ten at night in New York is quiet; in Bangkok it is morning.
  scene.one.clock.nowMs = Date.UTC(2026, 5, 10, 2, 30);
  await scene.one.value(scene.app, 'settings.patch', {
    patch: { quietHours: { start: '22:00', end: '08:00', timezone: 'subscriber' } },
  });
  const filter = { inactiveForDays: 1 };
  scene.one.clock.nowMs += 48 * hourMs;
  const input: CampaignInput = { filter, holdoutShare: 0.1 };
  const campaign = await scene.campaign(input);
  const run = await dryRun(scene, campaign.id);
  t.equal(run.audience, 62);
  t.equal(run.sampled.length, 20);
  t.equal(scene.sent.length, 0, 'and nothing is sent');

  const page = await scene.one.value(scene.app, 'dry_run.people', {
    id: campaign.id,
    dryRunId: run.dryRunId,
    limit: 200,
  });
  t.equal(page.items.length, 62);
  const said = new Map(page.items.map((one) => [one.externalUserId, one]));
  await scene.one.value(scene.app, 'campaign.send', { id: campaign.id, dryRunId: run.dryRunId });
  await scene.run();
  const stats = await scene.stats(campaign.id);
  t.equal(stats.sent, run.wouldSend);
  t.equal(stats.holdout.size, run.holdout);
  t.same(stats.suppressedBy, run.wouldSuppress);
  t.same(stats.deferredBy, run.wouldDefer);
  const sentTo = new Set(scene.sent.map(({ content }) => content.title?.slice(3)));
  for (const [who, { verdict }] of said)
    t.equal(sentTo.has(who), verdict === 'send', `${who}: ${verdict}`);
});

t.test(
  'of an experiment it names the variants of the sample, and none of those who wait',
  async (t) => {
    const scene = await Scene.withPeople(100);
    const messageId = await scene.message();
    const { id } = await scene.campaign({
      variants: ['a', 'b'].map((id) => ({ id, weight: 1, messageId })),
      experiment: { sampleShare: 0.5, winnerMetric: 'opened', decideAfterMinutes: 60 },
    });
    const { dryRunId, wouldSend, wouldDefer, byVariant } = await dryRun(scene, id);
    t.same(wouldDefer, { experiment: 100 - wouldSend });
    t.equal((byVariant['a'] ?? 0) + (byVariant['b'] ?? 0), wouldSend);
    const asked = { id, dryRunId, limit: 200 };
    const { items } = await scene.one.value(scene.app, 'dry_run.people', asked);
    for (const { verdict, variant } of items)
      t.equal(variant !== undefined, verdict === 'send', `${verdict}: ${variant}`);
  },
);

t.test(
  'over the daily cap a dry run says what the send does, by how long the message lives',
  async (t) => {
    for (const [ttlSeconds, verdict] of [
      [4 * 3_600, { wouldSuppress: { expired: 3 }, wouldDefer: {} }],
      [4 * 3_600 + 1, { wouldSuppress: {}, wouldDefer: { daily_cap: 3 } }],
    ] as const) {
      const scene = await Scene.open();
      await scene.advance(20 * hourMs);
      await scene.orgLimits({ dailySendCap: 2 });
      await scene.people(5);
      const messageId = await scene.message({ ttlSeconds });
      const { id } = await scene.campaign({ messageId });
      const run = await dryRun(scene, id);
      t.match(run, { wouldSend: 2, ...verdict });
      await scene.send(id);
      const { sent, suppressedBy, deferredBy } = await scene.stats(id);
      t.same([sent, suppressedBy, deferredBy], [2, run.wouldSuppress, run.wouldDefer]);
    }
  },
);

t.test('a send is refused when the audience is another than was looked at', async (t) => {
  const scene = await Scene.withPeople(10);
  const campaign = await scene.campaign();
  const run = await dryRun(scene, campaign.id);
  await scene.person('new', ['fcm']);
  const { id } = campaign;
  const { dryRunId } = run;
  const refused = await scene.one.ask(scene.app, 'campaign.send', { id, dryRunId });
  t.match(refused, { ok: false, fault: { code: 'changed', field: 'dryRunId' } });
  t.match(JSON.stringify(refused), /1 joined and 0 left/);
  t.ok((await scene.one.ask(scene.app, 'campaign.send', { id, dryRunId, tolerance: 1 })).ok);
});

t.test('a send is refused when the campaign was changed since it was looked at', async (t) => {
  const scene = await Scene.withPeople(10, ['fcm', 'email']);
  const { id } = await scene.campaign({ channels: ['fcm'] });
  const { dryRunId } = await dryRun(scene, id);
  await scene.advance(hourMs);
  const change = { input: { channels: ['email'] as const }, removed: [] };
  await scene.one.value(scene.app, 'campaign.update', { id, change });
  for (const tolerance of [0, 10]) {
    const ask = { id, dryRunId, tolerance };
    const refused = await scene.one.ask(scene.app, 'campaign.send', ask);
    t.match(refused, { ok: false, fault: { code: 'changed', field: 'dryRunId' } });
    t.match(JSON.stringify(refused), /changed after the dry run/);
  }
  const again = await dryRun(scene, id);
  t.same(again.byChannel, { email: 10 });
  const sent = { id, dryRunId: again.dryRunId };
  t.ok((await scene.one.ask(scene.app, 'campaign.send', sent)).ok, 'what was looked at last');
});

t.test('a dry run is gone after a day, and another campaign’s is none', async (t) => {
  const scene = await Scene.withPeople(3);
  const one = await scene.campaign();
  const other = await scene.campaign();
  const { dryRunId } = await dryRun(scene, one.id);
  const limit = 5;
  const wrong = await scene.one.ask(scene.app, 'dry_run.people', { id: other.id, dryRunId, limit });
  t.match(wrong, { ok: false, fault: { code: 'not_found', field: 'dryRunId' } });
  await scene.advance(24 * hourMs);
  const gone = await scene.one.ask(scene.app, 'dry_run.people', { id: one.id, dryRunId, limit });
  t.match(gone, { ok: false, fault: { code: 'not_found' } });
});

t.test('a dry run foresees why a fallback is not sent, and stats count it', async (t) => {
  const cap = fc.record({ max: fc.constantFrom(1, 2), perHours: fc.constantFrom(1, 24) });
  const world = fc.record({
    caps: fc.array(cap, { maxLength: 1 }),
    wait: fc.constantFrom(30, 90),
    mailed: fc.boolean(),
    people: fc.array(fc.constantFrom('both', 'push', 'mail', 'none', 'out', 'picky'), {
      minLength: 4,
      maxLength: 12,
    }),
  });
  await fc.assert(
    fc.asyncProperty(world, async ({ caps, wait, mailed, people }) => {
      const scene = await Scene.open();
      if (caps.length > 0) await scene.settings({ caps });
      const channels = { both: ['fcm', 'email'], push: ['fcm'], mail: ['email'] } as const;
      for (const [i, kind] of people.entries()) {
        const own = kind in channels ? channels[kind as keyof typeof channels] : channels.both;
        const more = kind === 'picky' ? { preferredChannels: ['fcm'] } : {};
        await scene.person(`${kind}-${i}`, kind === 'none' ? [] : own, more);
        if (kind === 'out') await scene.optOut('email', endpointOf(`out-${i}`, 'email'));
      }
      const filter = { tag: 'first_name', exists: true };
      const fallback = { fallbackChannels: ['email'], fallbackAfterMinutes: wait } as const;
      if (mailed) await scene.send((await scene.campaign({ channels: ['email'], filter })).id);
      const { id } = await scene.campaign({ ...fallback, filter });
      const run = await dryRun(scene, id);
      await scene.send(id);
      await scene.advance(wait * 60_000);
      const stats = await scene.stats(id);
      const foreseen = [run.fallback?.wouldSend, run.fallback?.wouldSuppress];
      const { sent, suppressedBy } = stats.fallback;
      const sorted = (counts: object = {}) => Object.entries(counts).sort();
      if (
        foreseen[0] !== sent ||
        JSON.stringify(sorted(run.fallback?.wouldSuppress)) !== JSON.stringify(sorted(suppressedBy))
      )
        throw new Error(`foreseen ${JSON.stringify(foreseen)}, ${JSON.stringify(stats.fallback)}`);
      const never = caps.some(({ max, perHours }) => max === 1 && perHours * 60 > wait);
      const warned = run.warnings.some(({ code }) => code === 'fallback_capped');
      if (warned !== never) throw new Error(`a warning: ${warned}, never sent: ${never}`);
      if (!(await scene.moveByCheckpoint())) throw new Error('memory is not that of the log');
      const after = await scene.stats(id);
      if (JSON.stringify(after.fallback) !== JSON.stringify(stats.fallback))
        throw new Error('another answer after a checkpoint');
    }),
    { numRuns: tries(40) },
  );
  t.pass();
});
