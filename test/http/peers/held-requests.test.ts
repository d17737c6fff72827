// Requests that wait for an owner: until one is known, until their time is over, and no more of
// them than there is room for.

import t from 'tap';
import type { Fault } from '../../../engine/base/fault.ts';
import { HeldRequests, holdMs } from '../../../http/peers/held-requests.ts';
import { Owners } from '../../../http/peers/owners.ts';

const heldMax = 1_000;
const heldBytesMax = 33_554_432;

function scene() {
  let nowMs = 0;
  let timers: { readonly atMs: number; readonly then: () => void }[] = [];
  const owners = new Owners(['here']);
  const held = new HeldRequests({
    owners,
    clock: { monotonic: () => nowMs },
    after: (ms, then) => {
      const timer = { atMs: nowMs + ms, then };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
  });
  const told: string[] = [];
  const untilMs = () => nowMs + holdMs;
  return {
    ...{ owners, held, told },
    wait: (name: string, bytes = 0, refusedBy?: { member: string; term: number }) =>
      held.wait(
        {
          ...{ partition: 1, bytes, untilMs: untilMs() },
          then: ({ member, term }) => told.push(`${name} to ${member} ${term}`),
          over: ({ code }: Fault) => told.push(`${name} ${code}`),
        },
        refusedBy && { partition: 1, address: 'there:1', ...refusedBy },
      ),
    hear: (member: string, term: number, isHeld?: true) =>
      owners.hear({
        kind: 'cluster.owners',
        member: 'here',
        owners: [{ partition: 1, member, address: 'there:1', term, ...(isHeld && { isHeld }) }],
      }),
    pass: (ms: number) => {
      for (const end = nowMs + ms; ; ) {
        const due = timers.filter(({ atMs }) => atMs <= end).sort((a, b) => a.atMs - b.atMs)[0];
        if (due === undefined) {
          nowMs = end;
          return;
        }
        nowMs = due.atMs;
        timers = timers.filter((one) => one !== due);
        due.then();
      }
    },
    timers: () => timers.length,
  };
}

t.test('a request with an owner does not wait', async (t) => {
  const { hear, wait, told, held } = scene();
  hear('there', 1);
  wait('one');
  t.strictSame(told, ['one to there 1']);
  t.equal(held.count, 0);
});

t.test('it waits for an owner, and while the partition is about to move', async (t) => {
  const { hear, wait, told, timers } = scene();
  wait('one');
  hear('there', 1, true);
  t.strictSame(told, []);
  hear('there', 2);
  t.strictSame(told, ['one to there 2']);
  t.equal(timers(), 0, 'nothing is left');
});

t.test('it waits for two seconds', async (t) => {
  const { wait, told, pass, held } = scene();
  wait('one', 5);
  pass(holdMs - 1);
  t.strictSame(told, []);
  pass(300);
  t.strictSame(told, ['one moved']);
  t.strictSame([held.count, held.bytes], [0, 0]);
});

t.test('whoever refused it is asked again after news, or a while', async (t) => {
  const { hear, wait, told, pass } = scene();
  hear('there', 1);
  wait('one', 0, { member: 'there', term: 1 });
  t.strictSame(told, []);
  hear('there', 1);
  t.strictSame(told, [], 'that was known');
  pass(250);
  t.strictSame(told, ['one to there 1']);
  wait('two', 0, { member: 'there', term: 1 });
  hear('other', 2);
  t.strictSame(told.at(-1), 'two to other 2');
});

t.test('so many wait, and so many bytes', async (t) => {
  const { wait, told, held } = scene();
  for (let i = 0; i < heldMax; i++) wait(`${i}`);
  t.strictSame(told, []);
  wait('one');
  t.strictSame(told, ['one overloaded']);
  t.equal(held.count, heldMax);
  const other = scene();
  const stop = other.wait('large', heldBytesMax - 1);
  other.wait('two', 2);
  t.strictSame(other.told, ['two overloaded']);
  stop();
  stop();
  t.strictSame([other.held.count, other.held.bytes], [0, 0]);
  other.wait('three', heldBytesMax);
  t.strictSame(other.told, ['two overloaded']);
});
