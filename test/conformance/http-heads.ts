// What a handler sees of a request before its body, and how much of a head is taken.

import type { Test } from 'tap';
import type { Serve } from './http-served.ts';
import { ask, get, oneShot, open } from './http-wire.ts';

/** The head of a request: method, path, headers, peer and bounds. */
export function headTests(t: Test, serve: Serve): void {
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

  t.test(
    "a header without a value was sent, one that is only another one's value was not",
    async (t) => {
      const { port } = await serve(t, (request, response) => {
        const names = ['x-empty', 'x-blank', 'x-full', 'x-none'];
        setImmediate(() =>
          response.send(200, [], JSON.stringify(names.map((n) => request.has(n)))),
        );
        return undefined;
      });
      const answer = await ask(port, get('/', 'X-Empty:\r\nx-blank:  \r\nx-full: x-none\r\n'));
      t.same(JSON.parse(answer.body), [true, true, true, false]);
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
}
