// What a hostile receiver can do to the call: each costs it one attempt, within its time and bytes,
// and nothing else.

import { gzipSync } from 'node:zlib';
import t from 'tap';
import {
  aCaller,
  anAttempt,
  drip,
  endless,
  plainAnswer,
  rawReceiver,
  shortMs,
} from './receivers.ts';

const bodyMax = 64 * 1024;
/** What a sender may have handed to the kernel after we hung up: the buffers of both sides. */
const inKernelMax = 16 * 1024 * 1024;

t.test('a receiver that never answers costs one deadline', async (t) => {
  const { url, requests } = await rawReceiver(t);
  const result = await aCaller(t)(anAttempt({ url }));
  t.match(result, { status: undefined, error: 'timeout', answer: '' });
  t.ok(result.durationMs >= shortMs - 5);
  t.equal(requests.length, 1);
});

t.test('headers that drip are cut at the deadline', async (t) => {
  const { url } = await rawReceiver(t, (socket) =>
    drip(socket, 'HTTP/1.1 200 OK\r\nx-slow: ', 'a'),
  );
  t.match(await aCaller(t)(anAttempt({ url })), { status: undefined, error: 'timeout' });
});

t.test('a status whose body never comes is a timeout, not a delivery', async (t) => {
  const { url } = await rawReceiver(t, (socket) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n'),
  );
  t.match(await aCaller(t)(anAttempt({ url })), { status: 200, error: 'timeout' });
});

t.test('a body that drips is cut at the deadline', async (t) => {
  const { url } = await rawReceiver(t, (socket) =>
    drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 9999999\r\n\r\n', 'a'),
  );
  const result = await aCaller(t)(anAttempt({ url }));
  t.match(result, { status: 200, error: 'timeout' });
  t.ok(result.answer.length <= 512);
});

