// Commits in flight: settled in order, watched, and ended by the first failure.

import t from 'tap';
import { CommitQueue } from '../../storage/commit-queue.ts';

interface Handle {
  readonly written: Promise<void>;
  resolve(): void;
  reject(error: Error): void;
}

function handle(): Handle {
  let resolve = () => {};
  let reject = (_: Error) => {};
  const written = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { written, resolve, reject };
}

const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

t.test('a later commit that is written first waits for the earlier one', async (t) => {
  const queue = new CommitQueue(60_000, t.fail);
  const settled: number[] = [];
  const [one, two] = [handle(), handle()];
  queue.push(one.written, () => settled.push(1));
  queue.push(two.written, () => settled.push(2));
  two.resolve();
  await turnOfLoop();
  t.same(settled, []);
  t.equal(queue.length, 2);
  one.resolve();
  await queue.idle();
  t.same(settled, [1, 2]);
  t.equal(queue.length, 0);
});

t.test('a rejection is fatal once, with its reason, and nothing settles afterwards', async (t) => {
  const fatal: Error[] = [];
  const queue = new CommitQueue(60_000, (error) => fatal.push(error));
  const [one, two, three] = [handle(), handle(), handle()];
  for (const { written } of [one, two, three]) queue.push(written, () => t.fail('acknowledged'));
  const reason = Promise.reject(new Error('Input/output error'));
  one.reject(Object.assign(new Error('Commit failed'), { commitError: reason }));
  two.resolve();
  three.reject(new Error('also'));
  await turnOfLoop();
  await turnOfLoop();
  t.equal(queue.failed, true);
  t.equal(fatal.length, 1);
  t.match(fatal[0]?.message, /only a restart can show/);
  t.match(fatal[0]?.cause, /Input\/output error/);
  await queue.idle();
});

t.test('a rejection whose reason never comes is fatal all the same', async (t) => {
  const fatal: Error[] = [];
  const queue = new CommitQueue(60_000, (error) => fatal.push(error));
  const one = handle();
  queue.push(one.written, t.fail);
  one.reject(Object.assign(new Error('Commit failed'), { commitError: new Promise(() => {}) }));
  await turnOfLoop();
  await turnOfLoop();
  t.match(fatal[0]?.cause, /Commit failed/);
});

t.test('a commit that does not settle within the limit is fatal', async (t) => {
  const error = await new Promise<Error>((resolve) => {
    const queue = new CommitQueue(50, resolve);
    queue.push(new Promise(() => {}), t.fail);
  });
  t.match(error.message, /did not finish within 50 ms/);
});

t.test('each commit has the limit to itself', async (t) => {
  // Thirty commits of a few milliseconds, back to back, take longer than the limit together.
  const queue = new CommitQueue(100, t.fail);
  const settled: number[] = [];
  for (let i = 0; i < 30; i++) {
    const next = handle();
    queue.push(next.written, () => settled.push(i));
    setTimeout(next.resolve, 5);
    await next.written;
  }
  await queue.idle();
  t.equal(settled.length, 30);
});

t.test('a callback that throws is fatal: what it was told cannot be untold', async (t) => {
  const fatal: string[] = [];
  const queue = new CommitQueue(60_000, (error) => fatal.push(error.message));
  const one = handle();
  queue.push(one.written, () => {
    throw new Error('a bug');
  });
  one.resolve();
  await turnOfLoop();
  t.same(fatal, ['a bug']);
  t.equal(queue.failed, true);
});
