// What every HTTP server behind http/exchange.ts must do, told over real loopback sockets so that nothing between
// the bytes and the handler is assumed. Raw sockets, not an HTTP client: clients mend what is being tested.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Test } from 'tap';
import { below, seededRng } from '../../engine/base/rng.ts';
import type { HttpHandler, HttpServer, HttpServerOptions } from '../../http/exchange.ts';

const mebibyte = 1_048_576;

/** Makes a fresh server of the implementation under test. */
export type MakeServer = (options: HttpServerOptions) => HttpServer;

/** Runs the whole suite against one implementation. */
export function httpServerSuite(t: Test, make: MakeServer): void {
  /** A server on a free port, closed when the test ends; `errors` collects what `onError` was told. */
  async function serve(t: Test, handler: HttpHandler, more: Partial<HttpServerOptions> = {}) {
    const errors: unknown[] = [];
    const server = make({ handler, onError: (error) => errors.push(error), ...more });
    const port = await server.listen('127.0.0.1', 0);
    t.teardown(() => server.drain(0));
    return { server, port, errors };
  }

  t.test('the handler sees method, path and query as they were sent', async (t) => {
    const { port } = await serve(t, (request, response) => {
      response.send(200, [], JSON.stringify([request.method, request.path, request.query]));
      return undefined;
    });
    const client = await open(port);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await client.ask(
        `${method} /a%20b/../c//d?x=1&y=%20?z HTTP/1.1\r\nhost: h\r\n\r\n`,
      );
      t.same(JSON.parse(answer.body), [method, '/a%20b/../c//d', 'x=1&y=%20?z']);
    }
    const bare = await client.ask(get('/'));
    t.same(JSON.parse(bare.body), ['GET', '/', '']);
    client.socket.destroy();
  });

  t.test(
    'headers are read by lower-case name, repeated ones joined, absent ones empty',
    async (t) => {
      const { port } = await serve(t, (request, response) => {
        const names = ['authorization', 'x-forwarded-for', 'x-none', 'x-empty', 'x-utf8'];
        setImmediate(() =>
          response.send(200, [], JSON.stringify(names.map((n) => request.header(n)))),
        );
        return undefined;
      });
      const client = await open(port);
      const answer = await client.ask(
        'GET / HTTP/1.1\r\nhost: h\r\nAuthorization: Bearer a\r\nX-Forwarded-For: 1.1.1.1\r\nx-empty:\r\n' +
          'x-utf8: aéb\r\nx-forwarded-for:  2.2.2.2, 3.3.3.3 \r\n\r\n',
      );
      t.same(JSON.parse(answer.body), ['Bearer a', '1.1.1.1, 2.2.2.2, 3.3.3.3', '', '', 'aéb']);
      client.socket.destroy();
    },
  );

  t.test('a head of 7 KiB passes, one of 20 KiB or of more than 98 headers does not', async (t) => {
    let calls = 0;
    const { port } = await serve(t, (request, response) => {
      calls++;
      response.send(200, [], String(request.header('x-long').length));
      return undefined;
    });
    const long = await oneShot(port, get('/', `x-long: ${'a'.repeat(7_000)}\r\n`));
    t.match(long, /\r\n\r\n7000$/);
    t.match(await oneShot(port, get('/', `x-long: ${'a'.repeat(20_000)}\r\n`)), /^HTTP\/1.1 431 /);
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => `x-${i}: y\r\n`).join('');
    t.match(await oneShot(port, get('/', many(96))), /^HTTP\/1.1 200 /);
    t.match(await oneShot(port, get('/', many(120))), /^HTTP\/1.1 431 /);
    t.equal(calls, 2);
  });

  t.test('the address of the peer is plain text, also on an IPv6 listener', async (t) => {
    const { server, port } = await serve(t, (request, response) => {
      response.send(200, [], request.remoteAddress);
      return undefined;
    });
    t.equal((await ask(port, get('/'))).body, '127.0.0.1');
    const six = await server.listen('::', 0).catch(() => undefined);
    if (six !== undefined) t.equal((await ask(six, get('/'))).body, '127.0.0.1');
  });

  t.test('bodies arrive whole up to the bound, and one byte more is a 413', async (t) => {
    const bodies: Buffer[] = [];
    const { port, server } = await serve(t, (_request, response) => (body) => {
      bodies.push(body);
      response.send(200, [], String(body.length));
    });
    const noise = randomBytes(mebibyte + 1);
    for (const size of [0, 1, 198, 65_536, 70_001, mebibyte]) {
      const body = noise.subarray(0, size);
      for (const wire of [sized(body), chunked(body, 50_000)]) {
        const answer = await ask(port, wire);
        t.equal(answer.status, 200);
        t.equal(answer.body, String(size));
        t.ok(bodies.pop()?.equals(body), `${size} bytes are the same bytes`);
      }
    }
    const calls = bodies.length;
    for (const wire of [sized(noise), chunked(noise, 50_000)]) {
      const answer = await ask(port, wire);
      t.equal(answer.status, 413);
      t.same(JSON.parse(answer.body), {
        error: 'the body is larger than 1048576 bytes',
        code: 'body_too_large',
      });
    }
    t.equal(bodies.length, calls, 'a body that is too long is never handed over');
    t.equal(server.inFlight, 0);
  });

  t.test('a declared length beyond the bound is refused before the body is sent', async (t) => {
    const { port } = await serve(t, () => () => undefined);
    const client = await open(port);
    const head = `POST / HTTP/1.1\r\nhost: h\r\ncontent-length: ${mebibyte + 1}\r\n\r\n`;
    t.equal((await client.ask(head)).status, 413);
    client.socket.destroy();
    const endless = 'POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 99999999999\r\n\r\n';
    const text = await untilClosed(port, endless);
    t.match(text, /^HTTP\/1.1 413 /);
    t.match(text, /connection: close/i);
  });

  t.test('a refusal is worded by the caller, and with plain words when that fails', async (t) => {
    let broken = false;
    const { port, errors } = await serve(t, () => () => undefined, {
      refuse: (refusal, request) => {
        if (broken) throw new Error('no words');
        const id: [string, string] = ['x-request-id', request?.header('x-request-id') ?? ''];
        return { status: refusal.status, headers: [id], body: `no: ${refusal.code}` };
      },
    });
    const head =
      'POST / HTTP/1.1\r\nhost: h\r\nx-request-id: r1\r\ncontent-length: 2000000\r\n\r\n';
    const answer = await ask(port, head);
    t.equal(answer.body, 'no: body_too_large');
    t.equal(answer.headers.get('x-request-id'), 'r1');
    broken = true;
    t.match((await ask(port, head)).body, /"code":"body_too_large"/);
    t.match(errors, [{ message: 'no words' }]);
  });

  t.test(
    'a handler refuses before the body, which is thrown away, and the connection goes on',
    async (t) => {
      const { port } = await serve(t, (request, response) => {
        if (request.path === '/no') response.send(401, [], 'no');
        else response.send(200, [], 'next');
        return undefined;
      });
      const client = await open(port);
      const refused = await client.ask(
        'POST /no HTTP/1.1\r\nhost: h\r\ncontent-length: 10\r\n\r\nabc',
      );
      t.equal(refused.status, 401);
      client.socket.write('defghij');
      t.equal((await client.ask(get('/'))).body, 'next');
      client.socket.destroy();
      const text = await untilClosed(
        port,
        `POST /no HTTP/1.1\r\nhost: h\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
      );
      t.match(text, /^HTTP\/1.1 401 /);
    },
  );

  t.test('the body of a GET is thrown away and its sink gets no bytes', async (t) => {
    const { port } = await serve(t, (_request, response) => (body) => {
      response.send(200, [], String(body.length));
    });
    const client = await open(port);
    const answer = await client.ask('GET / HTTP/1.1\r\nhost: h\r\ncontent-length: 5\r\n\r\nhello');
    t.equal(answer.body, '0');
    t.equal((await client.ask(get('/'))).body, '0');
    client.socket.destroy();
  });

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

  t.test('requests of one connection are answered in order, pipelined ones too', async (t) => {
    const { port } = await serve(t, (request, response) => {
      response.send(200, [], request.path);
      return undefined;
    });
    const client = await open(port);
    const paths = Array.from({ length: 20 }, (_, i) => `/${i}`);
    client.socket.write(paths.map((path) => get(path)).join(''));
    for (const path of paths) t.equal((await client.next()).body, path);
    for (const path of paths) t.equal((await client.ask(get(path))).body, path);
    client.socket.destroy();
  });

  t.test(
    'answers given later are never mixed up by pipelining: in order, or the connection ends',
    async (t) => {
      const { port, server } = await serve(t, (request, response) => {
        setImmediate(() => response.send(200, [], request.path));
        return undefined;
      });
      const text = await untilClosed(
        port,
        `${get('/1')}${get('/2')}${get('/3', 'connection: close\r\n')}`,
      );
      const bodies = [...text.matchAll(/\r\n\r\n(\/\d)/g)].map((found) => found[1]);
      t.same(bodies, ['/1', '/2', '/3'].slice(0, bodies.length));
      t.equal(server.inFlight, 0);
    },
  );

  t.test(
    'what two readers could read differently gets one refusal, or the end, and no second request',
    async (t) => {
      const seen: string[] = [];
      const { port, server } = await serve(t, (request, response) => {
        seen.push(request.path);
        return () => response.send(200, [], 'taken');
      });
      for (const [name, request] of Object.entries(ambiguous)) {
        seen.length = 0;
        const text = await untilClosed(port, `${request}GET /smuggled HTTP/1.1\r\nhost: h\r\n\r\n`);
        const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((found) => found[1]);
        t.ok(statuses.length <= 1, `${name}: at most one answer`);
        t.ok(
          statuses.every((status) => status === '400'),
          `${name}: refused, not ${statuses}`,
        );
        t.notOk(seen.includes('/smuggled'), `${name}: nothing smuggled`);
      }
      t.equal(server.inFlight, 0);
    },
  );

  t.test(
    'a connection that carried chunks serves nothing that was hidden behind them',
    async (t) => {
      const seen: string[] = [];
      const { port } = await serve(t, (request, response) => {
        seen.push(request.path);
        return () => {
          setImmediate(() => response.send(200, [], request.path));
        };
      });
      const extended =
        'POST /first HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n' +
        '3\r\nabcd\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nhost: h\r\n\r\n';
      const text = await untilClosed(port, extended);
      t.ok((text.match(/HTTP\/1\.1 /g) ?? []).length <= 1);
      t.notMatch(text, /\r\n\r\n\/smuggled/);
    },
  );

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
    // Node closes idle connections as it stops listening, so this one has to be in the middle of a request.
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

/** Requests on whose end a proxy and a server might disagree; each is followed by another request. */
const ambiguous: Record<string, string> = Object.fromEntries(
  Object.entries({
    'length and chunks': 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'chunks and length': 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n',
    'two different lengths': 'Content-Length: 0\r\nContent-Length: 6\r\n\r\n',
    'the same length twice': 'Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello',
    'a list of lengths': 'Content-Length: 5, 5\r\n\r\nhello',
    'a signed length': 'Content-Length: +5\r\n\r\nhello',
    'a negative length': 'Content-Length: -5\r\n\r\nhello',
    'a hexadecimal length': 'Content-Length: 0x5\r\n\r\nhello',
    'an enormous length': 'Content-Length: 99999999999999999999\r\n\r\nhello',
    'unknown coding': 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    'two codings': 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    'codings in two fields':
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n',
    'a folded header': 'X-A: b\r\n Transfer-Encoding: chunked\r\n\r\n',
    'a space before the colon': 'Content-Length : 5\r\n\r\nhello',
    'a NUL in a header': 'X-A: a\0b\r\n\r\n',
    'a negative chunk': 'Transfer-Encoding: chunked\r\n\r\n-3\r\nabc\r\n0\r\n\r\n',
    'an enormous chunk': 'Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff3\r\nabc\r\n0\r\n\r\n',
    'two hosts': 'Host: other\r\n\r\n',
  }).map(([name, rest]) => [name, `POST / HTTP/1.1\r\nHost: h\r\n${rest}`]),
);
ambiguous['no host'] = 'GET / HTTP/1.1\r\n\r\n';
ambiguous['a GET with chunks'] =
  'GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';

interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Buffer;
  readonly body: string;
}

/** A connection that reads one answer after the other. */
interface Client {
  readonly socket: Socket;
  /** Writes and reads the next answer; `bodiless` for HEAD. */
  ask(wire: string | Buffer, bodiless?: boolean): Promise<RawAnswer>;
  next(bodiless?: boolean): Promise<RawAnswer>;
}

async function open(port: number): Promise<Client> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const pieces: Buffer[] = [];
  let size = 0;
  let arrived: (() => void) | undefined;
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    pieces.push(chunk);
    size += chunk.length;
    arrived?.();
  });
  socket.on('close', () => arrived?.());
  const atLeast = async (bytes: number): Promise<Buffer> => {
    while (size < bytes) {
      if (socket.closed) throw new Error(`connection closed after ${size} bytes`);
      await new Promise<void>((resolve) => (arrived = resolve));
    }
    const all = Buffer.concat(pieces);
    pieces.splice(0, pieces.length, all);
    return all;
  };
  const next = async (bodiless = false): Promise<RawAnswer> => {
    let end = -1;
    for (let want = 1; end < 0; ) {
      const all = await atLeast(want);
      end = all.indexOf('\r\n\r\n');
      want = all.length + 1;
    }
    const head = (await atLeast(end)).toString('latin1', 0, end);
    const headers = new Map<string, string>();
    for (const line of head.split('\r\n').slice(1)) {
      const colon = line.indexOf(':');
      headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
    }
    const length = bodiless ? 0 : Number(headers.get('content-length') ?? 0);
    const all = await atLeast(end + 4 + length);
    const bytes = all.subarray(end + 4, end + 4 + length);
    const rest = all.subarray(end + 4 + length);
    pieces.splice(0, pieces.length, rest);
    size = rest.length;
    return {
      status: Number(head.slice(9, 12)),
      head,
      headers,
      bytes,
      body: bytes.toString('utf8'),
    };
  };
  return {
    socket,
    next,
    ask: (wire, bodiless) => {
      socket.write(wire);
      return next(bodiless);
    },
  };
}

/** One request on a connection of its own. */
async function ask(port: number, wire: string | Buffer): Promise<RawAnswer> {
  const client = await open(port);
  const answer = await client.ask(wire);
  client.socket.destroy();
  return answer;
}

/** Everything that comes back until the server closes the connection. */
async function untilClosed(port: number, wire: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.write(wire);
  await once(socket, 'close');
  return text;
}

/** The text of one answer to a request that asks for the end of the connection. */
function oneShot(port: number, wire: string): Promise<string> {
  return untilClosed(port, wire.replace('\r\n', '\r\nconnection: close\r\n'));
}

function get(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nhost: h\r\n${headers}\r\n`;
}

function sized(body: Buffer, path = '/'): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nhost: h\r\ncontent-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

function chunked(body: Buffer, size: number, path = '/'): Buffer {
  const pieces: Buffer[] = [
    Buffer.from(`POST ${path} HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n`),
  ];
  for (let at = 0; at < body.length; at += size) {
    const piece = body.subarray(at, at + size);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  pieces.push(Buffer.from('0\r\n\r\n'));
  return Buffer.concat(pieces);
}

/** Lets the event loop go round `count` times. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until nothing is in flight; a leak ends in the test's own time-out. */
async function quiet(server: HttpServer): Promise<void> {
  while (server.inFlight > 0) await turns(1);
}
