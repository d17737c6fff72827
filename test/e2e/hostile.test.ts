// What no client library would send: bombs, broken framing, half requests, nonsense in every member
// of every body. The server refuses with the right status, never answers 5xx, keeps its process,
// and forgets no call that was cut off.

import { connect, type Socket } from 'node:net';
import * as fc from 'fast-check';
import t, { type Test as Tap } from 'tap';
import { below, seededRng } from '../../engine/base/rng.ts';
import type { OpenApiDocument } from '../../http/describe/openapi-types.ts';
import { type JsonPath, placesOf } from '../support/json-places.ts';
import { type Client, client, makeOrg, startServer, until } from '../support/server.ts';
import { tries } from '../support/tries.ts';

const mebibyte = 1_048_576;
const server = await startServer(t, { environment: { ENGAGE_PER_IP_PER_MINUTE: '0' } });
const org = await makeOrg(server, 'Hostile');
const app = (await org.client.must('POST /v1/apps', { name: 'Target' })).id as string;
const people = `/v1/apps/${app}/subscribers`;
const { hostname, port } = new URL(server.url);
const engine = server.enginePid();
const document: OpenApiDocument = await client(server.url).must('GET /openapi.json');

/** A test after which the server must be as well as before. */
function hostile(name: string, run: (t: Tap) => Promise<void>): void {
  t.test(name, async (t) => {
    await run(t);
    await until(async () => (await inFlight()) === 0, 'calls are in flight for ever');
    t.equal(server.enginePid(), engine, 'it is still the same process');
    t.equal((await org.client.call('GET /v1/org')).status, 200, 'and it serves');
  });
}

hostile('a body of 1 MiB is taken, one byte more is a 413 on every way in', async (t) => {
  const padded = (bytes: number, body: object) => {
    const text = JSON.stringify({ ...body, padding: '' });
    return text.replace('"padding":""', `"padding":"${'x'.repeat(bytes - text.length)}"`);
  };
  const person = { externalUserId: 'large' };
  const events = { appId: app, events: [{ name: 'large', externalUserId: 'large' }] };
  t.equal((await org.client.call(`POST ${people}`, padded(mebibyte, person))).status, 201);
  t.equal((await org.client.call('POST /e', padded(mebibyte, events))).status, 202);
  for (const [line, body] of [
    [`POST ${people}`, person],
    ['POST /e', events],
  ] as const) {
    const got = await org.client.call(line, padded(mebibyte + 1, body));
    t.equal(got.status, 413, line);
    t.match(got.json, { code: 'body_too_large', error: /1048576 bytes/ });
  }
  const chunked = await raw(
    `POST ${people} HTTP/1.1\r\nhost: h\r\nauthorization: Bearer ${org.key}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n`,
    `${(mebibyte + 1).toString(16)}\r\n${'x'.repeat(mebibyte + 1)}\r\n0\r\n\r\n`,
  );
  t.match(chunked, /^HTTP\/1\.1 413 /);
});

