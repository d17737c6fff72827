// The compiler against the oracle: random people with random histories, random filters, at instants
// that lie on the edges of windows, a millisecond before them and after. 100,000 pairs of history
// and filter, or as many as ENGAGE_FILTERS says.

import fc from 'fast-check';
import t from 'tap';
import {
  audienceOf,
  explain,
  matches,
  partsOf,
  reachOf,
  uncounted,
} from '../../../../actors/audiences/segments/evaluate.ts';
import type { Filter, TagScalar } from '../../../../actors/audiences/segments/filter.ts';
import { NewestTimes } from '../../../../actors/audiences/segments/newest-times.ts';
import { parseFilter } from '../../../../actors/audiences/segments/parse-filter.ts';
import { Traits } from '../../../../actors/audiences/segments/traits.ts';
import type { ChannelId } from '../../../../actors/channels/channel-ids.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import type { TagValue } from '../../../../storage/tables/subscriber.ts';
import { oracle, type RawPerson } from '../../../support/segment-oracle.ts';
import { tries } from '../../../support/tries.ts';

const startMs = Date.parse('2026-03-01T00:00:00Z');
const eventNames = ['order', 'opened', 'delivered', 'journey_enrolled', 'page'];
const tagNames = ['plan', 'city', 'interests'];
const channels: ChannelId[] = ['email', 'sms', 'fcm'];
const values: TagScalar[] = ['pro', 'free', 1, '1', true, false, 'a', 'b', ''];

const days = fc.constantFrom(1, 2, 7, 30, 90);
const scalar = fc.constantFrom(...values);
const tagValue: fc.Arbitrary<TagValue> = fc.oneof(
  scalar,
  fc.array(fc.constantFrom('a', 'b', 'pro', ''), { maxLength: 3 }),
);
const condition: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ tag: fc.constantFrom(...tagNames, 'nobody'), eq: scalar }),
  fc.record({ tag: fc.constantFrom(...tagNames), ne: scalar }),
  fc.record({ tag: fc.constantFrom(...tagNames), exists: fc.boolean() }),
  fc.record({
    tag: fc.constantFrom(...tagNames),
    in: fc.array(scalar, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ event: fc.constantFrom(...eventNames), withinDays: days }),
  fc.record({
    event: fc.constantFrom(...eventNames),
    withinDays: days,
    atLeast: fc.integer({ min: 2, max: 4 }),
  }),
  fc.record({ event: fc.constantFrom(...eventNames), notWithinDays: days }),
  fc.record({ activeWithinDays: days }),
  fc.record({ inactiveForDays: days }),
  fc.record({ channel: fc.constantFrom(...channels) }),
  fc.record({ channel: fc.constantFrom(...channels), exists: fc.boolean() }),
);
const group = (members: fc.Arbitrary<Filter>): fc.Arbitrary<Filter> =>
  fc
    .tuple(fc.boolean(), fc.array(members, { minLength: 1, maxLength: 3 }))
    .map(([isAll, list]) => (isAll ? { all: list } : { any: list }));
const filter = fc.oneof(
  condition,
  group(condition),
  group(fc.oneof(condition, group(condition))),
  group(fc.oneof(condition, group(fc.oneof(condition, group(condition))))),
);

/**
 * A time that is likely to be a whole number of days before the present, or a millisecond beside
 * it.
 */
const ago = fc
  .tuple(fc.constantFrom(0, 1, 2, 7, 30, 90, 91), fc.constantFrom(-1, 0, 1, 500, 86_399_999))
  .map(([count, beside]) => count * dayMs + beside);
