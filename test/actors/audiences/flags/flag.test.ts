import fc from 'fast-check';
import t from 'tap';
import {
  draw,
  type FlagRecord,
  type FlagVariant,
  flagOf,
  flagValueOf,
  flagVariantOf,
  reasonOf,
  rolloutPlaceOf,
} from '../../../../actors/audiences/flags/flag.ts';
import { Traits } from '../../../../actors/audiences/segments/traits.ts';
import { subscriberId } from '../../../../engine/base/id.ts';
import { below, seededRng } from '../../../../engine/base/rng.ts';
import { tries } from '../../../support/tries.ts';

const nowMs = Date.UTC(2026, 5, 1);

function flag(change: Partial<FlagRecord> = {}) {
  return flagOf({
    id: 'flg_1',
    key: 'checkout',
    enabled: true,
    rolloutPercent: 100,
    createdMs: 0,
    updatedMs: 0,
    ...change,
  });
}

/** People as they are made: ordinals in a row, ids of one app. */
function people(count: number, seed = 1): number[] {
  const rng = seededRng(seed);
  return Array.from({ length: count }, (_, person) =>
    draw(subscriberId(8269, person, nowMs + below(rng, 1e9), below(rng, 65_536))),
  );
}

const key = fc.stringMatching(/^[A-Za-z0-9_.-]{1,20}$/);
const percent = fc.double({ min: 0, max: 100, noNaN: true });
const variants = fc.uniqueArray(fc.record({ key, weight: fc.nat({ max: 100 }) }), {
  minLength: 1,
  maxLength: 6,
  selector: (variant) => variant.key,
});

/** Pearson's statistic of counts against what was expected. */
function chiSquare(counts: readonly number[], expected: readonly number[]): number {
  return counts.reduce(
    (sum, count, i) => sum + (count - (expected[i] ?? 0)) ** 2 / (expected[i] ?? 1),
    0,
  );
}

t.test('raising the percentage only ever adds people, and nobody changes variant', async (t) => {
  const crowd = people(300);
  const traits = new Traits();
  fc.assert(
    fc.property(key, percent, percent, variants, (key, a, b, variants) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      const before = flag({ key, rolloutPercent: low, variants });
      const after = flag({ key, rolloutPercent: high, variants });
      for (const [person, drawn] of crowd.entries()) {
        const was = flagValueOf(before, { person, drawn }, traits, nowMs);
        const is = flagValueOf(after, { person, drawn }, traits, nowMs);
        if (was.enabled && (!is.enabled || is.variant !== was.variant)) return false;
      }
      return true;
    }),
    { seed: 7, numRuns: tries(100) },
  );
  t.pass();
});

t.test('nobody is in at 0 %, everybody at 100 %', async (t) => {
  const traits = new Traits();
  for (const [rolloutPercent, enabled] of [
    [0, false],
    [100, true],
  ] as const) {
    const one = flag({ rolloutPercent });
    const values = people(2_000).map(
      (drawn, person) => flagValueOf(one, { person, drawn }, traits, nowMs).enabled,
    );
    t.ok(values.every((value) => value === enabled));
  }
});

t.test('places are spread evenly, for every flag', async (t) => {
  const crowd = people(20_000);
  const cells = 50;
  for (const key of ['a', 'checkout', 'new.search', 'x'.repeat(100)]) {
    const one = flag({ key });
    const counts = new Array<number>(cells).fill(0);
    for (const drawn of crowd) {
      const place = rolloutPlaceOf(one, drawn);
      if (!(place >= 0 && place < 100)) t.fail(`a place of ${place}`);
      const cell = Math.floor((place / 100) * cells);
      counts[cell] = (counts[cell] ?? 0) + 1;
    }
    // 49 degrees of freedom: above 94.5 once in ten thousand.
    t.ok(chiSquare(counts, new Array(cells).fill(crowd.length / cells)) < 94.5, key);
  }
});

t.test('flags are independent of each other', async (t) => {
  const crowd = people(10_000);
  const keys = ['a', 'b', 'checkout', 'checkout2', 'Checkout', 'new.search', 'new-search', 'z_9'];
  let worst = 0;
  for (const [i, one] of keys.entries()) {
    for (const other of keys.slice(i + 1)) {
      const [first, second] = [flag({ key: one }), flag({ key: other })];
      const counts = new Array<number>(16).fill(0);
      for (const drawn of crowd) {
        const quarters = [first, second].map((each) =>
          Math.floor(rolloutPlaceOf(each, drawn) / 25),
        );
        const cell = (quarters[0] ?? 0) * 4 + (quarters[1] ?? 0);
        counts[cell] = (counts[cell] ?? 0) + 1;
      }
      worst = Math.max(worst, chiSquare(counts, new Array(16).fill(crowd.length / 16)));
    }
  }
  // 15 degrees of freedom: above 44 once in ten thousand, of 28 pairs.
  t.ok(worst < 44, `${worst}`);
});