hostile(
  'depth, breadth, odd keys, odd numbers and odd bytes are a 400 before they are parsed',
  async (t) => {
    const nested = (levels: number) =>
      `{"tags":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    const refused: Readonly<Record<string, string | Buffer>> = {
      '33 levels': nested(33),
      'half a million levels': '['.repeat(500_000),
      'half a million levels, closed': nested(500_000).slice(0, mebibyte),
      'more than 50,000 values': `{"tags":[${'0,'.repeat(50_000)}0]}`,
      __proto__: '{"externalUserId":"p","tags":{"__proto__":{"admin":true}}}',
      'escaped __proto__': '{"externalUserId":"p","\\u005f_proto__":{"admin":true}}',
      'constructor.prototype': '{"constructor":{"prototype":{"admin":true}}}',
      'a number out of range': '{"tags":{"n":1e999}}',
      'bytes that are no UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
      'an overlong slash': Buffer.concat([
        Buffer.from('{"a":"'),
        Buffer.from([0xc0, 0xaf]),
        Buffer.from('"}'),
      ]),
      'nothing at all': '',
      'half an object': '{"externalUserId":',
      'two objects': '{}{}',
      'a comment': '{/* */}',
      NaN: '{"tags":{"n":NaN}}',
      'UTF-16': Buffer.from('{"externalUserId":"u16"}', 'utf16le'),
    };
    for (const [what, body] of Object.entries(refused)) {
      for (const line of [`POST ${people}`, 'POST /v1/apps', 'POST /e']) {
        const got = await org.client.call(line, body);
        t.equal(got.status, 400, `${what} to ${line}: ${got.text.slice(0, 120)}`);
        t.match(got.json, { error: String, code: /^invalid/ }, what);
      }
    }
    t.equal(
      (await org.client.call(`POST ${people}`, nested(32))).status,
      400,
      'a shape, not a depth',
    );
    t.match((await org.client.call(`POST ${people}`, nested(32))).json, { field: /^tags/ });
    t.equal(Reflect.get({}, 'admin'), undefined);
  },
);

hostile('a body that is not declared as JSON is a 415, with or without compression', async (t) => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonx',
    'json',
    '*/*',
  ]) {
    const got = await org.client.call(`POST ${people}`, '{}', { 'content-type': type });
    t.equal(got.status, 415, type);
    t.match(got.json, { code: 'unsupported_media_type', error: /content-type/ });
  }
  const zipped = await org.client.call(`POST ${people}`, '{}', { 'content-encoding': 'gzip' });
  t.equal(zipped.status, 415);
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/vnd.api+json',
  ]) {
    const got = await org.client.call(`POST ${people}`, '{}', { 'content-type': type });
    t.equal(got.status, 201, type);
  }
  const beacon = JSON.stringify({ appId: app, events: [{ name: 'b', externalUserId: 'beacon' }] });
  const sent = await client(server.url).call('POST /e', beacon, { 'content-type': 'text/plain' });
  t.equal(sent.status, 202, 'a beacon cannot say more than text/plain');
});

hostile('no value in any member of any body is more than a refusal', async (t) => {
  const bodies = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const [example] = Object.values(requestBody?.content['application/json']?.examples ?? {});
      if (example === undefined) return [];
      const filled = path.replace(/\/apps\/\{\w+\}/, `/apps/${app}`).replace(/\{\w+\}/g, 'carrier');
      return [{ line: `${method.toUpperCase()} ${filled}`, example: example.value as object }];
    }),
  );
  t.ok(bodies.length > 10);
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(
      null,
      '',
      ' ',
      '\u0000',
      '\ud800',
      '{{',
      '{% for i in (1..1000000) %}x{% endfor %}',
      '{{ a.b.c | nope }}',
      'javascript:alert(1)',
      'x'.repeat(70_000),
      -1,
      0.5,
      1e308,
      Number.MAX_SAFE_INTEGER + 1,
    ),
    fc.constantFrom([], {}, [null], [[]], { toString: 1 }, { length: 9 }),
  );
  for (const { line, example } of bodies) {
    const places = placesOf(example);
    if (places.length === 0) continue; // a body that may be left out: its whole is tried below
    const property = fc.asyncProperty(fc.nat(places.length - 1), odd, async (place, value) => {
      const body = replaced(example, places[place] ?? [], value);
      const key = line.includes('/v1/orgs') ? server.bootstrapToken : org.key;
      const got = await client(server.url, key).call(line, JSON.stringify(body));
      if (got.status >= 500) throw new Error(`${got.status} ${got.text}`);
      if (got.status >= 400 && typeof got.json?.error !== 'string') throw new Error(got.text);
    });
    const result = await fc.check(property, { seed: 7, numRuns: tries(40), endOnFailure: true });
    t.notOk(
      result.failed,
      `${line}: ${JSON.stringify(result.counterexample)?.slice(0, 300)} ${result.errorInstance}`,
    );
  }
  for (const { line } of bodies) {
    for (const body of ['null', '[]', '"x"', '1', 'true', '[{}]']) {
      const key = line.includes('/v1/orgs') ? server.bootstrapToken : org.key;
      const got = await client(server.url, key).call(line, body);
      t.ok(got.status >= 400 && got.status < 500, `${line} with ${body}: ${got.status}`);
    }
  }
});

hostile('no path and no query is more than a refusal', async (t) => {
  const paths = [
    '/v1/apps/%00',
    '/v1/apps/%ff%fe',
    '/v1/apps/%E0%A4%A',
    '/v1/apps/%2e%2e/%2e%2e/etc/passwd',
    '/v1//apps',
    '/v1/apps/',
    '//',
    '/v1/apps/..;/x',
    `/v1/apps/${'a'.repeat(5_000)}`,
    `${people}/external%3A${'%F0%9F%98%80'.repeat(300)}`,
    `${people}/__proto__`,
    '/v1/constructor',
    `${people}/sub_00000000000000000000000000/devices/%27%3B--`,
    '/docs/../../package.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/u/',
    `/u/${'A'.repeat(4_000)}`,
    '/u/%00',
  ];
  for (const path of paths) {
    const answer = await raw(
      `GET ${path} HTTP/1.1\r\nhost: h\r\nauthorization: Bearer ${org.key}\r\nconnection: close\r\n\r\n`,
    );
    t.match(answer, /^HTTP\/1\.1 40[045] /, path.slice(0, 80));
    t.notMatch(answer, /"dependencies"|root:x/);
  }
  const queries = [
    'limit=0',
    'limit=201',
    'limit=-1',
    'limit=1e2',
    'limit=1.5',
    'limit=',
    'limit=9999999999999999999',
    'cursor=',
    'cursor=%00',
    `cursor=${'z'.repeat(2_000)}`,
    'channel=pigeon',
  ];
  for (const query of queries) {
    const got = await org.client.call(`GET ${people}?${query}`);
    t.ok(got.status === 400 || got.status === 200, `${query}: ${got.status}`);
    if (got.status === 400) t.match(got.json, { field: /^(limit|cursor|channel)$/ }, query);
  }
  for (const limit of ['1', '200']) {
    t.equal((await org.client.call(`GET ${people}?limit=${limit}`)).status, 200);
  }
  const lists = Object.entries(document.paths).flatMap(([path, { get }]) =>
    get?.parameters?.some(({ name }) => name === 'cursor') && !path.includes('{id}')
      ? path.replace(/\{\w+\}/, app)
      : [],
  );
  lists.push(...(await listsBelowObjects(app, org.client)));
  t.ok(lists.length >= 5, `${lists.length} lists`);
  const cursors = [
    '%00',
    'dl_%00',
    `dl_${'x'.repeat(1_000)}`,
    '0',
    '-1',
    'z',
    'zzzzzzzzzzz',
    '1e9',
    '%F0%9F%98%80',
    'AAAA',
    `${'A'.repeat(1_024)}`,
  ];
  for (const list of lists) {
    for (const cursor of cursors) {
      const got = await org.client.call(`GET ${list}?cursor=${cursor}`);
      t.ok(
        got.status === 400 || got.status === 200,
        `${list} with ${cursor.slice(0, 20)}: ${got.status}`,
      );
      if (got.status === 200)
        t.same(got.json.nextCursor, null, 'no cursor of its own making leads on');
    }
  }
  const twice = await org.client.call(`GET ${people}?limit=5&limit=0`);
  t.equal(twice.status, 400, 'the last of two is the one that counts');
});

async function listsBelowObjects(app: string, api: Client): Promise<readonly string[]> {
  const messageId = (await api.must(`POST /v1/apps/${app}/messages`, { body: 'x' })).id;
  const { id } = await api.must(`POST /v1/apps/${app}/campaigns`, { messageId });
  const { dryRunId } = await api.must(`POST /v1/campaigns/${id}/dry-run`);
  await api.must(`POST /v1/campaigns/${id}/send`, {});
  const steps = [{ id: 'a', type: 'wait', days: 1 }];
  const journey = { name: 'J', triggerEvent: 'e', steps };
  const { id: journeyId } = await api.must(`POST /v1/apps/${app}/journeys`, journey);
  return [
    `/v1/campaigns/${id}/dry-run/${dryRunId}`,
    `/v1/apps/${app}/campaigns/${id}/recipients`,
    `/v1/apps/${app}/journeys/${journeyId}/people`,
  ];
}

hostile('floods of headers are a 431, odd ones are read as nothing or refused', async (t) => {
  const get = (more: string) =>
    raw(`GET /healthz HTTP/1.1\r\nhost: h\r\n${more}connection: close\r\n\r\n`);
  t.match(await get(`x-long: ${'a'.repeat(20_000)}\r\n`), /^HTTP\/1\.1 431 /);
  t.match(
    await get(Array.from({ length: 200 }, (_, i) => `x-${i}: y\r\n`).join('')),
    /^HTTP\/1\.1 431 /,
  );
  for (const id of ['a b', 'é', 'x'.repeat(129), '\u0001']) {
    const answer = await get(`x-request-id: ${id}\r\n`);
    t.notOk(answer.includes(`x-request-id: ${id}\r\n`), 'an id that is not sane is replaced');
  }
  t.match(await get('x-request-id: mine-1\r\n'), /x-request-id: mine-1\r\n/i);
  for (const authorization of [
    'Bearer',
    'Bearer \u0000',
    `Bearer ${'a'.repeat(6_000)}`,
    'Bearer ek_../../x',
    'bearer\tx',
  ]) {
    const answer = await raw(
      `GET /v1/org HTTP/1.1\r\nhost: h\r\nauthorization: ${authorization}\r\nconnection: close\r\n\r\n`,
    );
    t.match(answer, /^HTTP\/1\.1 (40[01]|429) /, authorization.slice(0, 30));
  }
});

hostile(
  'a request that two readers could read differently is refused with its connection',
  async (t) => {
    const hidden = 'GET /healthz HTTP/1.1\r\nhost: h\r\n\r\n';
    const vectors: Readonly<Record<string, string>> = {
      'length and chunks': `content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
      'chunks and length': `transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n${hidden}`,
      'two lengths': `content-length: 0\r\ncontent-length: ${hidden.length}\r\n\r\n${hidden}`,
      'a list of lengths': `content-length: 0, ${hidden.length}\r\n\r\n${hidden}`,
      'a signed length': `content-length: +0\r\n\r\n${hidden}`,
      'a negative length': `content-length: -1\r\n\r\n${hidden}`,
      'a hexadecimal length': `content-length: 0x0\r\n\r\n${hidden}`,
      'two encodings': `transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n0\r\n\r\n${hidden}`,
      xchunked: `transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
      'chunked, twice': `transfer-encoding: chunked, chunked\r\n\r\n0\r\n\r\n${hidden}`,
      'a folded header': `transfer-encoding:\r\n chunked\r\n\r\n0\r\n\r\n${hidden}`,
      'a space before the colon': `transfer-encoding : chunked\r\n\r\n0\r\n\r\n${hidden}`,
    };
    for (const [what, rest] of Object.entries(vectors)) {
      const answer = await raw(
        `POST /e HTTP/1.1\r\nhost: h\r\ncontent-type: application/json\r\n${rest}`,
      );
      t.notMatch(answer, /"status":"ok"/, `${what}: what hides behind it is not served`);
      t.notMatch(answer, /^HTTP\/1\.1 (2|5)/, what);
    }
  },
);

hostile('odd methods are a refusal', async (t) => {
  for (const method of ['TRACE', 'CONNECT', 'PROPFIND', 'get', 'PUT', 'OPTIONS', 'X'.repeat(200)]) {
    const answer = await raw(`${method} /v1/org HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n`);
    t.notMatch(answer, /^HTTP\/1\.1 [25]/, method.slice(0, 20));
  }
  const got = await org.client.call('PUT /v1/org', {});
  t.equal(got.status, 405);
  t.equal(got.headers['allow'], 'GET, PATCH');
});

hostile('clients that go away at any byte leave nothing behind', async () => {
  const rng = seededRng(11);
  const body = JSON.stringify({ externalUserId: 'aborted', tags: { text: 'x'.repeat(900) } });
  const requests = [
    `POST ${people} HTTP/1.1\r\nhost: h\r\nauthorization: Bearer ${org.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    `GET ${people} HTTP/1.1\r\nhost: h\r\nauthorization: Bearer ${org.key}\r\n\r\n`,
    // An unknown key is looked up, so the answer comes in another turn than the request.
    `GET /v1/org HTTP/1.1\r\nhost: h\r\nauthorization: Bearer ek_${'0'.repeat(12)}_${'a'.repeat(43)}\r\n\r\n`,
    'GET /docs HTTP/1.1\r\nhost: h\r\n\r\n',
    `POST /e HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n10\r\n{"appId":"${app}`,
  ];
  const sockets = Array.from({ length: 300 }, async () => {
    const text = requests[below(rng, requests.length)] ?? '';
    const cut = below(rng, 4) === 0 ? text.length : below(rng, text.length);
    const reset = below(rng, 2) === 0;
    const socket = await open();
    socket.on('error', () => undefined);
    await new Promise<void>((resolve) => socket.write(text.slice(0, cut), () => resolve()));
    if (reset) socket.resetAndDestroy();
    else socket.destroy();
  });
  await Promise.all(sockets);
});