const step = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), agoMs: ago }),
  fc.record({
    kind: fc.constant('tag' as const),
    who: fc.nat(11),
    tag: fc.constantFrom(...tagNames),
    value: fc.option(tagValue),
  }),
  fc.record({
    kind: fc.constant('reach' as const),
    who: fc.nat(11),
    channels: fc.subarray(channels),
  }),
  fc.record({
    kind: fc.constant('event' as const),
    who: fc.nat(11),
    name: fc.constantFrom(...eventNames),
    agoMs: ago,
  }),
  fc.record({ kind: fc.constant('erase' as const), who: fc.nat(11) }),
);
const history = fc.array(step, { minLength: 5, maxLength: 60 });
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const nowMs = startMs + 200 * dayMs;

function lived(steps: readonly Step[]): { people: RawPerson[]; traits: Traits } {
  const people: RawPerson[] = [];
  const traits = new Traits();
  for (const name of eventNames) {
    traits.collect(name, 5);
    traits.becomeWhole(name);
  }
  for (const one of steps) {
    if (one.kind === 'create' || people.length === 0) {
      const createdMs = nowMs - ('agoMs' in one ? one.agoMs : 0);
      traits.addPerson(people.length, createdMs);
      people.push({ createdMs, tags: new Map(), reach: new Set(), events: [], erased: false });
      continue;
    }
    const person = one.who % people.length;
    const raw = people[person] as RawPerson;
    if (raw.erased) continue;
    switch (one.kind) {
      case 'tag':
        traits.setTags(person, { [one.tag]: one.value });
        if (one.value === null) raw.tags.delete(one.tag);
        else raw.tags.set(one.tag, one.value);
        break;
      case 'reach':
        traits.setReach(person, new Set(one.channels));
        raw.reach.clear();
        for (const channel of one.channels) raw.reach.add(channel);
        break;
      case 'event':
        traits.track(person, one.name, nowMs - one.agoMs);
        raw.events.push({ name: one.name, atMs: nowMs - one.agoMs });
        break;
      case 'erase':
        traits.erase(person);
        raw.erased = true;
        break;
    }
  }
  return { people, traits };
}

const filtersARun = 20;
/**
 * Together with `ago`: exactly at an edge, a millisecond before, and after. Time never goes back
 * behind the last event.
 */
const shift = fc.constantFrom(0, 1, 2, dayMs);
const runs = Math.ceil(Number(process.env['ENGAGE_FILTERS'] ?? tries(100_000)) / filtersARun);

t.test('the audience, and each person, are what the oracle says', async (t) => {
  let compared = 0;
  fc.assert(
    fc.property(
      history,
      fc.array(fc.tuple(filter, shift), { minLength: filtersARun, maxLength: filtersARun }),
      (steps, questions) => {
        const { people, traits } = lived(steps);
        // Counted times are in no checkpoint: they are read again.
        const restored = Traits.restore(structuredClone(traits.snapshot())).withTimes(
          [...traits.counted].map(([name, { times }]) => [
            name,
            NewestTimes.restore(times.snapshot()),
          ]),
        );
        for (const [one, shiftMs] of questions) {
          const atMs = nowMs + shiftMs;
          const expected = people.map((person) => oracle(one, person, atMs));
          const found = audienceOf(one, traits, atMs);
          const again = audienceOf(one, restored, atMs);
          people.forEach((_person, index) => {
            const want = expected[index];
            if (found.test(index) !== want)
              throw new Error(`audience: person ${index} of ${JSON.stringify(one)}`);
            if (again.test(index) !== want)
              throw new Error(`restored: person ${index} of ${JSON.stringify(one)}`);
            if (matches(one, traits, index, atMs) !== want)
              throw new Error(`matches: person ${index} of ${JSON.stringify(one)}`);
          });
          if (found.count() !== expected.filter(Boolean).length)
            throw new Error('somebody who is not there');
          compared++;
        }
      },
    ),
    { seed: 7, numRuns: runs },
  );
  t.ok(compared >= runs * filtersARun, `${compared} filters`);
});

t.test('every filter that is drawn is one that may be saved', async () => {
  fc.assert(
    fc.property(filter, (one) => 'filter' in parseFilter(one, { retentionDays: 90 })),
    { seed: 9, numRuns: tries(500) },
  );
});

