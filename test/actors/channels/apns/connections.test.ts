// The pool of connections to APNs against a scripted HTTP/2 server: how many streams and
// connections, what GOAWAY and refusals mean, and how dead connections are found. Waiting is for
// events only.

import { once } from 'node:events';
import type { ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createServer } from 'node:net';
import t, { type Test } from 'tap';
import {
  type ApnsConnectionsConfig,
  createApnsConnections,
} from '../../../../actors/channels/apns/connections.ts';
import type { OutboundResult } from '../../../../actors/channels/outbound/outbound-call.ts';
import { certificate } from '../certificate.ts';
import {
  answer,
  type Http2Call,
  type Http2StandInOptions,
  http2StandIn,
  refuseStream,
  wireTo,
} from '../http2-stand-in.ts';
import { closedPort } from '../stand-ins.ts';

const ok = { status: 200, headers: { 'apns-id': 'x' } };

async function rig(test: Test, config: ApnsConnectionsConfig = {}, options?: Http2StandInOptions) {
  const provider = await http2StandIn(ok, options);
  const connections = createApnsConnections(config);
  test.teardown(async () => {
    await connections.close(0);
    await provider.close();
  });
  const call = (path = '/3/device/aa', account = 'team', origin = provider.url) =>
    connections.call({ origin, account, path, headers: { 'apns-topic': 'a' }, body: '{}' });
  return { provider, connections, call };
}

/** Waits for this many calls. */
async function arrived(calls: readonly Http2Call[], count: number): Promise<void> {
  while (calls.length < count) await new Promise((resolve) => setImmediate(resolve));
}

const kindsOf = (results: readonly OutboundResult[]) =>
  results.map((one) => (one.kind === 'answered' ? one.status : `${one.kind} ${one.reason}`));

t.test('many calls share one connection, and their answers find them', async (test) => {
  const { provider, call } = await rig(test);
  provider.meet((received, stream) =>
    answer(stream, { status: 400, body: JSON.stringify({ reason: received.path }) }),
  );
  const paths = Array.from({ length: 90 }, (_, i) => `/3/device/${i}`);
  const results = await Promise.all(paths.map((path) => call(path)));
  test.same(
    results.map((one) => one.kind === 'answered' && JSON.parse(one.body).reason),
    paths,
  );
  test.equal(provider.connections(), 1);
});

t.test('a connection never has more streams than the other side allows', async (test) => {
  for (const streamsMax of [1, 2, 5]) {
    const { provider, call } = await rig(test, {}, { streamsMax });
    const openOn = new Map<number, number>();
    let most = 0;
    provider.meet(({ connection }, stream) => {
      const open = (openOn.get(connection) ?? 0) + 1;
      openOn.set(connection, open);
      most = Math.max(most, open);
      setImmediate(() => {
        openOn.set(connection, (openOn.get(connection) ?? 0) - 1);
        answer(stream, ok);
      });
    });
    const results = await Promise.all(Array.from({ length: 60 }, () => call()));
    test.ok(results.every((one) => one.kind === 'answered' && one.status === 200));
    test.ok(most <= streamsMax, `${most} of ${streamsMax}`);
    test.ok(provider.connections() > 1, 'more connections where one has no room');
    test.ok(provider.connections() <= 8, 'and not without bound');
  }
});

t.test('a limit that is raised is used', async (test) => {
  const { provider, call } = await rig(test, {}, { streamsMax: 1 });
  await call();
  const settled = once(provider.open[0] as object as NodeJS.EventEmitter, 'localSettings');
  provider.open[0]?.settings({ maxConcurrentStreams: 50 });
  await settled;
  provider.meet('hang');
  const pending = Array.from({ length: 50 }, () => call());
  await arrived(provider.calls, 51);
  test.equal(provider.connections(), 1);
  for (const held of provider.held) answer(held, ok);
  await Promise.all(pending);
});

t.test('accounts and origins never share a connection, apps of one account do', async (test) => {
  const { provider, call } = await rig(test);
  await Promise.all([call('/1', 'one'), call('/2', 'two'), call('/3', 'one'), call('/4', 'two')]);
  test.equal(provider.connections(), 2);
  const connectionOf = (path: string) =>
    provider.calls.find((one) => one.path === path)?.connection;
  test.equal(connectionOf('/1'), connectionOf('/3'));
  test.equal(connectionOf('/2'), connectionOf('/4'));
  test.not(connectionOf('/1'), connectionOf('/2'));
});

