// A small request does not wait for the large ones that came with it.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t from 'tap';
import type { HttpHandler } from '../../../http/server/exchange.ts';
import { createHttpServer } from '../../../http/server/server.ts';
import { loadUws } from '../../../http/server/uws-library.ts';

const load = await loadUws();
const skip = load.ok ? false : load.reasons.join(' | ');
const large = 8;

const post = (path: string, bytes: number) =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`;

t.test('small requests first, and a large one a tick', { skip }, async (t) => {
  const order: string[] = [];
  let sockets: Socket[] = [];
  const handler: HttpHandler = (request, response) => (body) => {
    // The next tick reads it, before the other large ones have run.
    if (order.push(request.path) === 2) sockets[large + 1]?.write(post('/later', 10));
    response.send(200, [], `${body.length}`);
  };
  const { server } = await createHttpServer({ handler, onError: (error) => t.fail(String(error)) });
  const port = await server.listen('127.0.0.1', 0);
  sockets = Array.from({ length: large + 2 }, () => connect(port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const answers = sockets.map((socket) => once(socket, 'data'));
  for (let i = 0; i < large; i++) sockets[i]?.write(post(`/large`, 32 * 1024));
  sockets[large]?.write(post('/small', 10));
  await Promise.all(answers);
  t.equal(order.length, large + 2);
  t.equal(order[0], '/small');
  t.ok(order.indexOf('/later') < order.lastIndexOf('/large'), order.join(' '));
  for (const socket of sockets) socket.destroy();
  await server.drain(0);
});
