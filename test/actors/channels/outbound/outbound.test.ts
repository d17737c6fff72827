// The HTTP client: how far a call came, what it reads, and that a guarded call never reaches the
// machine itself.

import { type AddressInfo, createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import {
  answerBytesMax,
  createOutbound,
  type OutboundConfig,
} from '../../../../actors/channels/outbound/outbound.ts';
import { closedPort, type HttpBehavior, httpStandIn } from '../stand-ins.ts';

async function rig(t: Test, behavior: HttpBehavior, config: Partial<OutboundConfig> = {}) {
  const server = await httpStandIn(behavior);
  const outbound = createOutbound({ allowPrivateNetworks: false, ...config });
  t.teardown(async () => {
    await outbound.close(0);
    await server.close();
  });
  const call = (over: Partial<Parameters<typeof outbound.call>[0]> = {}) =>
    outbound.call({ method: 'POST', url: server.url, destination: 'trusted', body: 'x', ...over });
  return { server, outbound, call };
}

const names = (v4: string[], v6: string[] = []) => ({
  resolve4: () => (v4.length > 0 ? Promise.resolve(v4) : Promise.reject(new Error('ENODATA'))),
  resolve6: () => (v6.length > 0 ? Promise.resolve(v6) : Promise.reject(new Error('ENODATA'))),
});

t.test('an answer comes with status, headers and body', async (t) => {
  const { call, server } = await rig(t, { status: 418, headers: { 'X-A': 'b' }, body: 'tea' });
  const result = await call({ url: `${server.url}/a/b?c=d`, headers: { 'x-sent': '1' } });
  t.match(result, {
    kind: 'answered',
    status: 418,
    headers: { 'x-a': 'b' },
    body: 'tea',
    complete: true,
  });
  t.match(server.calls[0], {
    method: 'POST',
    path: '/a/b?c=d',
    headers: { 'x-sent': '1', 'accept-encoding': 'identity', 'content-length': '1' },
  });
});

t.test('a body of pieces arrives whole and with its length', async (t) => {
  const { call, server } = await rig(t, { status: 200, body: 'ok' });
  const pieces = [Buffer.from('head '), Buffer.alloc(300_000, 'x'), Buffer.from(' tail')];
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  const body = { bytes, [Symbol.iterator]: () => pieces.values() };
  for (let i = 0; i < 2; i++) t.match(await call({ body }), { kind: 'answered', body: 'ok' });
  const whole = Buffer.concat(pieces).toString();
  for (const one of server.calls) {
    t.match(one.headers, { 'content-length': String(bytes), 'transfer-encoding': undefined });
    t.ok(String(one.body) === whole);
  }
});

t.test('a call of pieces that is recalled writes none', async (t) => {
  const { call, server } = await rig(t, { status: 200 });
  const body = { bytes: 5, [Symbol.iterator]: () => [Buffer.from('bytes')].values() };
  const result = await call({ body, mayBegin: () => false });
  t.match(result, { kind: 'unsent', reason: 'recalled' });
  t.equal(server.calls.length, 0);
});

t.test('a redirect is an answer, not a path to follow', async (t) => {
  const { call, server } = await rig(t, {
    status: 302,
    headers: { location: 'http://169.254.169.254/' },
  });
  t.match(await call(), { kind: 'answered', status: 302 });
  t.equal(server.calls.length, 1);
});

t.test('a body is read up to its cap, whatever is sent', async (t) => {
  const { call } = await rig(t, (_call, response) => {
    const chunk = 'x'.repeat(65_536);
    const more = () => {
      while (response.write(chunk)) if (response.destroyed) return;
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  const result = await call();
  t.match(result, { kind: 'answered', status: 200, complete: false });
  t.equal(result.kind === 'answered' && result.body.length, answerBytesMax);
});

t.test('a body of exactly the cap is whole', async (t) => {
  const { call } = await rig(t, { status: 200, body: 'x'.repeat(answerBytesMax) });
  t.match(await call(), { kind: 'answered', complete: true });
});

t.test('an answer that drips is cut at the deadline, and its status counts', async (t) => {
  const { call } = await rig(
    t,
    (_call, response) => {
      response.writeHead(201);
      response.write('a');
    },
    { timeoutMs: 150 },
  );
  t.match(await call(), { kind: 'answered', status: 201, body: 'a', complete: false });
});

t.test('headers that never come are unanswered at the deadline', async (t) => {
  const { call, server } = await rig(t, 'hang');
  t.match(await call({ timeoutMs: 150 }), { kind: 'unanswered', reason: 'timeout' });
  t.equal(server.calls.length, 1);
});

t.test('a connection that ends after the request is unanswered', async (t) => {
  const { call, server } = await rig(t, 'cut');
  t.match(await call(), { kind: 'unanswered', reason: 'connection_lost' });
  t.equal(server.calls.length, 1, 'and the request is not repeated');
});

t.test('a refused connection is unsent', async (t) => {
  const { call } = await rig(t, 'hang');
  const url = `http://127.0.0.1:${await closedPort()}`;
  t.match(await call({ url }), { kind: 'unsent', reason: 'connect' });
});

t.test('a TLS handshake with nobody is unsent', async (t) => {
  const { call, server } = await rig(t, 'hang');
  t.match(await call({ url: server.url.replace('http:', 'https:') }), {
    kind: 'unsent',
    reason: 'tls',
  });
  t.equal(server.calls.length, 0);
});

t.test('a handshake that hangs is unsent at the deadline', async (t) => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const { call } = await rig(t, 'hang');
  const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  t.match(await call({ url, timeoutMs: 150 }), { kind: 'unsent', reason: 'timeout' });
});

t.test('what cannot be written as a request is unsent', async (t) => {
  const { call, server } = await rig(t, { status: 200 });
  const headers = { 'x-a': 'b\r\nx-injected: 1' };
  t.match(await call({ headers }), { kind: 'unsent', reason: 'invalid_request' });
  t.match(await call({ url: 'nonsense' }), { kind: 'unsent', reason: 'invalid_request' });
  t.equal(server.calls.length, 0);
});

t.test(
  'a guarded name is refused when any of its addresses is private, and nothing is connected',
  async (t) => {
    let connections = 0;
    const canary = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    const listening = await new Promise<boolean>((resolve) => {
      canary.on('error', () => resolve(false)).listen(8443, '127.0.0.1', () => resolve(true));
    });
    t.teardown(() => new Promise<void>((resolve) => canary.close(() => resolve())));
    t.ok(listening, 'the canary listens where a guarded call may go');
    for (const [v4, v6] of [
      [['127.0.0.1'], []],
      [['8.8.8.8', '10.0.0.1'], []],
      [['8.8.8.8'], ['::1']],
      [[], ['::ffff:127.0.0.1']],
      [['169.254.169.254'], []],
    ] as [string[], string[]][]) {
      const outbound = createOutbound({ allowPrivateNetworks: false, resolver: names(v4, v6) });
      const result = await outbound.call({
        method: 'POST',
        url: 'https://hooks.example.com:8443/',
        destination: 'guarded',
        body: 'x',
      });
      t.match(result, { kind: 'refused', reason: 'private_address' }, [...v4, ...v6].join(' '));
      await outbound.close(0);
    }
    const outbound = createOutbound({ allowPrivateNetworks: false });
    const literal = await outbound.call({
      method: 'GET',
      url: 'https://127.0.0.1:8443/',
      destination: 'guarded',
    });
    t.match(literal, { kind: 'refused', reason: 'private_address' });
    await outbound.close(0);
    t.equal(connections, 0);
  },
);

t.test(
  'each connection is made to the addresses that were judged for it, not to a second answer',
  async (t) => {
    // The first address has no listener; a rebinding resolver then returns loopback.
    let asked = 0;
    const resolver = {
      resolve4: () => Promise.resolve([asked++ === 0 ? '127.0.0.2' : '127.0.0.1']),
      resolve6: () => Promise.reject(new Error('ENODATA')),
    };
    const { server, outbound } = await rig(
      t,
      { status: 200 },
      { allowPrivateNetworks: true, resolver },
    );
    const { port } = new URL(server.url);
    const call = () =>
      outbound.call({
        method: 'GET',
        url: `http://hooks.example.com:${port}/`,
        destination: 'guarded',
        timeoutMs: 300,
      });
    const first = await call();
    t.equal(first.kind, 'unsent');
    t.equal(asked, 1, 'one answer for one connection');
    t.match(await call(), { kind: 'answered', status: 200 });
    t.equal(asked, 2);
  },
);

t.test('a guarded name that does not resolve is unsent', async (t) => {
  const { call } = await rig(t, { status: 200 }, { resolver: names([]) });
  const url = 'https://nowhere.example.com/';
  t.match(await call({ url, destination: 'guarded' }), { kind: 'unsent', reason: 'dns' });
});

t.test('development reaches localhost by name', async (t) => {
  const { call, server } = await rig(
    t,
    { status: 200 },
    { allowPrivateNetworks: true, resolver: names([]) },
  );
  const url = server.url.replace('127.0.0.1', 'localhost');
  t.match(await call({ url, destination: 'guarded' }), { kind: 'answered', status: 200 });
});

t.test('closing lets calls in flight end, and takes no more', async (t) => {
  const { call, server, outbound } = await rig(t, 'hang');
  const pending = call();
  while (server.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const closing = outbound.close();
  t.match(await call(), { kind: 'unsent', reason: 'closed' });
  for (const held of server.held) held.writeHead(204).end();
  t.match(await pending, { kind: 'answered', status: 204 });
  await closing;
});

t.test('closing does not wait longer than its grace', async (t) => {
  const { call, server, outbound } = await rig(t, 'hang');
  const pending = call();
  while (server.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await outbound.close(50);
  t.match(await pending, { kind: 'unanswered', reason: 'connection_lost' });
});

t.test('a thousand calls at once all end', async (t) => {
  const { call, server } = await rig(t, { status: 200, body: 'ok' });
  const results = await Promise.all(Array.from({ length: 1000 }, () => call()));
  t.ok(results.every((result) => result.kind === 'answered' && result.status === 200));
  t.equal(server.calls.length, 1000);
});