const floods: Readonly<Record<string, readonly [start: string, chunk: string, status?: number]>> = {
  'a body without an end': ['HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(8192), 200],
  'a body of a gigabyte': [
    'HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n',
    'x'.repeat(8192),
    200,
  ],
  'chunks without an end': [
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
    `2000\r\n${'x'.repeat(8192)}\r\n`,
    200,
  ],
  'an endless header': ['HTTP/1.1 200 OK\r\nx-long: ', 'x'.repeat(8192)],
  'endless headers': ['HTTP/1.1 200 OK\r\n', 'x-flood: 1\r\n'.repeat(512)],
  'an endless reason phrase': ['HTTP/1.1 200 ', 'x'.repeat(8192)],
  'endless extensions of a chunk': [
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;',
    'x'.repeat(8192),
    200,
  ],
  'tiny chunks with long extensions': [
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
    `1;${'x'.repeat(8000)}\r\nx\r\n`,
    200,
  ],
  'endless trailers': [
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n',
    'x-flood: 1\r\n'.repeat(512),
    200,
  ],
  'endless informational answers': ['', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(64)],
};

for (const [what, [start, chunk, status]] of Object.entries(floods))
  t.test(`${what} is cut off at its size, not at its deadline`, async (t) => {
    let written = { bytes: 0 };
    const { url } = await rawReceiver(t, (socket) => {
      written = endless(socket, start, chunk);
    });
    const result = await aCaller(t, { timeoutMs: 60_000 })(anAttempt({ url }));
    t.match(result, { status, error: 'too_large' });
    t.ok(result.answer.length <= 512);
    t.ok(written.bytes < inKernelMax, `${written.bytes} bytes were taken`);
  });

t.test('64 KiB are read, and one byte more is too many', async (t) => {
  for (const [bytes, error] of [
    [bodyMax, undefined],
    [bodyMax + 1, 'too_large'],
  ] as const) {
    const { url } = await rawReceiver(t, (socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`),
    );
    t.match(await aCaller(t, { timeoutMs: 60_000 })(anAttempt({ url })), { status: 200, error });
  }
});

t.test('a compressed bomb is never inflated, and was never asked for', async (t) => {
  const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024)).subarray(0, 40_000);
  const { url, requests } = await rawReceiver(t, (socket) => {
    socket.write(
      `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`,
    );
    socket.write(bomb);
  });
  const result = await aCaller(t, { timeoutMs: 60_000 })(anAttempt({ url }));
  t.match(result, { status: 200, error: undefined });
  t.ok(Buffer.byteLength(result.answer) <= 512);
  t.match(requests[0], /\r\naccept-encoding: identity\r\n/);
});

t.test('a receiver that hangs up before it answered has refused', async (t) => {
  for (const hangUp of [
    (socket: import('node:net').Socket) => socket.end(),
    (socket: import('node:net').Socket) => socket.destroy(),
    (socket: import('node:net').Socket) => socket.resetAndDestroy(),
  ]) {
    const { url, requests } = await rawReceiver(t, hangUp);
    const result = await aCaller(t, { timeoutMs: 60_000 })(anAttempt({ url }));
    t.match(result, { status: undefined, error: 'refused' });
    t.equal(requests.length, 1, 'and the request is not repeated');
  }
});

t.test('an answer that is cut short is no delivery: the receiver may have died', async (t) => {
  for (const answer of [
    'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf of it',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n',
  ]) {
    const { url } = await rawReceiver(t, (socket) => socket.end(answer));
    const result = await aCaller(t, { timeoutMs: 60_000 })(anAttempt({ url }));
    t.match(result, { status: 200, error: 'refused' }, JSON.stringify(answer));
  }
});

t.test('an answer that ends with its connection is whole', async (t) => {
  const { url } = await rawReceiver(t, (socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nbye'));
  t.match(await aCaller(t, { timeoutMs: 60_000 })(anAttempt({ url })), {
    status: 200,
    error: undefined,
    answer: 'bye',
  });
});

t.test('what is not HTTP/1.1 is refused, and the next delivery is not affected', async (t) => {
  const good = await rawReceiver(t, (socket) => socket.write(plainAnswer));
  const deliver = aCaller(t, { timeoutMs: 60_000 });
  for (const garbage of [
    'SSH-2.0-OpenSSH_9.2\r\n',
    '220 mail.example.com ESMTP\r\n',
    '\0\0\0\0\0\0\0\0\0\0\0\0',
    'HTTP/9.9 200 OK\r\n\r\n',
    'HTTP/1.1 2000 OK\r\n\r\n',
    'HTTP/1.1 OK\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n',
    'HTTP/1.1 200 OK\r\nx: a\0b\r\n\r\n',
    'HTTP/1.1 200 OK\r\nno colon\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ]) {
    const { url } = await rawReceiver(t, (socket) => socket.end(garbage, 'latin1'));
    const result = await deliver(anAttempt({ url }));
    t.equal(result.error, 'refused', JSON.stringify(garbage));
    t.match(await deliver(anAttempt({ url: good.url })), { status: 200, error: undefined });
  }
});

t.test('an answer too many is never taken for the answer of the next delivery', async (t) => {
  const { url } = await rawReceiver(t, (socket, nth) =>
    socket.write(
      nth === 1
        ? `${plainAnswer}HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\nsmuggled`
        : 'HTTP/1.1 500 No\r\ncontent-length: 4\r\n\r\nreal',
    ),
  );
  const deliver = aCaller(t, { timeoutMs: 60_000 });
  t.match(await deliver(anAttempt({ url })), { status: 200, answer: 'ok' });
  const next = await deliver(anAttempt({ url }));
  t.not(next.answer, 'smuggled');
  t.not(next.error, undefined);
});

t.test('receivers that hang take no connection from another on the same host', async (t) => {
  const { url, requests } = await rawReceiver(t, (socket) => {
    if (requests.at(-1)?.startsWith('POST /good') === true) socket.write(plainAnswer);
  });
  const deliver = aCaller(t, { timeoutMs: 20_000 });
  for (let i = 0; i < 160; i++) void deliver(anAttempt({ url }));
  while (requests.length < 160) await new Promise((resolve) => setImmediate(resolve));
  const good = await deliver(anAttempt({ url: url.replace('/hook', '/good') }));
  t.match(good, { status: 200, error: undefined });
});
