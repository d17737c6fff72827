// Who gets a message about a topic is exactly who may, by a second judge that knows only what
// people were asked and answered: over campaigns, fallbacks, journeys, quiet hours and retries,
// with choices and defaults that change while messages wait.

import fc from 'fast-check';
import t from 'tap';
import { hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';
import { accept, endpointOf, Scene } from '../../programs/campaigns/scene.ts';
import { JourneyScene } from '../../programs/journeys/support/journey-scene.ts';

const numRuns = tries(150);

type Answer = 'in' | 'out' | null;

/** What somebody answered, and whether `in` was never confirmed. */
interface Said {
  readonly answer: Answer;
  readonly isAsked: boolean;
}

const said = fc.record({
  answer: fc.constantFrom<Answer>('in', 'out', null),
  isAsked: fc.boolean(),
});

const kinds = ['campaign', 'fallback', 'journey', 'retry'] as const;
const world = fc.record({
  default: fc.constantFrom<'in' | 'out'>('in', 'out'),
  people: fc.array(
    fc.record({
      first: fc.option(said),
      /** While the message waits. */
      later: fc.option(said),
      hasOptedOut: fc.boolean(),
      prefers: fc.constantFrom(undefined, 'email', 'fcm'),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  laterDefault: fc.option(fc.constantFrom<'in' | 'out'>('in', 'out')),
  kind: fc.constantFrom(...kinds),
  isHeld: fc.boolean(),
});

/** Of each kind one person who gets it and one who does not, whatever is drawn. */
const examples = kinds.map((kind): [World] => {
  const silent = { first: null, later: null, hasOptedOut: false, prefers: undefined };
  const out = { ...silent, first: { answer: 'out' as const, isAsked: false } };
  return [{ default: 'in', people: [silent, out], laterDefault: null, kind, isHeld: false }];
});

type World = typeof world extends fc.Arbitrary<infer One> ? One : never;

const nameOf = (index: number) => `user-${index}`;

/** The judge: a confirmed `in`, or no answer and the default. */
class Judge {
  default: string;
  readonly #answers = new Map<number, string>();

  constructor(one: World) {
    this.default = one.default;
  }

  hear(person: number, { answer, isAsked }: Said, needsConfirmation: boolean): void {
    if (answer === null) this.#answers.delete(person);
    else if (answer === 'out') this.#answers.set(person, 'out');
    else if (isAsked && needsConfirmation && this.#answers.get(person) !== 'in')
      this.#answers.set(person, 'pending');
    else this.#answers.set(person, 'in');
  }

  mayGet(person: number): boolean {
    return (this.#answers.get(person) ?? this.default) === 'in';
  }
}

t.test('who gets a message about a topic is who may', { timeout: 0 }, async (t) => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(world, async (one) => {
      const scene = await Scene.open();
      const judge = new Judge(one);
      await scene.topic('news', one.default);
      await scene.topic('other', 'in');
      const confirms = one.default === 'out';
      for (const [index, { prefers }] of one.people.entries())
        await scene.person(nameOf(index), ['fcm', 'email'], {
          ...(prefers === undefined ? {} : { preferredChannels: [prefers] }),
        });
      const hear = async (which: 'first' | 'later') => {
        for (const [index, person] of one.people.entries()) {
          const what = person[which];
          if (what === null) continue;
          await scene.choose(nameOf(index), 'news', what.answer, what.isAsked);
          judge.hear(index, what, confirms);
          // What somebody says of another topic changes nothing.
          await scene.choose(nameOf(index), 'other', 'out');
        }
      };
      await hear('first');
      for (const [index, { hasOptedOut }] of one.people.entries())
        if (hasOptedOut) await scene.optOut('email', endpointOf(nameOf(index), 'email'));
      if (one.isHeld)
        await scene.settings({ quietHours: { start: '00:00', end: '04:00', timezone: 'UTC' } });
      const mayFirst = one.people.map((_, index) => judge.mayGet(index));
      await begin(scene, one);
      const waits = one.isHeld || one.kind === 'retry' || one.kind === 'fallback';
      if (waits) {
        await hear('later');
        if (one.laterDefault !== null && !(one.laterDefault === 'in' && confirms)) {
          const input = { default: one.laterDefault };
          await scene.one.value(scene.app, 'topic.update', { topic: 'news', input });
          judge.default = one.laterDefault;
        }
        scene.sent.length = 0;
        scene.answers = accept;
        for (let i = 0; i < 12; i++) await scene.advance(hourMs / 2);
      }
      const channel = one.kind === 'fallback' ? 'email' : 'fcm';
      for (const [index, { prefers, hasOptedOut }] of one.people.entries()) {
        const got = scene.reached(channel).includes(nameOf(index));
        const mayLater = judge.mayGet(index);
        const isReached =
          (prefers === undefined || prefers === channel) && !(channel === 'email' && hasOptedOut);
        // Who was out at the first is out of that message for good, but may get its fallback.
        const isOwed = isReached && mayLater && mayFirst[index] === true && prefers === undefined;
        const isAllowed =
          isReached && mayLater && (one.kind === 'fallback' || mayFirst[index] === true);
        if (got ? !isAllowed : isOwed)
          throw new Error(
            `${nameOf(index)}: got ${got}, first ${mayFirst[index]}, now ${mayLater}`,
          );
        seen.add(`${one.kind} ${got}`);
      }
    }),
    { numRuns, examples },
  );
  t.same([...seen].sort(), [
    'campaign false',
    'campaign true',
    'fallback false',
    'fallback true',
    'journey false',
    'journey true',
    'retry false',
    'retry true',
  ]);
});

async function begin(scene: Scene, { kind, isHeld }: World): Promise<void> {
  if (kind === 'journey') {
    const journeys = new JourneyScene(scene);
    await journeys.journey({
      triggerEvent: 'go',
      steps: [
        {
          id: 'a',
          type: 'send',
          message: { title: 'T', body: 'B' },
          channels: ['fcm'],
          topic: 'news',
        },
      ],
    });
    const people = await everyone(scene);
    await journeys.track(...people.map(({ externalUserId: user }) => ({ name: 'go', user })));
    return;
  }
  if (kind === 'retry' && !isHeld) {
    scene.answers = () => ({ outcome: 'retry', reason: 'unavailable' });
  }
  await scene.sentCampaign({
    topic: 'news',
    channels: ['fcm'],
    ...(kind === 'fallback' ? { fallbackChannels: ['email'], fallbackAfterMinutes: 30 } : {}),
  });
  await scene.advance(minuteMs);
}

async function everyone(scene: Scene): Promise<readonly { readonly externalUserId: string }[]> {
  const { items } = await scene.one.value(scene.app, 'subscriber.list', { limit: 100 });
  return items.map(({ externalUserId }) => ({ externalUserId: externalUserId ?? '' }));
}
