import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import t from 'tap';
import { webhookClient } from '../../../../../actors/integrations/webhooks/call/deliver.ts';
import { certificate, expiredCertificate } from '../../../channels/certificate.ts';
import { closedPort } from '../../../channels/stand-ins.ts';
import { aCaller, anAttempt, plainAnswer, rawReceiver } from './receivers.ts';

const patient = { timeoutMs: 60_000 };

t.test('any 2xx is a delivery, and every other status is not', async (t) => {
  for (const [status, error] of [
    [200, undefined],
    [201, undefined],
    [202, undefined],
    [204, undefined],
    [299, undefined],
    [400, 'status'],
    [401, 'status'],
    [404, 'status'],
    [410, 'status'],
    [429, 'status'],
    [500, 'status'],
    [503, 'status'],
    [599, 'status'],
  ] as const) {
    const { url } = await rawReceiver(t, (socket) =>
      socket.write(`HTTP/1.1 ${status} So\r\ncontent-length: 0\r\n\r\n`),
    );
    t.match(await aCaller(t, patient)(anAttempt({ url })), { status, error });
  }
});

t.test('a chat workspace that refuses a message has refused it for good', async (t) => {
  for (const [status, isFinal] of [
    [200, undefined],
    [302, undefined],
    [400, true],
    [401, undefined],
    [403, true],
    [404, true],
    [408, undefined],
    [410, true],
    [429, undefined],
    [500, undefined],
  ] as const) {
    const { url } = await rawReceiver(t, (socket) =>
      socket.write(`HTTP/1.1 ${status} So\r\ncontent-length: 0\r\n\r\n`),
    );
    const deliver = aCaller(t, patient);
    t.equal((await deliver(anAttempt({ url, type: 'slack' }))).isFinal, isFinal, `${status}`);
    for (const type of ['webhook', 'legacy'] as const)
      t.notOk((await deliver(anAttempt({ url, type }))).isFinal, `${status} of a ${type}`);
  }
});

t.test('ten seconds from connecting to the last byte, then it is a timeout', async (t) => {
  t.match(webhookClient, { timeoutMs: 10_000, connectTimeoutMs: 10_000 });
  const { url } = await rawReceiver(t);
  t.match(await aCaller(t)(anAttempt({ url })), {
    status: undefined,
    error: 'timeout',
    answer: '',
  });
});

t.test('a redirect is a failure, and nothing is sent where it leads', async (t) => {
  const canary = await rawReceiver(t, (socket) => socket.write(plainAnswer));
  for (const status of [300, 301, 302, 303, 304, 307, 308]) {
    const { url } = await rawReceiver(t, (socket) =>
      socket.write(`HTTP/1.1 ${status} So\r\nlocation: ${canary.url}\r\ncontent-length: 0\r\n\r\n`),
    );
    t.match(await aCaller(t, patient)(anAttempt({ url })), { status, error: 'redirect' });
  }
  t.same(canary.requests, []);
});

t.test('a redirect to the metadata of a cloud is a failure as any other', async (t) => {
  const { url } = await rawReceiver(t, (socket) =>
    socket.end('HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/latest/meta-data/\r\n\r\n'),
  );
  t.match(await aCaller(t, patient)(anAttempt({ url })), { status: 302, error: 'redirect' });
});

t.test('nobody listening is a refusal', async (t) => {
  const url = `http://127.0.0.1:${await closedPort()}/hook`;
  t.match(await aCaller(t, patient)(anAttempt({ url })), { status: undefined, error: 'refused' });
});

t.test('a name without an address is a failure of DNS', async (t) => {
  const nothing = () => Promise.reject(new Error('ENODATA'));
  const deliver = aCaller(t, { ...patient, resolver: { resolve4: nothing, resolve6: nothing } });
  t.match(await deliver(anAttempt({ url: 'https://nowhere.example/hook' })), {
    status: undefined,
    error: 'dns',
  });
});

t.test('a name that takes for ever to resolve costs one deadline', async (t) => {
  const silence = () => new Promise<string[]>(() => undefined);
  const deliver = aCaller(t, { resolver: { resolve4: silence, resolve6: silence } });
  t.match(await deliver(anAttempt({ url: 'https://slow.example/hook' })), { error: 'timeout' });
});

t.test('no private address is called, in whatever form it is written', async (t) => {
  const deliver = aCaller(t, { ...patient, allowPrivateNetworks: false });
  for (const url of [
    `https://127.0.0.1:8443/`,
    'https://2130706433:8443/',
    'https://0x7f.1:8443/',
    'https://[::1]:8443/',
    'https://[::ffff:127.0.0.1]:8443/',
    'https://[::127.0.0.1]:8443/',
    'https://localhost:8443/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.8/',
    'https://100.64.0.1/',
    'https://[fd00::1]/',
    'http://example.com/',
    'https://example.com:22/',
  ])
    t.match(await deliver(anAttempt({ url })), { error: 'private_address' }, url);
});

t.test('a name that turned private after it was saved is not called', async (t) => {
  for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['169.254.169.254']]) {
    const deliver = aCaller(t, {
      ...patient,
      allowPrivateNetworks: false,
      resolver: {
        resolve4: () => Promise.resolve(addresses),
        resolve6: () => Promise.reject(new Error('ENODATA')),
      },
    });
    const url = 'https://hooks.example.com:8443/';
    t.match(await deliver(anAttempt({ url })), { error: 'private_address' }, addresses.join());
  }
});