t.test(
  'GOAWAY: streams above its number go out again at once, those below are waited for',
  async (test) => {
    const { provider, call } = await rig(test);
    provider.meet('hang');
    const pending = Array.from({ length: 6 }, (_, i) => call(`/${i}`));
    await arrived(provider.calls, 6);
    const third = provider.calls[2]?.streamId ?? 0;
    provider.meet(ok);
    provider.open[0]?.goaway(0, third);
    await arrived(provider.calls, 9);
    test.equal(provider.connections(), 2, 'on another connection');
    test.same(
      provider.calls
        .slice(6)
        .map(({ path }) => path)
        .sort(),
      ['/3', '/4', '/5'],
    );
    test.equal(kindsOf(await Promise.all(pending.slice(3))).join(), '200,200,200');
    for (const held of provider.held.slice(0, 3)) answer(held, { status: 410, body: '{}' });
    test.equal(kindsOf(await Promise.all(pending.slice(0, 3))).join(), '410,410,410');
    test.equal(provider.calls.length, 9, 'and nothing twice');
  },
);

t.test(
  'GOAWAY with an error: what may have been processed is unanswered, the rest goes out again',
  async (test) => {
    const { provider, call } = await rig(test);
    provider.meet('hang');
    const pending = Array.from({ length: 4 }, (_, i) => call(`/${i}`));
    await arrived(provider.calls, 4);
    provider.meet(ok);
    provider.open[0]?.goaway(2, provider.calls[1]?.streamId ?? 0, Buffer.from('{}'));
    test.same(kindsOf(await Promise.all(pending)), [
      'unanswered connection_lost',
      'unanswered connection_lost',
      200,
      200,
    ]);
  },
);

t.test('GOAWAY without a call in flight does not affect the next call', async (test) => {
  const { provider, call } = await rig(test);
  await call();
  const closed = once(provider.open[0] as object as NodeJS.EventEmitter, 'close');
  provider.open[0]?.close();
  const results = await Promise.all([call(), call(), closed.then(() => call())]);
  test.same(kindsOf(results as OutboundResult[]), [200, 200, 200]);
});

t.test('a refused stream goes out again, but not for ever', async (test) => {
  const { provider, call } = await rig(test);
  provider.meet((_call, stream) =>
    provider.calls.length <= 2 ? refuseStream(stream) : answer(stream, ok),
  );
  test.same(kindsOf([await call()]), [200]);
  provider.calls.length = 0;
  provider.meet((_call, stream) => refuseStream(stream));
  test.same(kindsOf([await call()]), ['unsent saturated']);
  test.equal(provider.calls.length, 6);
});

t.test('a connection cut after the bytes went out: unanswered, never repeated', async (test) => {
  const { provider, call } = await rig(test);
  provider.meet('cut');
  const results = await Promise.all([call(), call(), call()]);
  test.ok(kindsOf(results).every((one) => one === 'unanswered connection_lost'));
  const seen = provider.calls.length;
  provider.meet(ok);
  test.same(kindsOf([await call()]), [200], 'the next call gets a new connection');
  test.equal(provider.calls.length, seen + 1);
});

t.test(
  'a stream that the other side resets is unanswered; its connection goes on',
  async (test) => {
    const { provider, call } = await rig(test);
    provider.meet((_call, stream) => stream.close(2));
    test.same(kindsOf([await call()]), ['unanswered connection_lost']);
    provider.meet(ok);
    test.same(kindsOf([await call()]), [200]);
    test.equal(provider.connections(), 1);
  },
);

t.test(
  'an answer that is cut short still has its status, and of a long one 16 KiB are read',
  async (test) => {
    const { provider, call } = await rig(test);
    provider.meet((_call, stream) => {
      stream.respond({ ':status': 500 });
      stream.write('{"reason"', () => stream.session?.destroy());
    });
    test.match(await call(), { kind: 'answered', status: 500, complete: false });
    provider.meet({ status: 500, body: 'x'.repeat(100_000) });
    const long = await call();
    test.match(long, { kind: 'answered', status: 500, complete: false });
    test.equal(long.kind === 'answered' && long.body.length, 16 * 1024);
  },
);

