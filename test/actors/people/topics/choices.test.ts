// The rules of choices: what a client may choose, what two people become, and that nothing undoes
// a choice that was made since a backup.

import fc from 'fast-check';
import t from 'tap';
import {
  allChoices,
  asClientChooses,
  choicesFault,
  mergedChoice,
  type Topics,
} from '../../../../actors/people/topics/choices.ts';
import type { TopicRecord } from '../../../../actors/people/topics/topic.ts';
import { changeIn, newestChanges } from '../../../../actors/runtime/listed-changes.ts';
import type { Entry } from '../../../../engine/actor/message.ts';
import type { ListedChange } from '../../../../storage/listed-change.ts';
import { partitionWithApp, TestPartition, testClock } from '../../../support/partition.ts';

const base = { doubleOptIn: false, createdMs: 1, updatedMs: 1 } as const;
const news: TopicRecord = { ...base, key: 'news', name: 'News', default: 'out', doubleOptIn: true };
const offers: TopicRecord = { ...base, key: 'offers', name: 'Offers', default: 'in' };
const topics: Topics = new Map([
  ['news', news],
  ['offers', offers],
]);

t.test('a client gets what it asks for only where nothing must be confirmed', async (t) => {
  const asked = { 'topic.news': 'in', 'topic.offers': 'in', plan: 'in' };
  const pending = { ...asked, 'topic.news': 'pending' };
  t.same(asClientChooses(asked, {}, topics), pending);
  t.same(asClientChooses(asked, { 'topic.news': 'out' }, topics), pending);
  t.same(asClientChooses(asked, { 'topic.news': 'pending' }, topics), pending);
  t.equal(asClientChooses(asked, { 'topic.news': 'in' }, topics), asked, 'confirmed before');
  const left = { 'topic.news': 'out', 'topic.offers': null };
  t.equal(asClientChooses(left, { 'topic.news': 'in' }, topics), left, 'anybody may leave');
});

t.test('what holds is the choice, else the default; what is no choice keeps out', async (t) => {
  t.same(allChoices(topics, {}), { news: 'out', offers: 'in' });
  const chosen = { 'topic.news': 'pending', 'topic.offers': 'out' };
  t.same(allChoices(topics, chosen), { news: 'pending', offers: 'out' });
  const older = { 'topic.news': true, 'topic.offers': 'yes' };
  t.same(allChoices(topics, older), { news: 'out', offers: 'out' });
});

t.test('a wrong choice is named with its field', async (t) => {
  t.match(choicesFault({ 'topic.offer': 'in' }, topics, 'tags'), {
    field: 'tags.topic.offer',
    message: /the app has no topic "offer"; did you mean "offers"\?/,
  });
  t.match(choicesFault({ news: 1 }, topics, 'topics'), { field: 'topics.news' });
  t.equal(choicesFault({ 'topic.gone': null, plan: 7 }, topics, 'tags'), undefined);
});

t.test('of two choices the stronger stays, in whatever order people merge', async () => {
  const choice = fc.constantFrom('in', 'out', 'pending');
  const strength = ['pending', 'in', 'out'];
  fc.assert(
    fc.property(fc.array(choice, { minLength: 1 }), (choices) => {
      const merged = choices.reduce((one, other) => mergedChoice(one, other) as typeof one);
      const strongest = strength.findLast((one) => choices.includes(one as typeof merged));
      return merged === strongest;
    }),
  );
});

type World = Awaited<ReturnType<typeof aWorld>>;
const clock = testClock();
const who = ['ana', 'ben', 'cai'] as const;

async function aWorld() {
  const { one, app } = await partitionWithApp({ clock });
  const input = { name: 'N', default: 'in' } as const;
  for (const key of ['a', 'b']) await one.value(app, 'topic.create', { key, input });
  for (const externalUserId of who) {
    const subscriber = { externalUserId, tags: { plan: 'pro' }, topics: { b: 'in' } };
    await one.value(app, 'subscriber.upsert', { subscriber });
  }
  await one.settle();
  one.effects.length = 0;
  return { one, app };
}

const choose = ({ one, app }: World, name: string, topics: Record<string, 'in' | 'out' | null>) =>
  one.value(app, 'preferences.set', { ref: { externalUserId: name }, change: { topics } });

const tagsOf = async (one: TestPartition, app: number, externalUserId: string) =>
  (await one.value(app, 'subscriber.read', { ref: { externalUserId } })).tags;

function listed(one: TestPartition): ListedChange[] {
  return one.effects.flatMap(({ port, message }) =>
    port === 'host' && message.kind === 'change.listed'
      ? [(message as unknown as { change: ListedChange }).change]
      : [],
  );
}

t.test('a restore brings nobody back who left a topic, whatever they chose', async (t) => {
  const steps = fc.array(
    fc.tuple(
      fc.constantFrom(...who),
      fc.constantFrom('a', 'b'),
      fc.constantFrom<'in' | 'out' | null>('in', 'out', null),
    ),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(steps, steps, async (before, after) => {
      const make = async () => {
        const world = await aWorld();
        for (const [name, topic, choice] of before) await choose(world, name, { [topic]: choice });
        await world.one.settle();
        return world;
      };
      const kept = await make();
      const store = kept.one.store.crash(0, { settle: 'auto' });
      const world = await make();
      for (const [name, topic, choice] of after) await choose(world, name, { [topic]: choice });
      await world.one.value(world.app, 'subscriber.patch', {
        ref: { externalUserId: 'ana' },
        patch: { tags: { plan: 'free' } },
      });
      const changes = newestChanges(listed(world.one));
      const restored = {
        epoch: 2,
        resend: 'none' as const,
        erased: () => [],
        changes: () => changes,
      };
      const two = new TestPartition({ store, clock, restored });
      await two.settle();
      for (const name of who) {
        const { plan: _now, ...real } = await tagsOf(world.one, world.app, name);
        const { plan, ...again } = await tagsOf(two, world.app, name);
        t.same(again, real, name);
        t.equal(plan, 'pro', 'and everything else is as the backup has it');
      }
    }),
    { numRuns: 30 },
  );
});

t.test('a person who was created with choices is on no list', async (t) => {
  const { one, app } = await aWorld();
  const subscriber = { externalUserId: 'new', topics: { a: 'out' } };
  await one.value(app, 'subscriber.upsert', { subscriber });
  t.same(listed(one), []);
  await one.value(app, 'subscriber.upsert', { subscriber });
  t.same(listed(one), [], 'nor one whose choices are said again');
  t.equal(changeIn({ kind: 'preferences.changed', owner: app } as Entry, 1), undefined);
});