t.test('a certificate is checked: who signed it, for which name, and until when', async (t) => {
  for (const [what, server, trusted, host, error] of [
    ['right', certificate, certificate.cert, 'localhost', undefined],
    ['signed by nobody', certificate, undefined, 'localhost', 'tls'],
    ['for another name', certificate, certificate.cert, 'other.localhost', 'tls'],
    ['expired', expiredCertificate, expiredCertificate.cert, 'localhost', 'tls'],
  ] as const) {
    const requests: string[] = [];
    const tls = createTlsServer(server, (request, response) => {
      requests.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    t.teardown(() => {
      tls.closeAllConnections();
      return new Promise<void>((resolve) => tls.close(() => resolve()));
    });
    const deliver = aCaller(t, {
      ...patient,
      ...(trusted !== undefined && { certificateAuthorities: trusted }),
    });
    const url = `https://${host}:${(tls.address() as AddressInfo).port}/hook`;
    t.equal((await deliver(anAttempt({ url }))).error, error, what);
    t.equal(requests.length, error === undefined ? 1 : 0, what);
  }
});

t.test('a server that does not speak TLS is a failure of TLS', async (t) => {
  const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  t.match(await aCaller(t, patient)(anAttempt({ url: `https://127.0.0.1:${port}/` })), {
    error: 'tls',
  });
});

t.test('a handshake that hangs costs one deadline', async (t) => {
  const { url } = await rawReceiver(t);
  t.match(await aCaller(t)(anAttempt({ url: url.replace('http:', 'https:') })), {
    status: undefined,
    error: 'timeout',
  });
});

t.test('deliveries in a row take turns on at most two connections', async (t) => {
  const { url, sockets, requests } = await rawReceiver(t, (socket) => socket.write(plainAnswer));
  const deliver = aCaller(t, patient);
  for (let i = 0; i < 50; i++) await deliver(anAttempt({ url }));
  t.equal(requests.length, 50);
  t.ok(sockets.length <= 2, `${sockets.length} connections`);
});

t.test('a receiver cannot keep our idle connections open', async (t) => {
  const { url, sockets } = await rawReceiver(t, (socket) =>
    socket.write(
      'HTTP/1.1 200 OK\r\nkeep-alive: timeout=86400\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n',
    ),
  );
  await aCaller(t, { ...patient, idleMs: 50 })(anAttempt({ url }));
  const [socket] = sockets;
  await new Promise<void>((resolve) => {
    if (socket?.closed !== false) resolve();
    else socket.once('close', () => resolve());
  });
  t.pass('it is closed');
});

t.test('what is kept of an answer is text of at most 512 bytes', async (t) => {
  for (const [body, answer] of [
    ['', ''],
    ['ok', 'ok'],
    ['x'.repeat(600), 'x'.repeat(512)],
    ['é'.repeat(600), 'é'.repeat(256)],
    [`x${'é'.repeat(600)}`, `x${'é'.repeat(255)}`],
    [`xy${'😀'.repeat(200)}`, `xy${'😀'.repeat(127)}`],
  ] as const) {
    const { url } = await rawReceiver(t, (socket) =>
      socket.write(
        `HTTP/1.1 500 No\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        'utf8',
      ),
    );
    t.equal((await aCaller(t, patient)(anAttempt({ url }))).answer, answer);
  }
});

t.test('an answer that repeats the request does not put its secrets into the ledger', async (t) => {
  const receiver = await rawReceiver(t, (socket) => {
    const echo = JSON.stringify({ padding: 'x'.repeat(400), request: receiver.requests.at(-1) });
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(echo)}\r\n\r\n${echo}`);
  });
  const url = `${receiver.url}/canary-path?token=canary-query`;
  const headers = { authorization: 'Bearer canary/"header"', 'x-own': 'canary-other' };
  const secrets = ['canary-secret-of-the-test'];
  const { answer } = await aCaller(t, patient)(anAttempt({ url, headers, secrets }));
  t.notMatch(answer, /canary/);
  t.match(answer, /\[hidden\]/);
});

t.test('nor does one that repeats it as it was sent, or in percent signs', async (t) => {
  const echoed = (text: string) => [
    text,
    encodeURIComponent(text),
    encodeURIComponent(text).replace(/%../g, (hex) => hex.toLowerCase()),
    JSON.stringify(encodeURIComponent(text)),
  ];
  let echo: (line: string) => string = (line) => line;
  const receiver = await rawReceiver(t, (socket) => {
    const [line = ''] = receiver.requests.at(-1)?.split('\r\n') ?? [];
    const body = echo(line.split(' ')[1] ?? '');
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  });
  const deliver = aCaller(t, patient);
  const url = `${receiver.url}/a b/../canary-path/é"x"?token=canary query&é#canary-part`;
  const headers = { authorization: 'Bearer canary/"header"=' };
  const secrets = ['canary/secret+of=test'];
  const echoes = [
    (path: string) => path,
    (path: string) => new URL(path, url).href,
    () => url,
    () => headers.authorization,
    () => secrets.join(),
  ];
  for (const [i, what] of echoes.entries())
    for (const nth of echoed('').keys()) {
      echo = (path) => `you sent ${echoed(what(path))[nth]}`;
      const { answer } = await deliver(anAttempt({ url, headers, secrets }));
      t.notMatch(answer, /canary/, `${i}, ${nth}`);
      t.match(answer, /^you sent .*\[hidden\]/, `${i}, ${nth}`);
    }
});
