// `engage mcp` against a stand-in for the server: what it forwards, how it answers what goes wrong,
// and which server and key it takes.

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { command } from '../../cli/mcp.ts';
import { ToolForwarder } from '../../cli/mcp-forwarder.ts';
import { apiKeyOrDemo } from '../../cli/server-access.ts';
import { temporaryDirectory } from '../storage/support/directory.ts';
import { nodeArguments, root } from '../support/places.ts';
import { freePorts } from '../support/server.ts';
import { engage } from './support/engage.ts';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: { readonly id?: unknown; readonly method?: string };
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;

/** Answers every request with its id, and the rest with 202, unless the test says otherwise. */
async function standIn(
  t: Test,
  answer: (received: Received, response: ServerResponse) => boolean = () => false,
) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const one = { method, path, headers, body: JSON.parse(text) as Received['body'] };
      received.push(one);
      if (answer(one, response)) return;
      if (one.body.id === undefined) response.writeHead(202).end();
      else response.end(JSON.stringify({ jsonrpc: '2.0', id: one.body.id, result: {} }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { received, port, url: `http://127.0.0.1:${port}` };
}

/** `engage mcp` with this on its stdin, to its end. */
function piped(lines: string, settings: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [...nodeArguments('cli/main.ts'), 'mcp'], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...settings },
  });
  child.stdin.on('error', () => undefined); // it may end before it has read everything
  child.stdin.end(lines);
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise<Piped>((resolve) =>
    child.once('close', (code) => {
      const messages = stdout.split('\n').filter((line) => line !== '');
      resolve({ code, messages: messages.map((line) => JSON.parse(line)), stderr });
    }),
  );
}

interface Piped {
  readonly code: number | null;
  readonly messages: readonly { readonly id?: unknown }[];
  readonly stderr: string;
}

t.test('a request is forwarded with the key, and its answer is returned', async (t) => {
  const { received, url } = await standIn(t, ({ body }, response) => {
    if (body.method !== 'initialize') return false;
    const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: {} };
    response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, result }));
    return true;
  });
  const forwarder = new ToolForwarder(url, 'ek_mine');
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  };
  t.same(await forwarder.forward(ping), { jsonrpc: '2.0', id: 1, result: {} });
  await forwarder.forward({ jsonrpc: '2.0', id: 'two', method: 'initialize', params });
  t.equal(
    await forwarder.forward({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    undefined,
  );
  t.equal(await forwarder.forward({ jsonrpc: '2.0', id: 3, result: {} }), undefined);
  t.match(received[0], {
    method: 'POST',
    path: '/mcp',
    headers: {
      authorization: 'Bearer ek_mine',
      'content-type': 'application/json',
      accept: /application\/json.*text\/event-stream/,
      'mcp-protocol-version': undefined,
    },
    body: ping,
  });
  t.same(
    received.map(({ headers }) => headers['mcp-protocol-version']),
    [undefined, undefined, '2025-06-18', '2025-06-18'],
    'the negotiated version is named from then on',
  );
});

t.test('whatever goes wrong, a request has an answer that says so', async (t) => {
  const refusal = { error: 'the standard lane allows 4 units per minute', code: 'rate_limited' };
  const cases: readonly (readonly [number, string, object, object])[] = [
    [
      429,
      JSON.stringify(refusal),
      { 'retry-after': '7' },
      { message: refusal.error, data: { status: 429, ...refusal, retryAfterSeconds: 7 } },
    ],
    [401, '{"error":"missing or invalid API key"}', {}, { message: /API key/ }],
    [502, '<h1>Bad\n gateway</h1>', {}, { message: 'status 502: <h1>Bad gateway</h1>' }],
    [200, '<h1>Hello</h1>', {}, { message: /not with a message/ }],
    [200, '{"jsonrpc":"2.0"}', {}, { message: /not with a message/ }],
    [202, '', {}, { message: /sent no answer/ }],
    [302, '', { location: 'http://127.0.0.1:1/mcp' }, { message: /redirect/ }],
  ];
  for (const [status, body, headers, error] of cases) {
    const { url } = await standIn(t, (_received, response) => {
      response.writeHead(status, { ...headers }).end(body);
      return true;
    });
    const answer = await new ToolForwarder(url, 'x').forward(ping);
    t.match(answer, { jsonrpc: '2.0', id: 1, error: { code: -32000, ...error } }, `${status}`);
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' } as const;
    t.equal(await new ToolForwarder(url, 'x').forward(notification), undefined);
  }
  const [closed] = await freePorts(1);
  const nowhere = await new ToolForwarder(`http://127.0.0.1:${closed}`, 'x').forward(ping);
  t.match(nowhere, { error: { message: /^no server responds at http.* \(ECONNREFUSED\)$/ } });
});