t.test('a call that runs out of time: unsent before it started, unanswered after', async (test) => {
  const { provider, call } = await rig(test, { timeoutMs: 100 }, { streamsMax: 1 });
  const mute = createServer(() => {});
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  test.teardown(() => mute.close());
  const { port } = mute.address() as AddressInfo;
  // A server that never sends its limit gets no call.
  test.same(kindsOf([await call('/1', 'a', `http://127.0.0.1:${port}`)]), ['unsent timeout']);
  provider.meet('hang');
  test.same(kindsOf([await call()]), ['unanswered timeout']);
  // More calls than streams: none is lost, whenever it started.
  const results = kindsOf(await Promise.all(Array.from({ length: 12 }, () => call())));
  test.ok(results.every((one) => one === 'unanswered timeout' || one === 'unsent timeout'));
  provider.meet(ok);
  test.same(kindsOf([await call()]), [200], 'places are free again');
});

t.test(
  'a connection whose other side died is found by a call that runs out of time',
  async (test) => {
    const { provider, call } = await rig(test, { timeoutMs: 80, pingTimeoutMs: 40 });
    const wire = await wireTo(provider.url);
    test.teardown(() => wire.close());
    const through = () => call('/1', 'team', wire.url);
    test.same(kindsOf([await through()]), [200]);
    wire.cutOff();
    test.same(kindsOf([await through()]), ['unanswered timeout']);
    // The suspect connection gets no more calls, so the next call opens another.
    test.same(kindsOf([await through()]), [200]);
    test.equal(provider.connections(), 2);
  },
);

t.test(
  'a quiet connection is asked whether it lives, and given up when it does not answer',
  async (test) => {
    const { provider, call } = await rig(test, { pingEveryMs: 20, pingTimeoutMs: 20 });
    const wire = await wireTo(provider.url);
    test.teardown(() => wire.close());
    await call('/1', 'team', wire.url);
    const session = provider.open[0] as object as NodeJS.EventEmitter;
    await once(session, 'ping');
    await wire.cutOff().givenUp;
    test.same(kindsOf([await call('/2')]), [200], 'others go on');
  },
);

t.test('nothing listens, or no certificate is trusted: unsent, with the reason', async (test) => {
  const { call, provider } = await rig(test, { connectTimeoutMs: 2_000 }, { certificate });
  const down = `http://127.0.0.1:${await closedPort()}`;
  test.same(kindsOf(await Promise.all([call('/1', 'a', down), call('/2', 'a', down)])), [
    'unsent connect',
    'unsent connect',
  ]);
  test.same(kindsOf([await call()]), ['unsent tls'], 'a certificate of nobody');
  test.equal(provider.calls.length, 0);
});

t.test('over TLS it speaks HTTP/2 with a trusted server', async (test) => {
  const trusting = { certificateAuthorities: certificate.cert };
  const { call } = await rig(test, trusting, { certificate });
  test.same(kindsOf([await call()]), [200]);
});

t.test('a header that HTTP/2 knows not is unsent, and harms no other call', async (test) => {
  const { provider, connections, call } = await rig(test);
  const bad = { origin: provider.url, account: 'team', path: '/1', body: '' };
  const result = await connections.call({ ...bad, headers: { connection: 'close' } });
  test.same(kindsOf([result, await call()]), ['unsent invalid_request', 200]);
});

t.test('closing waits for calls in flight within its grace', async (test) => {
  const { provider, connections, call } = await rig(test);
  provider.meet('hang');
  const pending = [call(), call()];
  await arrived(provider.calls, 2);
  const closing = connections.close();
  test.same(kindsOf([await call()]), ['unsent closed']);
  for (const held of provider.held as ServerHttp2Stream[]) answer(held, ok);
  test.same(kindsOf(await Promise.all(pending)), [200, 200]);
  await closing;

  const other = await rig(test);
  other.provider.meet('hang');
  const lost = other.call();
  await arrived(other.provider.calls, 1);
  await other.connections.close(10);
  test.same(kindsOf([await lost]), ['unanswered connection_lost']);
});
