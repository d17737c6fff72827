// What a dry run or a simulation says of a person is what the send at the same instant does,
// reasons included, in whatever world.

import fc from 'fast-check';
import t from 'tap';
import type { ReadingHost } from '../../../../actors/pool-question.ts';
import { answerDryRun } from '../../../../actors/programs/campaigns/dry-run.ts';
import type { CampaignsEntry } from '../../../../actors/programs/campaigns/entries.ts';
import type { CampaignInput, DryRun } from '../../../../actors/programs/campaigns/protocol.ts';
import type { RunsMoved } from '../../../../actors/programs/journeys/entries.ts';
import type { Turn } from '../../../../actors/sending/dispatch/entries.ts';
import { unpackOrdinals } from '../../../../engine/base/ordinal-list.ts';
import { tries } from '../../../support/tries.ts';
import type { Scene } from '../../programs/campaigns/scene.ts';
import { JourneyScene } from '../../programs/journeys/support/journey-scene.ts';
import { build, nameOf, reachedOn, topicKey, type World, world } from './generated-worlds.ts';

const numRuns = tries(300);

/** What becomes of somebody, as both tell it. */
interface Story {
  readonly verdict: string;
  readonly channels?: readonly string[];
  readonly reason?: string | undefined;
  readonly untilMs?: number | undefined;
}

const windows = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.record({ timezoneDelivery: fc.record({ at: fc.constantFrom('04:30', '13:00') }) }),
  fc.constant({ optimalTime: true }),
);

const campaign = fc.record({
  windows,
  holdoutShare: fc.constantFrom(0, 0, 0, 0.3),
  /** Also those whom no channel reaches. */
  isForAll: fc.boolean(),
});

t.test('a dry run tells what the send does, person by person', { timeout: 0 }, async (t) => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(world, campaign, async (one, { windows, holdoutShare, isForAll }) => {
      const scene = await build(one);
      const messageId = await scene.message(lifeOf(one));
      const { id } = await scene.campaign({
        ...windows,
        holdoutShare,
        messageId,
        ...(isForAll ? { filter: { tag: 'before', exists: true } } : {}),
        channels: one.channels ?? undefined,
        ...aboutTopic(one),
      } as CampaignInput);
      const { run, said } = await rehearsed(scene, id);
      addsUp(run, isForAll ? said.size : scene.state.people.count);
      await scene.one.value(scene.app, 'campaign.send', { id });
      await scene.run();
      // No channel of it is configured: it has failed as a whole.
      if (scene.state.campaigns.get(id)?.state === 'failed') return;
      for (const [name, story] of said) {
        const real = happened(scene, id, name);
        if (JSON.stringify(story) !== JSON.stringify(real))
          throw new Error(`${name}: said ${JSON.stringify(story)}, was ${JSON.stringify(real)}`);
        count(seen, story);
      }
    }),
    { numRuns },
  );
  t.comment(JSON.stringify(Object.fromEntries(seen)));
  t.ok(seen.size > 10, 'worlds in which every rule answers');
});

t.test('a simulation tells what a journey does, person by person', { timeout: 0 }, async (t) => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(world, async (drawn) => {
      // What is left of the day and the month nobody knows ahead.
      const one = { ...drawn, sendsLeft: null, emailsLeft: null };
      const scene = await build(one);
      const journeys = new JourneyScene(scene);
      const message = { title: 'x', body: 'y', ...lifeOf(one) };
      const channels = one.channels === undefined ? {} : { channels: one.channels };
      const { id } = await journeys.journey({
        triggerEvent: 'go',
        steps: [{ id: 'a', type: 'send', message, ...channels, ...aboutTopic(one) }],
      });
      const said = new Map<string, Story>();
      for (const index of one.people.keys()) {
        const ref = { externalUserId: nameOf(index) };
        const asked = { id, ref, events: [] };
        const { lines } = await scene.one.value(scene.app, 'journey.simulate', asked);
        const line = lines.find(({ step, what }) => step === 'a' && what !== 'entered');
        said.set(nameOf(index), storyOf(line?.what ?? 'nothing', line ?? {}));
      }
      await journeys.track(...[...said.keys()].map((user) => ({ name: 'go', user })));
      for (const [name, story] of said) {
        const move = movesOf(scene, id, journeys.person(name))[0];
        const real = storyOf(move?.kind ?? 'nothing', (move ?? {}) as Partial<Story>);
        if (JSON.stringify(story) !== JSON.stringify(real))
          throw new Error(`${name}: said ${JSON.stringify(story)}, was ${JSON.stringify(real)}`);
        if (story.verdict === 'sent' && reachedOn(scene, name).length === 0)
          throw new Error(`${name}: no provider was called`);
        count(seen, story);
      }
    }),
    { numRuns },
  );
  t.comment(JSON.stringify(Object.fromEntries(seen)));
  t.ok(seen.size > 6, 'worlds in which every rule answers');
});