t.test('variants have the shares of their weights, also among the few who are in', async (t) => {
  const variants = [
    { key: 'control', weight: 1 },
    { key: 'red', weight: 1 },
    { key: 'blue', weight: 2 },
    { key: 'never', weight: 0 },
  ];
  for (const rolloutPercent of [100, 10]) {
    const one = flag({ variants, rolloutPercent });
    const traits = new Traits();
    const counts = new Map<string, number>();
    let inside = 0;
    for (const [person, drawn] of people(40_000).entries()) {
      const { enabled, variant } = flagValueOf(one, { person, drawn }, traits, nowMs);
      if (!enabled) continue;
      inside++;
      counts.set(variant ?? '', (counts.get(variant ?? '') ?? 0) + 1);
    }
    const expected = [0.25, 0.25, 0.5].map((share) => share * inside);
    const found = ['control', 'red', 'blue'].map((key) => counts.get(key) ?? 0);
    // 2 degrees of freedom: above 18.4 once in ten thousand.
    t.ok(chiSquare(found, expected) < 18.4, `${found} of ${inside}`);
    t.equal(counts.get('never'), undefined);
    t.equal(counts.size, 3);
  }
});

t.test('a change of one weight moves people only to or from that variant', async (t) => {
  const crowd = people(200);
  fc.assert(
    fc.property(variants, fc.nat(), fc.nat({ max: 100 }), (before, which, weight) => {
      const changed = before[which % before.length] as FlagVariant;
      const after = before.map((one) => (one === changed ? { ...one, weight } : one));
      const raised = weight > changed.weight;
      return crowd.every((drawn) => {
        const was = flagVariantOf(flag({ variants: before }), drawn);
        const is = flagVariantOf(flag({ variants: after }), drawn);
        return was === is || (raised ? is === changed.key : was === changed.key);
      });
    }),
    { seed: 8, numRuns: tries(100) },
  );
  t.pass();
});

t.test('the order of variants, and what they weigh together, move nobody', async (t) => {
  const crowd = people(200);
  fc.assert(
    fc.property(variants, fc.integer({ min: 2, max: 9 }), (before, times) => {
      const after = before.map(({ key, weight }) => ({ key, weight: weight * times })).reverse();
      return crowd.every(
        (drawn) =>
          flagVariantOf(flag({ variants: before }), drawn) ===
          flagVariantOf(flag({ variants: after }), drawn),
      );
    }),
    { seed: 9, numRuns: tries(60) },
  );
  t.pass();
});

t.test('places are the same for ever: a release that moves people fails here', async (t) => {
  const [ada, ben] = [subscriberId(8269, 1, nowMs, 7), subscriberId(8269, 2, nowMs, 8)];
  const one = flag({
    variants: [
      { key: 'control', weight: 1 },
      { key: 'red', weight: 1 },
    ],
  });
  const seen = [ada, ben].map((id) => [
    rolloutPlaceOf(one, draw(id)).toFixed(6),
    flagVariantOf(one, draw(id)),
  ]);
  t.same(seen, [
    ['78.309271', 'red'],
    ['66.680902', 'red'],
  ]);
});

t.test('a flag says the first reason why it is off', async (t) => {
  const traits = new Traits();
  traits.addPerson(0, nowMs);
  const who = { person: 0, drawn: draw('sub_1') };
  const filter = { tag: 'plan', eq: 'pro' } as const;
  const why = (change: Partial<FlagRecord>) => reasonOf(flag(change), who, traits, nowMs);
  t.equal(why({ enabled: false, filter, rolloutPercent: 0 }), 'off');
  t.equal(why({ filter, rolloutPercent: 0 }), 'filter');
  traits.setTags(0, { plan: 'pro' });
  t.equal(why({ filter, rolloutPercent: 0 }), 'rollout');
  t.equal(why({ filter }), 'on');
});

t.test('what a person gets and why they get it agree', async (t) => {
  const traits = new Traits();
  const crowd = people(400);
  for (const person of crowd.keys()) {
    traits.addPerson(person, nowMs);
    if (person % 3 === 0) traits.setTags(person, { plan: 'pro' });
  }
  const reasons = new Set<string>();
  for (const enabled of [true, false]) {
    for (const rolloutPercent of [0, 40, 100]) {
      const one = flag({ enabled, rolloutPercent, filter: { tag: 'plan', eq: 'pro' } });
      for (const [person, drawn] of crowd.entries()) {
        const reason = reasonOf(one, { person, drawn }, traits, nowMs);
        reasons.add(reason);
        const value = flagValueOf(one, { person, drawn }, traits, nowMs);
        if (value.enabled !== (reason === 'on')) t.fail(`${person}: ${reason}`);
      }
    }
  }
  t.same(reasons, new Set(['off', 'filter', 'rollout', 'on']));
});
