// What became of each step's sends against a recount of the log: receipts, opens, clicks and goals,
// over new enrollments, crashes and checkpoints.

import fc from 'fast-check';
import t from 'tap';
import type { Move } from '../../../../actors/programs/journeys/entries.ts';
import { minuteMs } from '../../../../engine/base/brand.ts';
import { unpackOrdinals } from '../../../../engine/base/ordinal-list.ts';
import { tries } from '../../../support/tries.ts';
import { goal, JourneyScene, send, wait } from './support/journey-scene.ts';

const steps = [send('a'), wait('w', 1), send('b'), goal('g', 'buy', 24)];
const ids = ['a', 'w', 'b', 'g'];
const nothing = { delivered: 0, opened: 0, clicked: 0, converted: 0, bounced: 0, failed: 0 };

t.test('each step says what became of its sends, and who reached the goal', async (t) => {
  const one = await JourneyScene.withPeople(4);
  const { scene } = one;
  await scene.person('nowhere', []);
  scene.answers = ({ content }) =>
    content.title === 'b user-1'
      ? { outcome: 'permanent', reason: 'rejected' }
      : { outcome: 'accepted' };
  const { id } = await one.journey({ triggerEvent: 'signup', steps });
  for (const user of ['user-0', 'user-1', 'user-2', 'nowhere'])
    await one.track({ name: 'signup', user });
  await scene.advance(60 * minuteMs);
  const sendOf = (title: string) =>
    scene.sent.find(({ content }) => content.title === title)?.sendId as string;
  await scene.track('user-0', 'opened', { sendId: sendOf('a user-0') });
  await scene.track('user-0', 'opened', { sendId: sendOf('a user-0') });
  await scene.track('user-2', 'clicked', { sendId: sendOf('b user-2') });
  await scene.track('user-3', 'clicked', { sendId: sendOf('b user-2') }); // forwarded
  await one.track({ name: 'buy', user: 'user-2' });
  const expected = {
    a: { sent: 3, delivered: 3, opened: 1, clicked: 0, converted: 1, suppressed: 1 },
    b: { sent: 3, delivered: 2, opened: 1, clicked: 1, converted: 1, bounced: 1, suppressed: 1 },
    g: { ...nothing, sent: 0, converted: 1 },
  };
  const because = { a: { suppressedBy: { no_device: 1 } }, b: { suppressedBy: { no_device: 1 } } };
  t.match((await one.stats(id)).bySteps, expected);
  t.match((await one.stats(id)).bySteps, because);
  await scene.crash();
  t.match((await one.stats(id)).bySteps, expected);
  t.ok(await scene.moveByCheckpoint());
  t.match((await one.stats(id)).bySteps, expected);
});

t.test('a step keeps its answers when the journey is changed around it', async (t) => {
  const one = await JourneyScene.withPeople(1);
  const { scene } = one;
  const { id } = await one.journey({ triggerEvent: 'signup', steps: [send('a'), wait('w', 5)] });
  await one.track({ name: 'signup', user: 'user-0' });
  await one.pause(id);
  const change = { input: { steps: [wait('first', 1), send('new'), send('a')] }, removed: [] };
  await scene.one.value(scene.app, 'journey.update', { id, change } as never);
  await scene.track('user-0', 'opened', { sendId: scene.sent[0]?.sendId });
  const { bySteps } = await one.stats(id);
  t.match(bySteps, { a: { delivered: 1, opened: 1 }, new: { delivered: 0, opened: 0 } });
});

const someone = fc.nat(5);
const does = fc.oneof(
  fc.record({ does: fc.constant('sign up' as const), who: someone }),
  fc.record({ does: fc.constant('buy' as const), who: someone }),
  fc.record({ does: fc.constantFrom('opened' as const, 'clicked' as const), which: fc.nat(30) }),
  fc.record({ does: fc.constant('wait' as const), minutes: fc.integer({ min: 20, max: 90 }) }),
  fc.record({ does: fc.constant('crash' as const) }),
  fc.record({ does: fc.constant('checkpoint' as const) }),
);

