// Who claims a partition, and when.

import t from 'tap';
import {
  type Candidate,
  isVacant,
  type OwnerView,
  successors,
} from '../../../engine/cluster/takeover.ts';

const view = (change: Partial<OwnerView> = {}): OwnerView => ({
  term: 3,
  process: 'live',
  isClaimedByLive: true,
  isHanded: false,
  quietMs: 0,
  answeredMs: 0,
  awakeMs: 60_000,
  ...change,
});
const dead = { process: 'dead', isClaimedByLive: false } as const;
const lost = { isClaimedByLive: false } as const;

const cases: Readonly<Record<string, readonly [boolean, Partial<OwnerView>]>> = {
  'an owner that lives and writes': [false, {}],
  'an owner that was silent in the log for long, which answers nobody': [
    false,
    { quietMs: 7_200_000 },
  ],
  'an owner that lives, and has written nothing to a log that answers': [
    true,
    { quietMs: 6_000, answeredMs: 3_000 },
  ],
  'an owner that is dead': [true, { ...dead, quietMs: 3_000 }],
  'an owner that is not heard, but writes': [false, { ...dead, quietMs: 2_999 }],
  'an owner that was never heard, just after a start': [
    false,
    { ...dead, process: 'unheard', quietMs: 2_999, awakeMs: 2_999 },
  ],
  'an owner that was never heard in three seconds': [
    true,
    { ...dead, process: 'unheard', quietMs: 3_000, awakeMs: 3_000 },
  ],
  'a process that lives, and says no more that it owns': [true, { ...lost, quietMs: 3_000 }],
  'a partition that nobody has ever claimed': [true, { ...lost, term: 0 }],
  'a partition that someone claims first': [false, { term: 0 }],
  'a partition that was handed over a moment ago': [true, { ...lost, isHanded: true }],
  'a partition that was handed over, and is being claimed': [false, { isHanded: true }],
};

for (const [name, [isIt, change]] of Object.entries(cases))
  t.test(`${name}: ${isIt ? 'is vacant' : 'is not vacant'}`, async (t) => {
    t.equal(isVacant(view(change)), isIt);
  });

const candidate = (name: string, change: Partial<Candidate> = {}): Candidate => ({
  name,
  copy: { role: 'standby', generation: 1, position: 10 },
  isDraining: false,
  isClockWrong: false,
  ...change,
});
const behind = { copy: { role: 'standby', generation: 1, position: 9 } } as const;
const standing = (candidates: readonly Candidate[], handedTo?: string) => ({
  candidates,
  planned: ['b', 'a'],
  handedTo,
  position: 10,
  generation: 1,
});

t.test('the first of the plan goes first, then others that have a copy', async (t) => {
  const all = ['a', 'b', 'c', 'd'].map((name) => candidate(name));
  t.same(successors(standing(all)), ['b', 'a', 'c', 'd']);
  t.same(successors(standing(all.slice(2))), ['c', 'd'], 'without a plan by name');
  t.same(successors(standing(all, 'd')), ['d', 'b', 'a', 'c'], 'it was handed to d');
});

t.test('only a copy that is whole succeeds, with a clock that is right', async (t) => {
  const gone = { copy: { role: 'gone', generation: 1, position: 10 } } as const;
  const failed = { copy: { role: 'failed', generation: 1, position: 10 } } as const;
  const older = { copy: { role: 'standby', generation: 0, position: 99 } } as const;
  const all = [
    candidate('a', behind),
    candidate('b', { isClockWrong: true }),
    candidate('c', gone),
    candidate('d', failed),
    candidate('e', older),
    candidate('f'),
  ];
  t.same(successors(standing(all)), ['f']);
});

t.test('a member that is to be emptied is the last to claim, but claims', async (t) => {
  const all = [candidate('b', { isDraining: true }), candidate('a'), candidate('z')];
  t.same(successors(standing(all)), ['a', 'z', 'b']);
});
