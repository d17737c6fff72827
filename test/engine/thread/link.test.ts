// Frames between threads: order, bodies, and when a frame leaves.

import fc from 'fast-check';
import t from 'tap';
import { BodyBuffers, bodyBuffers } from '../../../engine/thread/body-buffers.ts';
import { inlinePorts, Link } from '../../../engine/thread/link.ts';
import { tries } from '../../support/tries.ts';

function pair() {
  const arriving: (() => void)[] = [];
  const deferred: (() => void)[] = [];
  const [near, far] = inlinePorts((deliver) => arriving.push(deliver));
  const received: [unknown, number[] | undefined][] = [];
  const sender = new Link<unknown, never>(
    near,
    () => undefined,
    (flush) => deferred.push(flush),
  );
  new Link<never, unknown>(far, (item, bytes) => received.push([item, bytes && [...bytes]]));
  const run = (tasks: (() => void)[]) => {
    for (const task of tasks.splice(0)) task();
  };
  return { sender, received, arriving, endTick: () => run(deferred), arrive: () => run(arriving) };
}

t.test('what is sent in one tick crosses as one frame at its end', async (t) => {
  const { sender, received, arriving, endTick, arrive } = pair();
  for (let i = 0; i < 5; i++) sender.send(i);
  t.equal(arriving.length, 0);
  endTick();
  t.equal(arriving.length, 1);
  arrive();
  t.same(
    received.map(([item]) => item),
    [0, 1, 2, 3, 4],
  );
});

t.test('a full frame leaves before its tick ends, and the rest with it', async (t) => {
  const { sender, received, arriving, endTick, arrive } = pair();
  for (let i = 0; i < 70; i++) sender.send(i);
  t.equal(arriving.length, 2, 'two of 32');
  endTick();
  t.equal(arriving.length, 3);
  t.same([sender.frames, sender.sent], [3, 70]);
  arrive();
  t.same(
    received.map(([item]) => item),
    Array.from({ length: 70 }, (_, i) => i),
  );
  sender.send('next');
  endTick();
  arrive();
  t.equal(received.length, 71, 'the next tick is armed again');
});

t.test('bodies of any size arrive whole with their items', async () => {
  const body = fc.option(
    fc.uint8Array({ maxLength: 40 }).map((bytes) => bytes.slice()),
    { nil: undefined },
  );
  fc.assert(
    fc.property(
      fc.array(body, { maxLength: 80 }),
      fc.integer({ min: 0, max: 79 }),
      (bodies, large) => {
        const { sender, received, endTick, arrive } = pair();
        const sent = bodies.map((bytes, i) =>
          i === large ? new Uint8Array(40_000).fill(i) : bytes,
        );
        const kept = sent.map((bytes) => bytes && [...bytes]);
        for (const [i, bytes] of sent.entries()) sender.send(i, bytes);
        endTick();
        arrive();
        return (
          received.length === sent.length &&
          received.every(
            ([item, bytes], i) => item === i && JSON.stringify(bytes) === JSON.stringify(kept[i]),
          )
        );
      },
    ),
    { seed: 3, numRuns: tries(200) },
  );
});

t.test(
  'the buffer of a large body goes back with the next frame, and is filled again',
  async (t) => {
    const [near, far] = inlinePorts((deliver) => deliver());
    const now = (flush: () => void) => flush();
    const seen: number[][] = [];
    const answering: Link<string, string> = new Link(
      far,
      (item, bytes) => {
        if (bytes !== undefined) {
          seen.push([bytes.byteLength, bytes[0] as number, bytes.at(-1) as number]);
          answering.giveBack(bytes);
        }
        answering.send(`${item} was read`);
      },
      now,
    );
    const answers: string[] = [];
    const asking = new Link<string, string>(near, (item) => answers.push(item), now);
    const body = (length: number, fill: number) =>
      bodyBuffers.take(length).fill(fill).subarray(0, length);

    const first = body(40_000, 1);
    asking.send('first', first);
    t.equal(first.byteLength, 0, 'it is the other thread’s now');
    t.same(answers, ['first was read']);
    const second = bodyBuffers.take(50_000);
    t.equal(second.buffer.byteLength, 65_536, 'of the same class');
    t.equal(second[0], 1, 'the very buffer, with what was in it');
    asking.send('second', second.fill(2).subarray(0, 50_000));
    asking.send('small', body(100, 3));
    t.same(seen, [
      [40_000, 1, 1],
      [50_000, 2, 2],
      [100, 3, 3],
    ]);
  },
);

t.test('spare buffers are bounded, and those of odd sizes are not kept', async (t) => {
  const buffers = new BodyBuffers();
  for (let i = 0; i < 100; i++) buffers.give(new Uint8Array(1024 * 1024).fill(7).buffer);
  let kept = 0;
  while (buffers.take(1024 * 1024)[0] === 7) kept++;
  t.equal(kept, 16);
  for (const odd of [16_384, 40_000, 2_097_152]) buffers.give(new Uint8Array(odd).fill(7).buffer);
  for (const size of [16_384, 40_000, 2_097_152]) {
    const taken = buffers.take(size);
    t.ok(taken.byteLength >= size);
    t.not(taken.fill(0)[0], 7);
  }
});
