// How a server begins and ends: its listeners, and stopping without cutting off whoever is being
// served.

import { once } from 'node:events';
import type { Test } from 'tap';
import type { HttpHandler } from '../../http/server/exchange.ts';
import { type MakeServer, type Serve, turns } from './http-served.ts';
import { ask, get, open, untilClosed } from './http-wire.ts';

/** Listeners, `close` and `drain`. */
export function listeningTests(t: Test, serve: Serve, make: MakeServer): void {
  t.test('a second listener on the port is refused, several ports share the handler', async (t) => {
    const handler: HttpHandler = (_request, response) => {
      response.send(200, [], 'same');
      return undefined;
    };
    const { port, server } = await serve(t, handler);
    const other = make({ handler, onError: () => undefined });
    t.teardown(() => other.drain(0));
    await t.rejects(other.listen('127.0.0.1', port), {
      message: /cannot listen on 127.0.0.1:\d+: /,
    });
    const second = await server.listen('127.0.0.1', 0);
    t.not(second, port);
    t.equal((await ask(second, get('/'))).body, 'same');
    t.equal((await ask(port, get('/'))).body, 'same');
  });

  t.test('close refuses newcomers and serves those that are connected', async (t) => {
    const { port, server } = await serve(t, (_request, response) => {
      response.send(200, [], 'ok');
      return undefined;
    });
    const client = await open(port);
    // Node closes idle connections as it stops listening, so this one has to be in the middle of a
    // request.
    client.socket.write('GET / HTTP/1.1\r\n');
    await turns(20);
    server.close();
    t.equal((await client.ask('host: h\r\n\r\n')).body, 'ok');
    client.socket.destroy();
    await t.rejects(open(port), { code: 'ECONNREFUSED' });
  });

  t.test('drain waits for the requests in flight, then closes idle connections', async (t) => {
    const waiting: (() => void)[] = [];
    const { port, server } = await serve(t, (_request, response) => {
      waiting.push(() => response.send(200, [], 'done'));
      return undefined;
    });
    const idle = await open(port);
    const busy = await open(port);
    const answer = busy.ask(get('/'));
    while (waiting.length === 0) await turns(1);
    let drained: boolean | undefined;
    const drain = server.drain(5_000).then((all) => (drained = all));
    await turns(20);
    t.equal(drained, undefined);
    for (const go of waiting) go();
    const answered = await answer;
    t.equal(answered.body, 'done');
    t.equal(answered.headers.get('connection')?.toLowerCase(), 'close');
    await drain;
    t.equal(drained, true);
    if (!idle.socket.closed) await once(idle.socket, 'close');
    await t.rejects(open(port), { code: 'ECONNREFUSED' });
  });

  t.test('drain gives up after its time and says so', async (t) => {
    let aborted = 0;
    const { port, server } = await serve(t, (_request, response) => {
      response.onAborted(() => aborted++);
      return undefined;
    });
    const closed = untilClosed(port, get('/'));
    while (server.inFlight === 0) await turns(1);
    t.equal(await server.drain(20), false);
    t.equal(await closed, '');
    while (server.inFlight > 0) await turns(1);
    t.equal(aborted, 1);
  });
}