t.test('stdout has messages only, and every request read has its answer at the end', async (t) => {
  const { url, received } = await standIn(t);
  const settings = { ENGAGE_URL: `${url}/`, ENGAGE_API_KEY: 'x' };
  const requests = Array.from({ length: 50 }, (_, id) => JSON.stringify({ ...ping, id }));
  const notification = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
  const lines = ['nonsense', notification, '{"id":1}', ...requests].join('\n');
  const { code, messages, stderr } = await piped(`${lines}\n`, settings);
  t.equal(code, 0);
  t.equal(received.length, 51);
  t.same(new Set(messages.map(({ id }) => id)), new Set([undefined, ...requests.keys()]));
  t.match(
    messages.filter(({ id }) => id === undefined),
    [{ error: { code: -32700 } }, { error: { code: -32700 } }],
  );
  t.match(stderr, /not a message/);
  const endless = await piped('x'.repeat(3 * 1024 * 1024), settings);
  t.equal(endless.code, 1, 'a line that is too long ends it');
});

t.test('it takes the demo key for this machine’s own server, and for no other', async (t) => {
  const { port, url, received } = await standIn(t);
  const dataDir = temporaryDirectory();
  writeFileSync(
    join(dataDir, 'demo.env'),
    'export ENGAGE_APP=app_x\nexport ENGAGE_KEY=ek_of_the_demo\n',
  );
  const local = { ENGAGE_PORT: String(port), ENGAGE_DATA_DIR: dataDir };
  const run = await piped(`${JSON.stringify(ping)}\n`, local);
  t.match(run, { code: 0, messages: [{ id: 1, result: {} }] });
  t.equal(received[0]?.headers.authorization, 'Bearer ek_of_the_demo');
  const keyIn = (settings: object, option?: string, urlOption?: string) =>
    withSettings({ ...local, ...settings }, () => apiKeyOrDemo(option, urlOption));
  t.equal(keyIn({}), 'ek_of_the_demo');
  t.equal(keyIn({ ENGAGE_KEY: 'ek_mine' }), 'ek_mine');
  t.equal(keyIn({ ENGAGE_KEY: 'ek_mine', ENGAGE_API_KEY: 'ek_first' }), 'ek_first');
  t.equal(keyIn({ ENGAGE_API_KEY: 'ek_first' }, 'ek_option'), 'ek_option');
  t.throws(() => keyIn({ ENGAGE_URL: url }), /ENGAGE_API_KEY/);
  t.throws(() => keyIn({}, undefined, url), /ENGAGE_API_KEY/);
  t.throws(() => keyIn({ ENGAGE_DATA_DIR: root }), /ENGAGE_API_KEY/, 'there is no demo');
});

t.test('it is in the help, and wrong arguments are usage errors', async (t) => {
  const all = await engage(['--help'], {});
  t.match(all.stdout, /engage mcp +Serve the agent tools/);
  t.match(command.help, /POST \/mcp/);
  const runs = (...words: readonly string[]) =>
    withSettings({ ENGAGE_API_KEY: 'x' }, () => command.run(words));
  await t.rejects(runs('more'), { name: 'UsageError', message: /usage: engage mcp/ });
  await t.rejects(runs('--url', 'ftp://x'), { message: /--url is "ftp:\/\/x"/ });
  await t.rejects(runs('--app', 'x'), { name: 'UsageError' });
});

/** Runs something that reads the environment at once, with only these of our settings. */
function withSettings<Result>(settings: object, work: () => Result): Result {
  const before = process.env;
  const kept = Object.entries(before).filter(([name]) => !name.startsWith('ENGAGE_'));
  process.env = { ...Object.fromEntries(kept), ...settings };
  try {
    return work();
  } finally {
    process.env = before;
  }
}
