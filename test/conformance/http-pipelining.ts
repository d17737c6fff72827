// Several requests on one connection: answered in order, and never more of them than every reader
// of the bytes would see. A parser that takes what a proxy before it understands otherwise lets a
// request be smuggled behind another.

import type { Test } from 'tap';
import type { Serve } from './http-served.ts';
import { get, open, untilClosed } from './http-wire.ts';

/** Where one request ends and the next begins. */
export function pipeliningTests(t: Test, serve: Serve): void {
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

  t.test('of pipelined requests with bodies, none runs that is not answered', async (t) => {
    const ran: string[] = [];
    const { port, server } = await serve(t, (request, response) => () => {
      ran.push(request.path);
      setImmediate(() => response.send(200, [], request.path));
    });
    const paths = ['/1', '/2', '/3', '/4', '/5'];
    const text = await untilClosed(
      port,
      paths
        .map((path) => {
          const close = path === '/5' ? 'connection: close\r\n' : '';
          return `POST ${path} HTTP/1.1\r\nhost: h\r\n${close}content-length: 5\r\n\r\nhello`;
        })
        .join(''),
    );
    const answered = [...text.matchAll(/\r\n\r\n(\/\d)/g)].map((found) => found[1]);
    t.same(answered, ran);
    t.equal(server.inFlight, 0);
  });

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
}

/**
 * Requests on whose end a proxy and a server might disagree; each is followed by another request.
 */
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
