import t from 'tap';
import { InsightQueue } from '../../actors/insight-queue.ts';
import type { InsightTurn } from '../../actors/insight-turn.ts';

const waitingOfOrgMax = 16;
const insightsWaitingMax = 64;
const insightLimitMs = 60_000;
const insightWaitMs = 30_000;

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
  /** Each app is of an org of its own, unless told. */
  const enter = (app: number, by = app, agency?: number) =>
    queue.enter(
      agency === undefined ? { by } : { by, agency },
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

t.test('an org has its places and no more, and is told when to come back', async (t) => {
  const { enter, refused, begun } = queueUnderTest();
  for (let n = 0; n <= waitingOfOrgMax; n++) enter(n, 1);
  t.same(refused, [], 'one is read, and sixteen wait, of whichever app');
  enter(99, 1);
  t.match(refused, [{ app: 99, code: 'overloaded', retryAfterSeconds: 5 }]);
  enter(7, 2);
  begun[0]?.turn.end();
  t.equal(begun[1]?.app, 7, 'another org is next');
});

t.test('no number of apps or clients fills the queue for another org', async (t) => {
  for (const agency of [undefined, 50]) {
    const { enter, refused, begun } = queueUnderTest();
    for (let client = 100; client < 200; client++)
      for (let n = 0; n < 3; n++)
        enter(client * 10 + n, agency === undefined ? 50 : client, agency);
    t.equal(refused.length, 300 - 1 - waitingOfOrgMax);
    enter(1, 1);
    t.equal(refused.length, 300 - 1 - waitingOfOrgMax, 'the other org waits');
    begun[0]?.turn.end();
    t.equal(begun[1]?.app, 1, 'and is next');
  }
});

t.test('a full queue makes room for who has nothing in it', async (t) => {
  const { enter, refused, begun } = queueUnderTest();
  enter(1);
  for (let org = 2; org <= 33; org++) for (let n = 0; n < 2; n++) enter(org);
  t.same(refused, [], `${insightsWaitingMax} wait`);
  enter(99);
  t.match(refused, [{ app: 33, code: 'overloaded', retryAfterSeconds: 5 }]);
  for (let n = 0; n < begun.length; n++) begun[n]?.turn.end();
  t.equal(begun.length, insightsWaitingMax + 1, 'everybody else had their turn');
});

t.test('apps take turns, however many of an app wait', async (t) => {
  const { enter, begun, apps } = queueUnderTest();
  for (const app of [1, 1, 1, 1, 2, 2, 3]) enter(app);
  for (let n = 0; n < begun.length; n++) begun[n]?.turn.end();
  t.same(apps(), [1, 2, 3, 1, 2, 1, 1]);
});

t.test('what takes too long is told to stop, and what ended in time is not', async (t) => {
  const { enter, timers, begun } = queueUnderTest();
  const limits = () => timers.filter(({ ms }) => ms === insightLimitMs);
  enter(1);
  enter(2);
  t.equal(limits().length, 1, 'waiting does not count');
  begun[0]?.turn.end();
  t.equal(limits()[0]?.forgotten, true);
  limits()[1]?.task();
  t.equal(begun[1]?.turn.stop.isSet, true);
  t.equal(begun[0]?.turn.stop.isSet, false);
});

t.test('whose turn does not come is refused, and those behind keep their places', async (t) => {
  const { enter, timers, begun, refused, apps } = queueUnderTest();
  for (const app of [1, 2, 3]) enter(app);
  const waits = timers.filter(({ ms }) => ms === insightWaitMs);
  t.same(
    waits.map(({ forgotten }) => forgotten),
    [true, false, false],
  );
  waits[1]?.task();
  t.match(refused, [{ app: 2, code: 'overloaded', retryAfterSeconds: 5 }]);
  begun[0]?.turn.end();
  t.same(apps(), [1, 3]);
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
