// Streamed answers on both servers: no faster than the reader, given up with the client, cut off by
// a fault.

import { once } from 'node:events';
import { connect } from 'node:net';
import t, { type Test } from 'tap';
import { request } from 'undici';
import { FaultError } from '../../../../engine/base/fault.ts';
import { StreamSlots, sendPieces } from '../../../../http/call/answer/stream.ts';
import type { Pieces } from '../../../../http/call/route.ts';
import type { HttpServer, HttpServerOptions } from '../../../../http/server/exchange.ts';
import { createNodeServer } from '../../../../http/server/node-server.ts';
import { loadUws } from '../../../../http/server/uws-library.ts';
import { createUwsServer } from '../../../../http/server/uws-server.ts';
import { quiet, servedBy, turns } from '../../../conformance/http-served.ts';
import { get, untilClosed } from '../../../conformance/http-wire.ts';

const streamsOfOrgMax = 4;

const mebibyte = 1_048_576;
const load = await loadUws();

t.test('uWebSockets.js', load.ok ? {} : { skip: load.reasons.join(' | ') }, async (t) => {
  if (load.ok) streamTests(t, (options) => createUwsServer(load.uws, options));
});

t.test('node:http', async (t) => streamTests(t, createNodeServer));

function streamTests(t: Test, make: (options: HttpServerOptions) => HttpServer): void {
  const serve = servedBy(make);
  /** A server that streams these pieces, and how each response ended. */
  const streaming = async (t: Test, pieces: () => Pieces) => {
    const ends: string[] = [];
    const served = await serve(t, (_request, response) => async () => {
      response.begin(200, [['content-type', 'text/plain']]);
      await sendPieces(response, pieces()).then(
        () => ends.push('ended'),
        (error: Error) => ends.push(error.message),
      );
    });
    return { ...served, ends };
  };

  t.test('pieces arrive in order, and empty ones are no end', async (t) => {
    const { port, ends } = await streaming(t, async function* () {
      yield 'one ';
      yield '';
      await turns(3);
      yield Buffer.from('two é ');
      yield new Uint8Array();
      yield 'three';
    });
    t.equal(await textFrom(port, '/'), 'one two é three');
    t.same(ends, ['ended']);
  });

  t.test('no more is asked for than the client reads', async (t) => {
    let asked = 0;
    const total = 48;
    const { port, server, ends } = await streaming(t, async function* () {
      for (; asked < total; asked++) yield Buffer.alloc(mebibyte, 'x');
    });
    const socket = connect(port, '127.0.0.1');
    socket.write(get('/'));
    socket.pause();
    await turns(300);
    t.ok(asked < total / 2, `${asked} of ${total} pieces for a client that does not read`);
    t.same(ends, []);
    let read = 0;
    let tail = '';
    socket.on('data', (chunk: Buffer) => {
      read += chunk.length;
      tail = (tail + chunk.subarray(-8).toString('latin1')).slice(-8);
      if (tail.endsWith('0\r\n\r\n')) socket.destroy();
    });
    socket.resume();
    await once(socket, 'close');
    t.ok(read > total * mebibyte);
    t.same(ends, ['ended']);
    await quiet(server);
  });

  t.test('a client that goes stops the pieces, wherever it stands', async (t) => {
    for (const reads of [false, true]) {
      let cleaned = 0;
      let asked = 0;
      const { port, server, ends, errors } = await streaming(t, async function* () {
        try {
          for (; ; asked++) {
            yield Buffer.alloc(mebibyte, 'x');
            await turns(1);
          }
        } finally {
          cleaned++;
        }
      });
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(get('/'));
      if (reads) socket.on('data', () => undefined);
      else socket.pause();
      while (asked < 2) await turns(1);
      socket.resetAndDestroy();
      while (ends.length === 0) await turns(1);
      await quiet(server);
      const before = asked;
      await turns(20);
      t.equal(asked, before, 'nothing more is asked for');
      t.equal(cleaned, 1, 'the source knows');
      t.same(ends, ['ended']);
      t.same(errors, [], 'and it is no error');
    }
  });

  t.test('a fault in the middle cuts the connection, and the caller has the fault', async (t) => {
    const { port, server, ends } = await streaming(t, async function* () {
      yield 'half';
      await turns(20);
      throw new Error('midway');
    });
    const wire = await untilClosed(port, get('/'));
    t.match(wire, /^HTTP\/1\.1 200.*half/s);
    t.notMatch(wire, /0\r\n\r\n$/, 'no end in good order');
    t.same(ends, ['midway']);
    t.equal(server.inFlight, 0);
  });

  t.test('cutting an answer that is whole, or was never begun, does nothing', async (t) => {
    const { port } = await serve(t, (request, response) => {
      response.cut();
      if (request.path === '/whole') response.send(200, [], 'whole');
      else {
        response.begin(200, []);
        response.write('whole');
        response.end();
      }
      response.cut();
      return undefined;
    });
    t.equal(await textFrom(port, '/whole'), 'whole');
    t.equal(await textFrom(port, '/streamed'), 'whole');
  });
}

async function textFrom(port: number, path: string): Promise<string> {
  const { body } = await request(`http://127.0.0.1:${port}${path}`, { reset: true });
  return body.text();
}

t.test('an org has four streamed answers at a time, and gets places back', async (t) => {
  const slots = new StreamSlots();
  const releases = Array.from({ length: streamsOfOrgMax }, () => slots.take({ org: 7 }));
  t.throws(() => slots.take({ org: 7 }), FaultError);
  slots.take({ org: 8 })();
  releases[2]?.();
  const again = slots.take({ org: 7 });
  t.throws(() => slots.take({ org: 7 }), { message: /at most 4 exports/ });
  for (const release of [releases[0], releases[1], releases[3], again]) release?.();
  t.equal(
    Array.from({ length: streamsOfOrgMax }, () => slots.take({ org: 7 })).length,
    streamsOfOrgMax,
  );
});

t.test('the clients of an agency share 32 places', async (t) => {
  const slots = new StreamSlots();
  const releases = Array.from({ length: 32 }, (_, n) => slots.take({ org: n >> 1, agency: 99 }));
  t.throws(() => slots.take({ org: 50, agency: 99 }), { message: /clients together/ });
  slots.take({ org: 99 })();
  slots.take({ org: 51, agency: 98 })();
  releases[0]?.();
  slots.take({ org: 50, agency: 99 })();
});