function aboutTopic({ topic }: World): object {
  return topic === undefined ? {} : { topic: topicKey };
}

function lifeOf({ ttlSeconds }: World): object {
  return ttlSeconds === undefined ? {} : { ttlSeconds };
}

function storyOf(verdict: string, { reason, untilMs }: Partial<Story>): Story {
  return { verdict, reason, untilMs };
}

function count(seen: Map<string, number>, { verdict, reason }: Story): void {
  const name = reason === undefined ? verdict : `${verdict} ${reason}`;
  seen.set(name, (seen.get(name) ?? 0) + 1);
}

/** What a dry run says, by person. */
async function rehearsed(scene: Scene, id: string) {
  const host = { partition: scene.one.partition } as unknown as ReadingHost;
  let run: DryRun | undefined;
  answerDryRun(host, scene.app, { kind: 'campaign.dry_run', by: -1, id }, (answer) => {
    if (!answer.ok) throw new Error(answer.fault.message);
    run = answer.value as DryRun;
  });
  await scene.one.settle();
  if (run === undefined) throw new Error('the dry run did not end');
  const asked = { id, dryRunId: run.dryRunId, limit: 200 };
  const { items } = await scene.one.value(scene.app, 'dry_run.people', asked);
  const said = new Map<string, Story>(
    items.map(({ externalUserId = '', verdict, channels, reason, untilMs }) => [
      externalUserId,
      { verdict, channels, reason, untilMs },
    ]),
  );
  return { run, said };
}

/** Everybody is in one of the numbers that a review shows, with a reason if nothing is sent. */
function addsUp(run: DryRun, people: number): void {
  const total = (by: Readonly<Record<string, number>>) =>
    Object.values(by).reduce((sum, n) => sum + n, 0);
  const { audience, holdout, wouldSend, wouldSuppress, wouldDefer } = run;
  const parts = holdout + wouldSend + total(wouldSuppress) + total(wouldDefer);
  if (parts !== audience || audience !== people)
    throw new Error(`${people} people, an audience of ${audience}, ${parts} in its parts`);
}

/** What the send did, by the log and by what reached providers. */
function happened(scene: Scene, id: string, name: string): Story {
  const channels = reachedOn(scene, name);
  if (channels.length > 0) return { verdict: 'send', channels };
  const turns = turnsOf(scene, id, scene.state.people.find(name) ?? -1);
  const held = turns.find(({ turn }) => turn === 'hold');
  if (held?.turn === 'hold')
    return { verdict: 'defer', channels, reason: held.reason, untilMs: held.untilMs };
  const suppressed = turns.find(({ turn }) => turn === 'suppress');
  if (suppressed?.turn === 'suppress')
    return { verdict: 'suppress', channels, reason: suppressed.reason };
  return { verdict: 'holdout', channels };
}

function turnsOf(scene: Scene, campaignId: string, person: number): Turn[] {
  const found: Turn[] = [];
  for (const { entries } of scene.blocks())
    for (const entry of entries as readonly CampaignsEntry[]) {
      if (entry.kind !== 'campaign.decided' || entry.campaignId !== campaignId) continue;
      const place = unpackOrdinals(entry.people).indexOf(person);
      const turn = place < 0 ? undefined : entry.turns[entry.codes?.[place] ?? 0];
      if (turn !== undefined) found.push(turn);
    }
  return found;
}

function movesOf(scene: Scene, journeyId: string, person: number) {
  for (const { entries } of scene.blocks())
    for (const entry of entries as readonly RunsMoved[]) {
      if (entry.kind !== 'journey.moved' || entry.journeyId !== journeyId) continue;
      const place = unpackOrdinals(entry.people).indexOf(person);
      const move = place < 0 ? undefined : entry.moves[entry.codes?.[place] ?? 0];
      if (move !== undefined) return move.happened.filter(({ kind }) => kind !== 'entered');
    }
  return [];
}
