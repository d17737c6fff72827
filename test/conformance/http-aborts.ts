// Clients that go, at any byte. Nothing may stay in flight after them, and nothing of them is an
// error.

import { once } from 'node:events';
import { connect } from 'node:net';
import type { Test } from 'tap';
import { below, seededRng } from '../../engine/base/rng.ts';
import { quiet, type Serve, turns } from './http-served.ts';
import { ask, chunked, get, sized } from './http-wire.ts';

/** Clients that leave before they have their answer. */
export function abortTests(t: Test, serve: Serve): void {
  t.test('a client that goes is told of, and answering it is a no-op', async (t) => {
    let arrived: () => void = () => undefined;
    const arrival = new Promise<void>((resolve) => (arrived = resolve));
    const told: string[] = [];
    let late: (() => void) | undefined;
    const { port, server } = await serve(t, (_request, response) => {
      response.onAborted(() => told.push('first'));
      response.onAborted(() => told.push('second'));
      late = () => {
        response.send(200, [], 'nobody');
        response.begin(200, []);
        t.ok(response.write('x'));
        response.end();
        response.onAborted(() => told.push('at once'));
        t.ok(response.aborted && response.done);
      };
      arrived();
      return undefined;
    });
    const socket = connect(port, '127.0.0.1');
    socket.write(get('/'));
    await arrival;
    t.equal(server.inFlight, 1);
    socket.destroy();
    await quiet(server);
    late?.();
    t.same(told, ['first', 'second', 'at once']);
  });

  t.test('a thousand clients that go at any byte leave nothing behind', async (t) => {
    const rng = seededRng(20, 'aborts');
    const { port, server, errors } = await serve(t, (request, response) => {
      const answer = () => {
        if (request.path === '/now') response.send(200, [], 'x'.repeat(100_000));
        else setImmediate(() => response.send(200, [], 'x'));
      };
      if (request.path !== '/head') return answer;
      answer();
      return undefined;
    });
    const requests = ['/now', '/later', '/head'].flatMap((path) => [
      Buffer.from(get(path)),
      sized(Buffer.alloc(3_000, 'b'), path),
      chunked(Buffer.alloc(3_000, 'b'), 700, path),
    ]);
    const abort = async (): Promise<void> => {
      const wire = requests[below(rng, requests.length)] as Buffer;
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      const cut = below(rng, wire.length + 1);
      socket.write(wire.subarray(0, cut));
      await turns(below(rng, 4));
      if (below(rng, 2) === 0) socket.resetAndDestroy();
      else socket.destroy();
      await once(socket, 'close');
    };
    for (let round = 0; round < 50; round++) await Promise.all(Array.from({ length: 20 }, abort));
    await quiet(server);
    t.same(errors, []);
    t.equal((await ask(port, get('/later'))).body, 'x', 'still serves');
  });
}