hostile('connections that say nothing, or only half, keep nobody else waiting', async (t) => {
  const idle = await Promise.all(Array.from({ length: 200 }, open));
  for (const [index, socket] of idle.entries()) {
    socket.on('error', () => undefined);
    if (index % 2 === 0) socket.write(`POST ${people} HTTP/1.1\r\nhost: h\r\ncontent-le`);
  }
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      org.client.call(`POST ${people}`, { externalUserId: `calm-${i}` }),
    ),
  );
  t.ok(answers.every(({ status }) => status === 201));
  for (const socket of idle) socket.destroy();
});

hostile('a flood of wrong keys is a 429, and a right one still passes', async (t) => {
  const statuses: number[] = [];
  for (let i = 0; i < 30; i++) {
    const { status, headers } = await client(
      server.url,
      `ek_${'0'.repeat(12)}_${String(i).padStart(43, 'b')}`,
    ).call('GET /v1/org');
    statuses.push(status);
    if (status === 429) t.ok(Number(headers['retry-after']) > 0);
  }
  t.ok(statuses.includes(429));
  t.equal(statuses.filter((status) => status !== 401 && status !== 429).length, 0);
  t.equal((await org.client.call('GET /v1/org')).status, 200);
});

async function inFlight(): Promise<number> {
  const { text } = await client(server.metricsUrl).call('GET /metrics');
  return Number(/^engage_http_in_flight (\d+)/m.exec(text)?.[1] ?? Number.NaN);
}

function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.once('error', reject);
  });
}

/**
 * Everything that the server answers until it hangs up, or has been quiet for a while after an
 * answer.
 */
async function raw(...pieces: string[]): Promise<string> {
  const socket = await open();
  let text = '';
  return new Promise((resolve) => {
    const done = () => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(1_500, done);
    socket.on('data', (piece: Buffer) => (text += piece.toString('latin1')));
    socket.on('error', done);
    socket.on('close', done);
    for (const piece of pieces) socket.write(piece, 'utf8');
  });
}

function replaced(value: unknown, [first, ...rest]: JsonPath, by: unknown): unknown {
  if (first === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((one, index) => (index === first ? replaced(one, rest, by) : one));
  }
  return { ...(value as object), [first]: replaced(Reflect.get(value as object, first), rest, by) };
}
