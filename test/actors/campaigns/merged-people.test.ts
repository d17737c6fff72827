// People who turn out to be somebody else while a campaign is under way.

import fc from 'fast-check';
import t from 'tap';
import { Lane } from '../../../actors/campaigns/lane.ts';
import { isHeldOut } from '../../../actors/campaigns/share.ts';
import { Bitset } from '../../../engine/base/bitset.ts';
import { Scene } from './scene.ts';

const tokenKey = new Uint8Array(32).fill(3);

/** Somebody anonymous with a device; gives back how they say who they are. */
async function stranger(scene: Scene, endpoint: string) {
  const { one, app } = scene;
  await one.value(app, 'settings.patch', { patch: { identityVerification: 'open' } });
  const { clientToken } = await one.value(app, 'sdk.login', { login: { tokenKey } });
  const device = { channel: 'fcm', endpoint } as const;
  await one.value(app, 'sdk.register', { clientToken, device });
  return (externalUserId: string) =>
    one.value(app, 'sdk.login', { login: { tokenKey, clientToken, externalUserId } });
}

t.test('a device that a stranger was sent a campaign on does not get it again', async (t) => {
  const scene = await Scene.open();
  const become = await stranger(scene, 'token-of-a-stranger');
  await scene.people(1);
  const campaign = await scene.campaign({ throttle: { perMinute: 60 } });
  await scene.send(campaign.id);
  t.same(
    scene.sent.map(({ endpoint }) => endpoint),
    ['token-of-a-stranger'],
  );
  await become('user-0');
  await scene.advance(60_000);
  t.equal(scene.sent.length, 1);
  t.match(await scene.stats(campaign.id), { state: 'completed', sent: 1, delivered: 1 });
});

t.test('who is held out stays so with the devices of a stranger', async (t) => {
  const holdoutShare = 0.5;
  const isOut = (person: number) => isHeldOut({ number: 1, holdoutShare }, person);
  const scene = await Scene.open();
  // Ordinals are given out in turn: somebody first who is targeted and passed, strangers until one is targeted, one held out.
  const become: ((name: string) => Promise<unknown>)[] = [];
  let next = 0;
  let targeted = 0;
  while (targeted < 2) {
    become.push(await stranger(scene, `stranger-${next}`));
    if (!isOut(next++)) targeted++;
  }
  while (!isOut(next)) await scene.person(`passed-${next++}`, ['email']);
  await scene.person('held-out', ['fcm']);
  const campaign = await scene.campaign({ holdoutShare, throttle: { perMinute: 60 } });
  await scene.send(campaign.id);
  t.equal(scene.sent.length, 1);
  await become.at(-1)?.('held-out');
  await scene.advance(120_000);
  t.equal(scene.sent.length, 1);
  t.match(await scene.stats(campaign.id), { state: 'completed', sent: 1 });
});

t.test(
  'what a stranger was sent at a crash is tried again on the device they brought',
  async (t) => {
    const scene = await Scene.open();
    const become = await stranger(scene, 'token-of-a-stranger');
    await scene.people(1, ['email']);
    const campaign = await scene.campaign();
    scene.answers = () => undefined;
    await scene.send(campaign.id);
    await become('user-0');
    scene.answers = () => ({ outcome: 'accepted' });
    await scene.crash();
    await scene.advance(60_000);
    t.match(await scene.stats(campaign.id), { state: 'completed', sent: 1, delivered: 1 });
  },
);

const people = 6;
const step = fc.record({
  what: fc.constantFrom('take', 'park', 'drop', 'replace', 'release'),
  person: fc.nat(people - 1),
  other: fc.nat(people - 1),
  untilMs: fc.integer({ min: 1, max: 4 }),
});

t.test('nobody is in a lane twice, whatever becomes of them', (t) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const everybody = new Bitset(people);
      for (let person = 0; person < people; person++) everybody.set(person);
      const lane = new Lane('primary', 0, everybody);
      /** Until when each is held; 0 for those whose turn it is. */
      const naive = new Map(Array.from({ length: people }, (_, person) => [person, 0]));
      for (const { what, person, other, untilMs } of steps) {
        const held = naive.get(person);
        if (what === 'take' && held === 0) {
          lane.take(person);
          naive.delete(person);
        }
        if (what === 'park' && held === 0) {
          lane.park(person, untilMs, 'quiet_hours');
          naive.set(person, untilMs);
        }
        if (what === 'drop') {
          lane.drop(person);
          naive.delete(person);
        }
        if (what === 'replace' && person !== other) {
          lane.replace(person, other);
          naive.delete(person);
          if (held !== undefined && !naive.has(other)) naive.set(other, held);
        }
        if (what === 'release') {
          lane.release(untilMs);
          for (const [one, until] of naive) if (until <= untilMs) naive.set(one, 0);
        }
      }
      const turns: number[] = [];
      for (let one = lane.next(0); one >= 0; one = lane.next(one + 1)) turns.push(one);
      const waiting = [...naive].filter(([, until]) => until === 0).map(([one]) => one);
      const sameTurns = JSON.stringify(turns) === JSON.stringify(waiting.sort((a, b) => a - b));
      return (
        sameTurns && lane.left === turns.length && lane.parkedCount === naive.size - turns.length
      );
    }),
  );
  t.end();
});
