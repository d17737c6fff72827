// A lane against a naive model of it: for each person one word, `waiting`, `sent`, or what they are
// held for. Whatever is done in whatever order, nobody is lost, and nobody has two turns.

import fc from 'fast-check';
import t from 'tap';
import { CampaignLane } from '../../../../actors/programs/campaigns/lane.ts';
import { Bitset } from '../../../../engine/base/bitset.ts';
import { same } from '../../../support/same.ts';
import { tries } from '../../../support/tries.ts';

/** Few, so that they meet; in more than one word of a set. */
const everybody = [0, 1, 5, 31, 32, 40, 64, 69] as const;
const holds = [
  { untilMs: 100, reason: 'quiet_hours' },
  { untilMs: 200, reason: 'quiet_hours' },
  { untilMs: 200, reason: 'daily_cap' },
] as const;

const person = fc.constantFrom(...everybody);
const step = fc.oneof(
  fc.record({ does: fc.constant('take' as const), person }),
  fc.record({ does: fc.constant('park' as const), person, hold: fc.constantFrom(...holds) }),
  fc.record({ does: fc.constant('release' as const), nowMs: fc.constantFrom(50, 100, 200) }),
  fc.record({ does: fc.constant('drop' as const), person }),
  fc.record({ does: fc.constant('send' as const), person }),
  fc.record({ does: fc.constant('merge' as const), person, into: person }),
  fc.record({ does: fc.constant('restore' as const) }),
);

const steps = fc.array(step, { minLength: 5, maxLength: 40, size: 'max' });

type Model = Map<number, 'waiting' | 'sent' | (typeof holds)[number]>;

t.test('a lane says of everybody what a naive model says, whatever is done to it', (t) => {
  fc.assert(
    fc.property(fc.subarray([...everybody]), steps, (first, all) => {
      const model: Model = new Map(first.map((one) => [one, 'waiting']));
      let lane = new CampaignLane('primary', 0, setOf(first));
      for (const one of all) {
        switch (one.does) {
          case 'take':
            lane.take(one.person);
            if (model.get(one.person) === 'waiting') model.delete(one.person);
            break;
          case 'park':
            // Only whoever has their turn is held.
            if (model.get(one.person) !== 'waiting') break;
            lane.park(one.person, one.hold.untilMs, one.hold.reason);
            model.set(one.person, one.hold);
            break;
          case 'release':
            lane.release(one.nowMs);
            for (const [who, how] of model)
              if (typeof how === 'object' && how.untilMs <= one.nowMs) model.set(who, 'waiting');
            break;
          case 'drop':
            lane.drop(one.person);
            if (model.get(one.person) !== 'sent') model.delete(one.person);
            break;
          case 'send':
            // Only whoever has their turn is sent it.
            if (model.get(one.person) !== 'waiting') break;
            lane.send(one.person);
            model.set(one.person, 'sent');
            break;
          case 'merge': {
            if (one.person === one.into) break;
            lane.merge(one.person, one.into);
            const theirs = model.get(one.person);
            model.delete(one.person);
            // Whoever has a place keeps it, unless the other was sent it.
            if (theirs === 'sent' || (theirs !== undefined && !model.has(one.into)))
              model.set(one.into, theirs);
            break;
          }
          case 'restore':
            lane = CampaignLane.restore(structuredClone(lane.snapshot()));
        }
        compare(lane, model);
      }
    }),
    { numRuns: tries(2_000) },
  );
  t.end();
});

function compare(lane: CampaignLane, model: Model): void {
  const waiting: number[] = [];
  for (let one = lane.next(0); one >= 0; one = lane.next(one + 1)) waiting.push(one);
  const held = new Map<string, number>();
  for (const { untilMs, reason, count } of lane.parked()) held.set(`${untilMs} ${reason}`, count);
  const expected = new Map<string, number>();
  for (const how of model.values()) {
    if (typeof how !== 'object') continue;
    const name = `${how.untilMs} ${how.reason}`;
    expected.set(name, (expected.get(name) ?? 0) + 1);
  }
  const due = [...model].filter(([, how]) => how === 'waiting').map(([one]) => one);
  const sorted = (map: Map<string, number>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  same(
    waiting,
    due.sort((a, b) => a - b),
  );
  same(lane.left, due.length);
  same(sorted(held), sorted(expected));
  const until = [...model.values()].flatMap((how) =>
    typeof how === 'object' ? [how.untilMs] : [],
  );
  same(lane.parkedCount, until.length);
  same(lane.nextReleaseMs ?? null, until.length === 0 ? null : Math.min(...until));
}

function setOf(people: readonly number[]): Bitset {
  const set = new Bitset(0);
  for (const one of people) set.set(one);
  return set;
}
