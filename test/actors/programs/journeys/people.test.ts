// Who is in a journey now, page by page.

import t from 'tap';
import { hourMs } from '../../../../engine/base/brand.ts';
import { JourneyScene, send, wait } from './support/journey-scene.ts';

t.test('everyone in the journey is listed once, by step and state', async (t) => {
  const one = await JourneyScene.withPeople(50);
  const { scene } = one;
  const steps = [wait('first', 1), send('a'), wait('second', 5)];
  const { id } = await one.journey({ triggerEvent: 'signup', steps });
  const signUp = (from: number, to: number) =>
    one.track(
      ...Array.from({ length: to - from }, (_, i) => ({
        name: 'signup',
        user: `user-${from + i}`,
      })),
    );
  await signUp(0, 30);
  await scene.advance(hourMs);
  await signUp(30, 50);
  const enrolledMs = one.nowMs;
  const all = async (wanted: object = {}, during?: () => Promise<void>) => {
    const found = [];
    let cursor: string | null | undefined;
    do {
      const page: { items: readonly object[]; nextCursor: string | null } = await scene.one.value(
        scene.app,
        'journey.people',
        { id, limit: 7, ...wanted, ...(cursor == null ? {} : { cursor }) },
      );
      found.push(...page.items);
      cursor = page.nextCursor;
      await during?.();
    } while (cursor !== null);
    return found as { externalUserId: string }[];
  };
  const names = (people: readonly { externalUserId: string }[]) =>
    new Set(people.map(({ externalUserId }) => externalUserId));
  t.equal((await all()).length, 50);
  t.equal(names(await all()).size, 50);
  const first = await all({ step: 'first', state: 'waiting' });
  t.equal(names(first).size, 20);
  t.match(first[0], { step: 'first', state: 'waiting', enrolledMs, untilMs: enrolledMs + hourMs });
  t.equal((await all({ step: 'second' })).length, 30);
  await t.rejects(all({ step: 'nowhere' }), /the steps of this journey are first, a, second/);
  t.same(await all({ state: 'leaving' }), []);
  await one.pause(id);
  t.equal((await all({ state: 'leaving' })).length, 50);
  t.same(await all({ step: 'second' }), [], 'who leaves waits nowhere');
  const asked = { id, limit: 1, cursor: 'p1-1' } as never;
  t.match(await scene.one.ask(scene.app, 'journey.people', asked), { fault: { field: 'cursor' } });
});

t.test('people who come while pages are read move nobody', async (t) => {
  const one = await JourneyScene.withPeople(60);
  const { id } = await one.journey({ triggerEvent: 'signup', steps: [wait('w', 1)] });
  for (let i = 0; i < 30; i++) await one.track({ name: 'signup', user: `user-${i}` });
  const seen: string[] = [];
  let cursor: string | null = null;
  let next = 30;
  do {
    const page: { items: readonly { externalUserId?: string }[]; nextCursor: string | null } =
      await one.scene.one.value(one.scene.app, 'journey.people', {
        ...{ id, limit: 4 },
        ...(cursor === null ? {} : { cursor }),
      });
    seen.push(...page.items.map(({ externalUserId = '' }) => externalUserId));
    cursor = page.nextCursor;
    await one.track({ name: 'signup', user: `user-${next++}` });
  } while (cursor !== null);
  t.equal(new Set(seen).size, seen.length, 'nobody twice');
  for (let i = 0; i < 30; i++) t.ok(seen.includes(`user-${i}`), `user-${i}`);
});
