// In which tick of the event loop a request runs (`uws-server.ts`): over a library that stands in
// for the sockets, so that a test says what arrives in which tick.

import { deepEqual } from 'node:assert/strict';
import fc, { type Arbitrary } from 'fast-check';
import t from 'tap';
import type { Uws, UwsApp, UwsRequest, UwsResponse } from '../../../http/server/uws-library.ts';
import { createUwsServer } from '../../../http/server/uws-server.ts';

const smallBytes = 16 * 1024 - 1;
const largeBytes = 16 * 1024;
/** Ticks without a small request, after which all large ones run at once. */
const calmTicks = 64;

interface Front {
  /** Its body is whole at once. */
  arrive(name: string, bytes: number): void;
  /** Ends the tick; returns what ran in it, in order. */
  tick(): Promise<readonly string[]>;
}

function front(): Front {
  let receive: Parameters<UwsApp['any']>[1] = () => undefined;
  const app: UwsApp = {
    any: (_pattern, handler) => {
      receive = handler;
    },
    listen: () => undefined,
    close: () => undefined,
  };
  const ran: string[] = [];
  createUwsServer({ App: () => app } as unknown as Uws, {
    handler: (request, response) => () => {
      ran.push(request.path.slice(1));
      response.send(200, [], '');
    },
    onError: (error) => t.fail(String(error)),
  });
  return {
    arrive(name, bytes) {
      const { native, body } = responseOf();
      receive(native, requestOf(name, bytes));
      body(bytes);
    },
    async tick() {
      await new Promise((resolve) => setImmediate(resolve));
      return ran.splice(0);
    },
  };
}

function requestOf(name: string, bytes: number): UwsRequest {
  return {
    forEach: (take) => take('content-length', String(bytes)),
    getCaseSensitiveMethod: () => 'POST',
    getUrl: () => `/${name}`,
    getQuery: () => undefined,
  };
}

function responseOf(): { readonly native: UwsResponse; body(bytes: number): void } {
  let take: Parameters<UwsResponse['onData']>[0] = () => undefined;
  const nothing = () => undefined;
  const native: UwsResponse = {
    writeStatus: nothing,
    writeHeader: nothing,
    write: () => true,
    end: nothing,
    endWithoutBody: nothing,
    tryEnd: () => [true, true],
    cork: (write) => write(),
    close: nothing,
    onAborted: nothing,
    onData: (callback) => {
      take = callback;
    },
    onWritable: nothing,
    getRemoteAddress: () => new ArrayBuffer(4),
  };
  return { native, body: (bytes) => take(new ArrayBuffer(bytes), true) };
}

const names = (letter: string, count: number, from = 1) =>
  Array.from({ length: count }, (_, i) => `${letter}${from + i}`);

/** A small request, and its tick. */
async function endCalm(server: Front): Promise<void> {
  server.arrive('small', 1);
  t.same(await server.tick(), ['small']);
}

t.test('small requests run first, then one large one a tick, as they came', async (t) => {
  const server = front();
  for (const name of names('L', 3)) server.arrive(name, largeBytes);
  for (const name of names('s', 2)) server.arrive(name, smallBytes);
  t.same(await server.tick(), ['s1', 's2', 'L1']);
  server.arrive('L4', largeBytes);
  server.arrive('s3', smallBytes);
  t.same(await server.tick(), ['s3', 'L2'], 'a later small one passes those that wait');
  t.same(await server.tick(), ['L3']);
  t.same(await server.tick(), ['L4']);
  t.same(await server.tick(), []);
});

t.test('of a long queue a tick runs a sixteenth, so that few wait long', async (t) => {
  const server = front();
  await endCalm(server);
  for (const name of names('L', 40)) server.arrive(name, largeBytes);
  t.same(await server.tick(), names('L', 3));
  t.same(await server.tick(), names('L', 3, 4));
  t.same(await server.tick(), names('L', 3, 7));
  t.same(await server.tick(), names('L', 2, 10), 'of the 31 that are left');
});

t.test('a server that has just started runs all large ones at once', async (t) => {
  const server = front();
  for (const name of names('L', 5)) server.arrive(name, largeBytes);
  t.same(await server.tick(), names('L', 5));
});

t.test('after 64 ticks without a small request all large ones run at once', async (t) => {
  for (const [ticks, runs] of [
    [calmTicks - 2, 1],
    [calmTicks - 1, 5],
  ] as const) {
    const server = front();
    await endCalm(server);
    for (const name of names('alone', ticks)) {
      server.arrive(name, largeBytes);
      t.same(await server.tick(), [name]);
    }
    for (const name of names('L', 5)) server.arrive(name, largeBytes);
    t.same(await server.tick(), names('L', runs), `after ${ticks} ticks`);
  }
});

t.test('a small request ends the calm', async (t) => {
  const server = front();
  server.arrive('s1', smallBytes);
  for (const name of names('L', 2)) server.arrive(name, largeBytes);
  t.same(await server.tick(), ['s1', 'L1']);
  t.same(await server.tick(), ['L2']);
});

/** What arrives, by tick: bodies in bytes. */
const arrivals: Arbitrary<readonly (readonly number[])[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.array(fc.constant(largeBytes), { maxLength: 40 }) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(1, smallBytes, largeBytes, 40_000)) },
  ),
  { maxLength: 200, size: 'max' },
);

t.test('each request runs once, small ones in their tick, large ones in their order', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, async (ticks) => {
      const server = front();
      const waiting: string[] = [];
      let calm = calmTicks;
      let made = 0;
      const runTick = async (bodies: readonly number[]) => {
        const wanted: string[] = [];
        for (const bytes of bodies) {
          const name = `${made++}`;
          server.arrive(name, bytes);
          (bytes < largeBytes ? wanted : waiting).push(name);
        }
        // A tick in which nothing waits is none.
        if (wanted.length > 0) calm = 0;
        else if (waiting.length > 0) calm++;
        const count = calm < calmTicks ? Math.ceil(waiting.length / 16) : waiting.length;
        wanted.push(...waiting.splice(0, count));
        deepEqual(await server.tick(), wanted);
      };
      for (const bodies of ticks) await runTick(bodies);
      while (waiting.length > 0) await runTick([]);
    }),
    { numRuns: 20 },
  );
});
