// One reader's stream over feeds that the test moves: the newest alone, the comment that keeps it
// open, and what ends it.

import t from 'tap';
import { notFound } from '../../../actors/faults.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { LiveFeed, type Reading } from '../../../http/live/feed.ts';
import { LiveStream } from '../../../http/live/live-stream.ts';
import { testClock } from '../../support/partition.ts';

const log = { error: () => undefined } as never;

/** A feed whose reads the test answers. */
function scene(options: { readonly afterSeq?: number } = {}) {
  const clock = testClock(0);
  let idle = 0;
  let reads = 0;
  let serving = true;
  let over = 0;
  let reading: Reading;
  const feed = new LiveFeed(
    async () => {
      reads++;
      return reading;
    },
    () => true,
    log,
    () => idle++,
  );
  const stream = new LiveStream({
    clock,
    followed: [{ topic: 'limits', event: 'limits', feed }],
    untilMs: 900_000,
    afterSeq: options.afterSeq,
    isServing: () => serving,
    onOver: () => over++,
  });
  return {
    clock,
    feed,
    stream,
    read: (next: Reading) => {
      reading = next;
    },
    stopServing: () => {
      serving = false;
    },
    count: () => ({ idle, reads, over }),
  };
}

const state = (value: number): Reading => ({
  kind: 'state',
  json: `{"n":${value}}`,
  key: `${value}`,
});
const rows = (from: number, to: number, leftOut = 0): Reading => ({
  kind: 'tail',
  leftOut,
  rows: Array.from({ length: to - from + 1 }, (_, nth) => ({
    seq: from + nth,
    json: `${from + nth}`,
  })),
});

async function text(stream: LiveStream): Promise<string> {
  const { value, done } = await stream.next();
  return done ? 'over' : value;
}

t.test('a reader who pauses gets the newest state, not what was between', async (t) => {
  const { stream, read, feed } = scene();
  read(state(1));
  t.equal(await text(stream), 'retry: 3000\n\n');
  t.equal(await text(stream), 'event: limits\ndata: {"n":1}\n\n');
  for (const value of [2, 3, 4]) {
    feed.json = `{"n":${value}}`;
    feed.version++;
  }
  t.equal(await text(stream), 'event: limits\ndata: {"n":4}\n\n');
  stream.stop();
  t.equal(await text(stream), 'over');
});

t.test('a tail counts what a slow reader missed', async (t) => {
  const { stream, read, feed } = scene();
  read(rows(1, 2));
  await stream.next();
  const first = 'event: limits\nid: 2\ndata: {"topic":"limits","items":[1,2],"leftOut":0}\n\n';
  t.equal(await text(stream), first);
  feed.rows = Array.from({ length: 50 }, (_, nth) => ({ seq: 63 + nth, json: `${63 + nth}` }));
  feed.total += 110;
  const next = await text(stream);
  t.match(next, /^event: limits\nid: 112\n/);
  t.match(next, /"leftOut":60\}/);
  stream.stop();
});

t.test('a reader who comes back gets what is new, or hears of the gap', async (t) => {
  const back = scene({ afterSeq: 2 });
  back.read(rows(1, 3));
  await back.stream.next();
  t.match(await text(back.stream), '"items":[3],"leftOut":0');
  back.stream.stop();
  const late = scene({ afterSeq: 2 });
  late.read(rows(100, 149));
  await late.stream.next();
  t.match(await text(late.stream), /^event: reset\ndata: \{"topic":"limits"\}\n\nevent: limits\n/);
  late.stream.stop();
});

t.test('a comment is sent after fifteen seconds without news', async (t) => {
  const { stream, clock } = scene();
  await stream.next();
  clock.nowMs += 15_000;
  t.equal(await text(stream), ': still here\n\n');
  stream.stop();
});

t.test('it ends with its time, with the server, and when it is stopped', async (t) => {
  const timed = scene();
  await timed.stream.next();
  timed.clock.nowMs += 900_000;
  t.equal(await text(timed.stream), 'over');
  t.same(timed.count(), { idle: 1, reads: 1, over: 1 });
  const served = scene();
  await served.stream.next();
  served.stopServing();
  t.equal(await text(served.stream), 'over');
  const stopped = scene();
  await stopped.stream.next();
  const waiting = text(stopped.stream);
  stopped.stream.stop();
  stopped.stream.stop();
  t.equal(await waiting, 'over', 'also while it waits');
  t.equal(stopped.count().over, 1);
});

t.test('two readers share one read', async (t) => {
  const { feed, read, count } = scene();
  read(state(1));
  const wakes: string[] = [];
  const ends = ['one', 'two'].map((name) => feed.follow(() => wakes.push(name)));
  await new Promise((resolve) => setImmediate(resolve));
  t.same(wakes, ['one', 'two']);
  t.equal(count().reads, 1);
  for (const end of ends) end();
  t.equal(count().idle, 1);
});

t.test('what is gone is said once, and read no more', async (t) => {
  let reads = 0;
  const feed = new LiveFeed(
    async () => {
      reads++;
      throw new FaultError(notFound('campaign'));
    },
    () => true,
    log,
    () => undefined,
  );
  const end = feed.follow(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  t.match(feed.gone, { code: 'not_found' });
  t.equal(reads, 1);
  end();
});

t.test(
  'one unit of the standard lane pays for sixty reads, and without one none is read',
  async (t) => {
    let [reads, units, room] = [0, 0, 2];
    const pay = () => {
      if (room === 0) return false;
      room--;
      units++;
      return true;
    };
    const feed = new LiveFeed(
      async () => void reads++,
      pay,
      log,
      () => undefined,
    );
    // Each reader who comes has it read at once.
    const comes = async () => {
      feed.follow(() => undefined)();
      await new Promise((resolve) => setImmediate(resolve));
    };
    for (let n = 0; n < 130; n++) await comes();
    t.same({ reads, units }, { reads: 120, units: 2 });
    room = 1;
    await comes();
    t.same({ reads, units }, { reads: 121, units: 3 });
  },
);
