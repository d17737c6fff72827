// A refusal because of a limit, told to one of the threads that share an account.

import t from 'tap';
import { SharedWorld } from './shared-world.ts';

const accepted = { outcome: 'accepted' } as const;

async function started(people: number) {
  const world = await SharedWorld.open(people);
  await world.campaign();
  for (const thread of [0, 1]) while (world.grant(thread));
  const callsOf = (thread: number) => world.open.filter((one) => one.thread === thread).length;
  return { world, callsOf };
}

t.test('after a refusal in one thread the other begins nothing, without a message', async (t) => {
  const { world, callsOf } = await started(300);
  t.same([callsOf(0), callsOf(1)], [28, 28]);
  const called = world.called.length;
  const first = (thread: number) => world.open.findIndex((call) => call.thread === thread);
  await world.answer(first(0), { outcome: 'rate', reason: 'throttled' });
  await world.answer(first(1), accepted);
  t.equal(world.called.length, called, 'no row took their places');
  for (const thread of [0, 1]) while (await world.task(thread));
  const back = world.threads.map(({ reports }) => reports.length);
  t.ok(
    back.every((count) => count > 0),
    'what waited comes back from both',
  );
});

t.test('nothing begins in either thread until one call finds out', async (t) => {
  const { world } = await started(300);
  await world.answer(0, { outcome: 'rate', reason: 'throttled' });
  const called = world.called.length;
  while (world.open.length > 0) await world.answer(0, accepted);
  for (let round = 0; round < 3; round++)
    for (const thread of [0, 1]) {
      while (await world.task(thread));
      while (await world.report(thread));
      while (world.grant(thread));
    }
  t.equal(world.called.length, called, 'nothing begins within the pause');
  await world.pass(31_000);
  for (const thread of [0, 1]) while (world.grant(thread));
  t.equal(world.called.length, called + 1, 'then one call finds out');
});