t.test('the figures of steps are a recount', async (t) => {
  const check = async (all: readonly (typeof does extends fc.Arbitrary<infer D> ? D : never)[]) => {
    const one = await JourneyScene.withPeople(5);
    const { scene } = one;
    await scene.person('user-5', []);
    scene.answers = ({ content, sendId }) =>
      (content.title?.length ?? 0) + (sendId.charCodeAt(29) % 3) === 8
        ? { outcome: 'permanent', reason: 'rejected' }
        : { outcome: 'accepted' };
    const { id } = await one.journey({ triggerEvent: 'signup', steps, reentry: 'always' });
    for (const each of all)
      if (each.does === 'sign up') await one.track({ name: 'signup', user: `user-${each.who}` });
      else if (each.does === 'buy') await one.track({ name: 'buy', user: `user-${each.who}` });
      else if (each.does === 'wait') await scene.advance(each.minutes * minuteMs);
      else if (each.does === 'crash') await scene.crash();
      else if (each.does === 'checkpoint') same(await scene.moveByCheckpoint(), true, 'memory');
      else {
        const sent = scene.sent[each.which % Math.max(1, scene.sent.length)];
        const user = sent?.content.title?.slice(2);
        if (user !== undefined) await scene.track(user, each.does, { sendId: sent?.sendId });
      }
    const { bySteps } = await one.stats(id);
    const counted = recount(one);
    for (const step of ids) {
      const { entered: _entered, waiting: _waiting, sent: _sent, ...shown } = bySteps[step] ?? {};
      same(shown, counted.get(step), step);
    }
  };
  const worlds = fc.array(does, { minLength: 10, maxLength: 30 });
  await fc.assert(fc.asyncProperty(worlds, check), { numRuns: tries(25) });
  t.pass();
});

/** By step, from entries and events alone. */
function recount(one: JourneyScene) {
  const counts = new Map(
    ids.map((id) => [
      id,
      { ...nothing, suppressed: 0, suppressedBy: {} as Record<string, number> },
    ]),
  );
  const of = (step: string) => counts.get(step) as NonNullable<ReturnType<typeof counts.get>>;
  /** What is known of the newest send of a step to a person. */
  const newest = new Map<string, Set<string>>();
  const inRun = new Map<number, Set<string>>();
  const at = new Map<number, string>();
  const stepOf = new Map(
    one.scene.sent.map((sent) => [sent.sendId, sent.content.title?.[0] ?? '']),
  );
  const note = (step: string, person: number, mark: keyof typeof nothing) => {
    const marks = newest.get(`${step}${person}`);
    if (marks === undefined || marks.has(mark)) return;
    marks.add(mark);
    of(step)[mark]++;
  };
  for (const { entries } of one.scene.blocks())
    for (const entry of entries) {
      if (entry.kind === 'journey.moved') {
        const { people, moves, codes } = entry as unknown as {
          readonly people: Uint8Array;
          readonly moves: readonly Move[];
          readonly codes?: Uint8Array;
        };
        unpackOrdinals(people).forEach((person, i) => {
          const { enrolls, happened, outcome } = moves[codes?.[i] ?? 0] as Move;
          if (enrolls) inRun.set(person, new Set());
          for (const happening of happened) {
            const step = ids[happening.operation] as string;
            if (happening.kind === 'sent') {
              newest.set(`${step}${person}`, new Set());
              inRun.get(person)?.add(step);
            } else if (happening.kind === 'suppressed') {
              newest.delete(`${step}${person}`);
              of(step).suppressed++;
              of(step).suppressedBy[happening.reason] =
                (of(step).suppressedBy[happening.reason] ?? 0) + 1;
            }
          }
          if (outcome.kind === 'converted') {
            of(at.get(person) ?? '').converted++;
            for (const step of inRun.get(person) ?? []) note(step, person, 'converted');
          }
          if (outcome.kind === 'waits') at.set(person, ids[outcome.operation] as string);
        });
      }
      for (const { name, person, sendId } of one.scene.eventsOf(entry)) {
        const step = stepOf.get(sendId ?? '');
        if (step === undefined || !(name in nothing)) continue;
        const marks = newest.get(`${step}${person}`);
        if (name === 'clicked') note(step, person, 'opened'); // perhaps without its pictures
        if (name === 'opened' || name === 'clicked') {
          // Who opened it has got it, whatever a receipt says.
          if (marks?.delete('bounced')) of(step).bounced--;
          note(step, person, 'delivered');
        }
        note(step, person, name as keyof typeof nothing);
      }
    }
  return counts;
}

function same(actual: unknown, expected: unknown, what: string): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new Error(`${what}: ${JSON.stringify(actual)}, a recount ${JSON.stringify(expected)}`);
}