t.test('explain gives the truth of each condition with its path', async (t) => {
  const traits = new Traits();
  traits.addPerson(0, nowMs - 10 * dayMs);
  traits.setTags(0, { plan: 'pro' });
  const asked: Filter = {
    any: [
      { tag: 'plan', eq: 'free' },
      { all: [{ tag: 'plan', ne: 'free' }, { inactiveForDays: 30 }] },
    ],
  };
  t.same(
    explain(asked, traits, 0, nowMs).map(({ path, holds }) => [path, holds]),
    [
      ['filter.any[0]', false],
      ['filter.any[1].all[0]', true],
      ['filter.any[1].all[1]', false],
    ],
  );
});

t.test('names that a filter counts and no column has are told', async (t) => {
  const traits = new Traits();
  traits.collect('order', 2);
  traits.becomeWhole('order');
  traits.collect('view', 9);
  const asked: Filter = {
    all: [
      { event: 'order', withinDays: 3, atLeast: 2 },
      { event: 'order', withinDays: 3, atLeast: 3 },
      { event: 'view', withinDays: 3, atLeast: 2 },
      { event: 'page', withinDays: 3, atLeast: 2 },
      { event: 'seen', withinDays: 3 },
    ],
  };
  const missing = [
    ['order', 3],
    ['view', 2],
    ['page', 2],
  ];
  t.same(uncounted(asked, traits), missing, 'too few of each, not whole yet, none at all');
});

t.test('many people make a dense column that answers as the map did', async (t) => {
  const traits = new Traits();
  for (let person = 0; person < 20_000; person++) {
    traits.addPerson(person, startMs);
    if (person % 2 === 0) traits.track(person, 'order', nowMs - person * 1_000);
    if (person % 5_000 === 0) traits.track(person, 'rare', nowMs);
  }
  const recent = audienceOf({ event: 'order', withinDays: 1 }, traits, nowMs + 80_000_000);
  t.equal(recent.count(), Math.ceil(6_400 / 2), 'to the second: 86,400 s less 80,000 s');
  t.equal(audienceOf({ event: 'rare', withinDays: 1 }, traits, nowMs).count(), 4);
  t.ok((traits.events.get('order')?.byteLength ?? 0) < 20_000 * 6 * 2.1);
});

/** The parts of a filter and their counts, one person after the other. */
function partsByHand(one: Filter, people: readonly RawPerson[], atMs: number, path = 'filter') {
  const countOf = (test: Filter) => people.filter((person) => oracle(test, person, atMs)).length;
  const found: { path: string; count: number; left: number | null }[] = [
    { path, count: countOf(one), left: null },
  ];
  if (!('all' in one || 'any' in one)) return found;
  const [name, members] = 'all' in one ? ['all', one.all] : ['any', one.any];
  members.forEach((member, nth) => {
    const [own, ...below] = partsByHand(member, people, atMs, `${path}.${name}[${nth}]`);
    const left = name === 'all' ? countOf({ all: members.slice(0, nth + 1) }) : null;
    found.push({ ...(own as (typeof found)[number]), left }, ...below);
  });
  return found;
}

t.test('each part of a filter, and each channel, counts what the oracle counts', async (t) => {
  fc.assert(
    fc.property(history, fc.array(filter, { minLength: 5, maxLength: 5 }), (steps, filters) => {
      const { people, traits } = lived(steps);
      for (const one of filters) {
        t.same(partsOf(one, traits, nowMs), partsByHand(one, people, nowMs));
        const reached = people.filter((person) => oracle(one, person, nowMs));
        for (const { channel, reachable } of reachOf(one, traits, nowMs))
          t.equal(reachable, reached.filter(({ reach }) => reach.has(channel)).length);
      }
    }),
    { numRuns: tries(200) },
  );
});
