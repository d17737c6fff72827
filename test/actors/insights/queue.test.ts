import t from 'tap';
import {
  InsightQueue,
  type InsightTurn,
  insightLimitMs,
  insightsOfAppMax,
  insightsWaitingMax,
} from '../../../actors/insights/queue.ts';

function queueUnderTest() {
  const timers: { ms: number; task: () => void; forgotten: boolean }[] = [];
  const queue = new InsightQueue((ms, task) => {
    const timer = { ms, task, forgotten: false };
    timers.push(timer);
    return () => {
      timer.forgotten = true;
    };
  });
  const begun: { app: number; turn: InsightTurn }[] = [];
  const refused: { app: number; code: string; retryAfterSeconds: number | undefined }[] = [];
  const enter = (app: number) =>
    queue.enter(
      app,
      (turn) => begun.push({ app, turn }),
      ({ code, retryAfterSeconds }) => refused.push({ app, code, retryAfterSeconds }),
    );
  const apps = () => begun.map(({ app }) => app);
  return { queue, timers, begun, refused, enter, apps };
}

t.test('one insight is read at a time, in the order they came', async (t) => {
  const { enter, begun, apps, refused } = queueUnderTest();
  for (const app of [1, 2, 3]) enter(app);
  t.same(apps(), [1]);
  begun[0]?.turn.end();
  begun[0]?.turn.end();
  t.same(apps(), [1, 2], 'a turn ends once');
  begun[1]?.turn.end();
  begun[2]?.turn.end();
  enter(1);
  t.same(apps(), [1, 2, 3, 1]);
  t.same(refused, []);
});

t.test(
  'an app has its places and no more, and a full queue refuses with when to come back',
  async (t) => {
    const { enter, refused, apps, begun } = queueUnderTest();
    for (let n = 0; n <= insightsOfAppMax; n++) enter(1);
    t.match(refused, [{ app: 1, code: 'overloaded', retryAfterSeconds: 5 }]);
    for (let app = 2; app <= insightsWaitingMax + 1; app++) enter(app);
    t.equal(refused.length, 2, 'one more waits than there is room for');
    t.match(refused[1], { app: insightsWaitingMax + 1, code: 'overloaded', retryAfterSeconds: 5 });
    for (let n = 0; n < begun.length; n++) begun[n]?.turn.end();
    t.equal(apps().length, insightsWaitingMax + 1, 'everybody else had their turn');
  },
);

t.test('what takes too long is told to stop, and what ended in time is not', async (t) => {
  const { enter, timers, begun } = queueUnderTest();
  enter(1);
  enter(2);
  t.match(timers, [{ ms: insightLimitMs }], 'waiting does not count');
  begun[0]?.turn.end();
  t.equal(timers[0]?.forgotten, true);
  timers[1]?.task();
  t.equal(begun[1]?.turn.stop.isSet, true);
  t.equal(begun[0]?.turn.stop.isSet, false);
});

t.test('a stopping server stops the running one and refuses the others', async (t) => {
  const { enter, queue, begun, refused } = queueUnderTest();
  for (const app of [1, 2]) enter(app);
  queue.stop();
  enter(3);
  t.equal(begun[0]?.turn.stop.isSet, true);
  t.match(refused, [
    { app: 2, code: 'shutting_down' },
    { app: 3, code: 'shutting_down' },
  ]);
  begun[0]?.turn.end();
  t.equal(begun.length, 1);
});
