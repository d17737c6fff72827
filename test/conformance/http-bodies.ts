// The bodies of requests: whole, bounded, refused in words, or thrown away without harm to what
// follows them.

import { randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import type { Serve } from './http-served.ts';
import { ask, chunked, get, mebibyte, open, sized, untilClosed } from './http-wire.ts';

/** What happens to the body of a request, wanted or not. */
export function bodyTests(t: Test, serve: Serve): void {
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
}
