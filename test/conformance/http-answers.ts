// The answers: what goes out, how a slow reader holds it back, and what a handler's mistakes turn
// into.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Test } from 'tap';
import { quiet, type Serve, turns } from './http-served.ts';
import { ask, get, mebibyte, open, sized, untilClosed } from './http-wire.ts';

/** Answers, whole and streamed, and what becomes of them when a handler throws. */
export function answerTests(t: Test, serve: Serve): void {
  t.test('statuses, headers and bodies go out as given, in text and in bytes', async (t) => {
    const bytes = randomBytes(300_000);
    const { port } = await serve(t, (request, response) => {
      const headers: [string, string][] = [
        ['content-type', 'text/x'],
        ['set-cookie', 'a'],
        ['set-cookie', 'b'],
      ];
      if (request.path === '/text') response.send(418, headers, 'grüße');
      else if (request.path === '/bytes') response.send(507, headers, bytes);
      else response.send(Number(request.path.slice(1)), [['location', '/x']], '');
      return undefined;
    });
    const text = await ask(port, get('/text'));
    t.equal(text.status, 418);
    t.equal(text.body, 'grüße');
    t.equal(text.headers.get('content-type'), 'text/x');
    t.equal(text.head.match(/set-cookie: [ab]/gi)?.length, 2);
    t.ok(text.headers.get('date'));
    const large = await ask(port, get('/bytes'));
    t.equal(large.status, 507);
    t.ok(large.bytes.equals(bytes));
    t.equal((await ask(port, get('/302'))).headers.get('location'), '/x');
    for (const status of [204, 304]) {
      const client = await open(port);
      const none = await client.ask(get(`/${status}`));
      t.equal(none.status, status);
      t.notOk(none.headers.has('content-length'));
      t.equal((await client.ask(get('/200'))).status, 200, 'the connection goes on');
      client.socket.destroy();
    }
  });

  t.test('HEAD answers like GET without the body', async (t) => {
    const { port } = await serve(t, (request, response) => {
      if (request.path === '/stream') {
        response.begin(200, [['x-kind', 'stream']]);
        response.write('abc');
        response.end();
      } else response.send(200, [['x-kind', 'whole']], 'hello');
      return undefined;
    });
    const client = await open(port);
    const whole = await client.ask('HEAD / HTTP/1.1\r\nhost: h\r\n\r\n', true);
    t.equal(whole.headers.get('content-length'), '5');
    t.equal(whole.headers.get('x-kind'), 'whole');
    const stream = await client.ask('HEAD /stream HTTP/1.1\r\nhost: h\r\n\r\n', true);
    t.equal(stream.headers.get('x-kind'), 'stream');
    t.equal((await client.ask(get('/'))).body, 'hello', 'nothing was left on the connection');
    client.socket.destroy();
  });

  t.test('a streamed answer waits for a slow reader and keeps its memory', async (t) => {
    const piece = Buffer.alloc(65_536, 'x');
    const total = 64 * mebibyte;
    let written = 0;
    let waits = 0;
    let mostAhead = 0;
    let read = 0;
    const { port, server } = await serve(t, (_request, response) => {
      response.begin(200, [['content-type', 'text/csv']]);
      const more = (): void => {
        while (written < total && !response.aborted) {
          const room = response.write(piece);
          written += piece.length;
          mostAhead = Math.max(mostAhead, written - read);
          if (!room) {
            waits++;
            return;
          }
        }
        response.end();
      };
      response.onDrain(more);
      more();
      return undefined;
    });
    const socket = connect(port, '127.0.0.1');
    socket.write(get('/'));
    socket.pause();
    await turns(200);
    const aheadWhilePaused = written;
    t.ok(aheadWhilePaused < 24 * mebibyte, `stopped after ${aheadWhilePaused} bytes nobody read`);
    t.equal(server.inFlight, 1);
    let tail = '';
    socket.on('data', (chunk: Buffer) => {
      read += chunk.length;
      tail = (tail + chunk.subarray(-16).toString('latin1')).slice(-16);
      if (tail.endsWith('0\r\n\r\n') && written === total) socket.destroy();
    });
    socket.resume();
    await once(socket, 'close');
    t.equal(written, total);
    t.ok(waits > 0);
    t.ok(mostAhead < 24 * mebibyte, `never more than ${mostAhead} bytes ahead`);
    await quiet(server);
  });

  t.test('a large whole answer reaches a slow reader complete', async (t) => {
    const body = randomBytes(16 * mebibyte);
    const { port, server } = await serve(t, (_request, response) => {
      response.send(200, [], body);
      return undefined;
    });
    const client = await open(port);
    client.socket.pause();
    client.socket.write(get('/'));
    await turns(50);
    t.equal(server.inFlight, 1, 'in flight until it is taken');
    client.socket.resume();
    t.ok((await client.next()).bytes.equals(body));
    client.socket.destroy();
    await quiet(server);
  });

  t.test(
    'a throw in handler or sink is a 500 that tells nothing, and onError learns it',
    async (t) => {
      const { port, errors } = await serve(t, (request) => {
        if (request.path === '/handler') throw new Error('handler secret');
        return (): void | Promise<void> => {
          if (request.path === '/sink') throw new Error('sink secret');
          return Promise.reject(new Error('late secret'));
        };
      });
      for (const path of ['/handler', '/sink', '/late']) {
        for (const wire of [get(path), sized(Buffer.from('abc'), path)]) {
          const answer = await ask(port, wire);
          t.equal(answer.status, 500);
          t.same(JSON.parse(answer.body), { error: 'internal error', code: 'internal' });
        }
      }
      t.equal(errors.length, 6);
    },
  );

  t.test('a throw in the middle of a streamed answer cuts it off', async (t) => {
    const { port, errors, server } = await serve(t, (_request, response) => () => {
      response.begin(200, []);
      response.write('half');
      throw new Error('midway');
    });
    t.notMatch(await untilClosed(port, get('/')), /0\r\n\r\n$/);
    t.match(errors, [{ message: 'midway' }]);
    t.equal(server.inFlight, 0);
  });

  t.test(
    'a second answer and a header with a line break are bugs, thrown to the caller',
    async (t) => {
      const thrown: string[] = [];
      const attempt = (what: () => void): void => {
        try {
          what();
        } catch (error) {
          thrown.push((error as Error).name);
        }
      };
      const { port } = await serve(t, (_request, response) => {
        attempt(() => response.send(200, [['location', '/\r\nset-cookie: a']], ''));
        attempt(() => response.send(200, [['x-name', 'é']], ''));
        response.send(200, [], 'good');
        attempt(() => response.send(200, [], 'again'));
        attempt(() => response.begin(200, []));
        return undefined;
      });
      const answer = await ask(port, get('/'));
      t.equal(answer.body, 'good');
      t.notOk(answer.headers.has('set-cookie'));
      t.same(thrown, Array(4).fill('AssertionFailed'));
    },
  );
}
