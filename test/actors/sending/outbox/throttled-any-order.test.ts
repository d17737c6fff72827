// Refusals, answers of all kinds, delays and restarts in any order: never more than one call a
// pause, pauses as long as they should be, and nothing lost.

import fc from 'fast-check';
import t from 'tap';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { hourMs, minuteMs, secondMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';
import { type Happened, ThrottleScene } from './throttle-scene.ts';

const pauses = [30, 60, 120, 300, 600, 900].map((seconds) => seconds * secondMs);

/** What a relay says for a while: to how many calls, with which delay, after how long. */
interface Spell {
  readonly says: 'rate' | 'accepted' | 'retry' | 'restart';
  readonly calls: number;
  readonly askedMs: number | undefined;
  readonly tookMs: number;
}

const spell: fc.Arbitrary<Spell> = fc.record({
  says: fc.constantFrom('rate', 'rate', 'rate', 'accepted', 'retry', 'restart'),
  calls: fc.integer({ min: 1, max: 6 }),
  askedMs: fc.option(fc.constantFrom(secondMs, 45 * secondMs, 20 * minuteMs, 5 * hourMs), {
    nil: undefined,
  }),
  tookMs: fc.constantFrom(0, secondMs, 20 * secondMs),
});

function outcomeOf({ says, askedMs }: Spell): Outcome {
  const asked = askedMs === undefined ? {} : { retryAfterMs: askedMs };
  switch (says) {
    case 'rate':
      return { outcome: 'rate', reason: 'throttled', ...asked };
    case 'retry':
      return { outcome: 'retry', reason: 'deferred' };
    default:
      return { outcome: 'accepted' };
  }
}

/** The first thing that must not have happened. */
function wrongIn(happened: readonly Happened[]): string | undefined {
  let [times, untilMs, inFlight] = [0, 0, 0];
  const pauseMs = () => pauses[Math.min(times, pauses.length) - 1] ?? 0;
  const still = (atMs: number) => {
    if (times > 0 && atMs >= untilMs) untilMs = atMs + pauseMs();
  };
  for (const one of happened) {
    const { atMs } = one;
    if (one.kind === 'restart') {
      if (inFlight > 0) still(atMs);
      inFlight = 0;
    } else if (one.kind === 'begin') {
      if (times > 0 && atMs < untilMs) return `a call ${untilMs - atMs} ms too early`;
      if (times > 0 && inFlight > 0) return 'a second call while one finds out';
      inFlight++;
    } else {
      inFlight--;
      const { outcome } = one;
      if (outcome.outcome === 'rate') {
        const { retryAfterMs } = outcome;
        const askedMs = retryAfterMs === undefined ? 0 : atMs + Math.min(retryAfterMs, hourMs);
        if (times > 0 && atMs < untilMs) untilMs = Math.max(untilMs, askedMs);
        else {
          times++;
          untilMs = askedMs || atMs + pauseMs();
        }
      } else if (outcome.outcome === 'accepted') times = atMs < untilMs ? times : 0;
      else still(atMs);
    }
  }
  return undefined;
}

const people = 20;

async function live(spells: readonly Spell[]): Promise<ThrottleScene> {
  const left = [...spells];
  let said = 0;
  const scene = await ThrottleScene.open(t, {
    channels: ['email'],
    connections: 4,
    answer: () => {
      const [now] = left;
      if (now === undefined) return { outcome: 'accepted' };
      if (++said >= now.calls) {
        left.shift();
        said = 0;
      }
      return outcomeOf(now);
    },
    tookMs: () => left[0]?.tookMs ?? 0,
  });
  const ids: string[] = [];
  for (let i = 0; i < people; i++) {
    await scene.person(`user-${i}`, 'email', `user-${i}@example.com`);
    ids.push(await scene.send(`user-${i}`));
  }
  const isOpen = async () => {
    for (const id of ids) if ((await scene.statusOf(id)) === 'pending') return true;
    return false;
  };
  for (let step = 0; step < 2_000 && (await isOpen()); step++) {
    if (left[0]?.says === 'restart') {
      left.shift();
      await scene.restart();
    }
    await scene.pass(step < 24 ? 5 * secondMs : 5 * minuteMs, 5 * secondMs);
  }
  for (const id of ids) if ((await scene.statusOf(id)) !== 'delivered') throw new Error('lost');
  return scene;
}

t.test('whatever the relay says, and whenever the process starts again', async (t) => {
  const property = fc.asyncProperty(
    fc.array(spell, { minLength: 1, maxLength: 8 }),
    async (spells) => {
      const { happened } = await live(spells);
      const wrong = wrongIn(happened);
      if (wrong !== undefined) throw new Error(wrong);
    },
  );
  await t.resolves(fc.assert(property, { numRuns: tries(120) }));
});
