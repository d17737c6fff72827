import fc from 'fast-check';
import t from 'tap';
import { FairLine, type FairLineRefusal } from '../../../engine/base/fair-line.ts';
import { tries } from '../../support/tries.ts';

interface Entered {
  readonly owner: number;
  readonly part: number;
  state: 'waiting' | 'running' | 'ended' | FairLineRefusal;
  end: () => void;
}

function lineUnderTest(limits: {
  readonly runningMax: number;
  readonly runningOfOwnerMax: number;
  readonly waitingMax: number;
  readonly waitingOfOwnerMax: number;
}) {
  const timers: { isForgotten: boolean; task: () => void }[] = [];
  const line = new FairLine({
    ...limits,
    waitMs: 1_000,
    after: (_ms, task) => {
      const timer = { task, isForgotten: false };
      timers.push(timer);
      return () => void (timer.isForgotten = true);
    },
  });
  const all: Entered[] = [];
  const begun: number[] = [];
  const enter = (owner: number, part = 0): Entered => {
    const one: Entered = { owner, part, state: 'waiting', end: () => undefined };
    all.push(one);
    line.enter({
      owner,
      part,
      begin: (end) => {
        one.state = 'running';
        begun.push(owner);
        one.end = () => {
          one.state = 'ended';
          end();
        };
      },
      refuse: (why) => void (one.state = why),
    });
    return one;
  };
  return { line, timers, all, begun, enter };
}

t.test('owners take turns, and their parts within them', async (t) => {
  const { enter, all } = lineUnderTest({
    ...{ runningMax: 1, runningOfOwnerMax: 1, waitingMax: 20, waitingOfOwnerMax: 20 },
  });
  for (const [owner, part] of [
    [1, 1],
    [1, 1],
    [1, 1],
    [1, 2],
    [2, 1],
  ] as const)
    enter(owner, part);
  const order: string[] = [];
  for (;;) {
    const running = all.find(({ state }) => state === 'running');
    if (running === undefined) break;
    order.push(`${running.owner}.${running.part}`);
    running.end();
  }
  t.same(order, ['1.1', '2.1', '1.2', '1.1', '1.1']);
});

t.test('one owner never fills the line for another', async (t) => {
  const { enter, all } = lineUnderTest({
    ...{ runningMax: 2, runningOfOwnerMax: 1, waitingMax: 4, waitingOfOwnerMax: 4 },
  });
  for (let n = 0; n < 5; n++) enter(1);
  t.equal(enter(1).state, 'owner', 'its places are taken');
  t.equal(enter(2).state, 'running', 'the second place is not for the first owner');
  t.equal(enter(3).state, 'waiting', 'a newcomer gets the place of the newest of who has most');
  t.equal(all[4]?.state, 'line');
  all.find(({ owner }) => owner === 2)?.end();
  t.equal(all.find(({ owner }) => owner === 3)?.state, 'running');
});

t.test('a full line whose owners have equally many places drops none of them', async (t) => {
  const { enter, all } = lineUnderTest({
    ...{ runningMax: 1, runningOfOwnerMax: 1, waitingMax: 4, waitingOfOwnerMax: 4 },
  });
  for (const owner of [1, 1, 1, 2, 2]) enter(owner);
  t.equal(enter(1).state, 'line', 'it has as many as the other');
  t.same(
    all.map(({ state }) => state),
    ['running', 'waiting', 'waiting', 'waiting', 'waiting', 'line'],
  );
});

t.test('who waits too long is refused, and a stopped line refuses', async (t) => {
  const { line, enter, timers } = lineUnderTest({
    ...{ runningMax: 1, runningOfOwnerMax: 1, waitingMax: 4, waitingOfOwnerMax: 4 },
  });
  const [first, second, third] = [enter(1), enter(1), enter(2)];
  t.equal(timers[0]?.isForgotten, true, 'its turn came');
  timers[1]?.task();
  t.equal(second?.state, 'line');
  line.stop();
  t.equal(third?.state, 'stopped');
  t.equal(enter(3).state, 'stopped');
  first?.end();
  t.equal(line.waiting, 0);
});

t.test('in any order: bounds hold, and nobody waits while there is room', async (t) => {
  const limits = { runningMax: 3, runningOfOwnerMax: 2, waitingMax: 6, waitingOfOwnerMax: 4 };
  const step = fc.oneof(
    fc.record({ owner: fc.nat(4), part: fc.nat(2) }),
    fc.record({ ends: fc.nat(5) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const { enter, all, line } = lineUnderTest(limits);
      for (const one of steps) {
        if ('ends' in one) {
          const running = all.filter(({ state }) => state === 'running');
          running[one.ends % Math.max(1, running.length)]?.end();
        } else {
          const before = all.filter(({ state }) => state === 'waiting');
          const placesOf = (owner: number) =>
            before.filter((entered) => entered.owner === owner).length;
          const most = Math.max(...before.map(({ owner }) => placesOf(owner)));
          const own = placesOf(one.owner);
          const added = enter(one.owner, one.part);
          // The line may refuse only if it is full, and nobody in it has two places more.
          const mayRefuse = before.length >= limits.waitingMax && most <= own + 1;
          if (added.state === 'line' && !mayRefuse) return false;
          if (added.state === 'owner' && own < limits.waitingOfOwnerMax) return false;
          const dropped = before.filter(({ state }) => state === 'line');
          if (dropped.some(({ owner }) => placesOf(owner) < own + 2)) return false;
        }
        const running = all.filter(({ state }) => state === 'running');
        const waiting = all.filter(({ state }) => state === 'waiting');
        const ofOwner = (list: Entered[], owner: number) =>
          list.filter((entered) => entered.owner === owner).length;
        if (running.length > limits.runningMax || waiting.length > limits.waitingMax) return false;
        if (waiting.length !== line.waiting) return false;
        for (let owner = 0; owner <= 4; owner++) {
          if (ofOwner(running, owner) > limits.runningOfOwnerMax) return false;
          if (ofOwner(waiting, owner) > limits.waitingOfOwnerMax) return false;
          const hasRoom =
            running.length < limits.runningMax &&
            ofOwner(running, owner) < limits.runningOfOwnerMax;
          if (hasRoom && ofOwner(waiting, owner) > 0) return false;
        }
      }
      return true;
    }),
    { numRuns: tries(600) },
  );
  t.pass();
});
