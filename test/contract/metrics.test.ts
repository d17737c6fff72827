// What an operator's Prometheus reads: every answer is counted, the text is as Prometheus wants it,
// and no label has more values than the code has.

import t from 'tap';
import { request } from 'undici';
import { metricRows } from '../../actors/runtime/metrics.ts';
import { type Family, lint, readPrometheus } from '../support/prometheus-text.ts';
import { type Chapter, chapter } from './chapter.ts';

const one = await chapter(t);

async function families({ server }: Chapter): Promise<readonly Family[]> {
  const { statusCode, body } = await request(`${server.metricsUrl}/metrics`);
  t.equal(statusCode, 200);
  return readPrometheus(await body.text());
}

/** Answers per route, method and class, since the last call. */
let before = new Map<string, number>();
async function answeredSince(): Promise<Record<string, number>> {
  const all = new Map<string, number>();
  const found = (await families(one)).find(({ name }) => name === 'engage_http_requests_total');
  for (const { labels, value } of found?.samples ?? []) {
    const { route, method, status_class } = labels;
    all.set(`${method} ${route?.replace(/:\w+/, ':x')} ${status_class}`, value);
  }
  const since = [...all].map(([key, value]) => [key, value - (before.get(key) ?? 0)] as const);
  before = all;
  return Object.fromEntries(since.filter(([, value]) => value > 0));
}

t.test('every answer is counted, by the pattern of its route', async (t) => {
  const { server, base, api } = one;
  const call = async (method: string, path: string, body?: string | Buffer) => {
    const answer = await request(`${server.url}${path}`, {
      method: method as 'GET',
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    });
    await answer.body.dump();
    return answer.statusCode;
  };
  await answeredSince();
  t.equal(await call('GET', '/no/such/path-1'), 404);
  t.equal(await call('GET', '/v1/no/such/path-2'), 404);
  t.equal(await call('DELETE', '/v1/org'), 405);
  t.equal(await call('PUT', '/e', '{}'), 405);
  t.equal(await call('PROPFIND', '/v1/x'), 404);
  t.equal(await call('GET', '/openapi.json'), 200);
  t.equal(await call('GET', '/docs'), 200);
  t.equal(await call('OPTIONS', '/e'), 204);
  t.equal(await call('POST', '/e', '{}'), 400);
  t.equal(await call('POST', '/e', Buffer.alloc(2 ** 20 + 1, 32)), 413);
  t.equal((await api.call(`GET ${base}`)).status, 200);
  t.equal((await api.call(`GET ${base}x`)).status, 404);
  t.strictSame(await answeredSince(), {
    'GET unknown 4xx': 2,
    'DELETE /v1/org 4xx': 1,
    'PUT /e 4xx': 1,
    'other unknown 4xx': 1,
    'GET /openapi.json 2xx': 1,
    'GET /docs 2xx': 1,
    'OPTIONS /e 2xx': 1,
    'POST /e 4xx': 2,
    'GET /v1/apps/:x 2xx': 1,
    'GET /v1/apps/:x 4xx': 1,
  });
});

t.test('the text is as promtool wants it, and says the unit of every metric', async (t) => {
  const { api, base, server, app } = one;
  const earlier = await families(one);
  await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'ada',
    devices: [{ channel: 'sms', endpoint: '+6591234567' }],
  });
  const send = { externalUserId: 'ada', body: 'Hi', idempotencyKey: 'k-1' };
  for (let times = 0; times < 2; times++) await api.must(`POST ${base}/notifications`, send);
  const event = { name: 'seen', externalUserId: 'ada', id: 'e-1' };
  for (let times = 0; times < 2; times++)
    await request(`${server.url}/e`, {
      method: 'POST',
      body: JSON.stringify({ appId: app, events: [event] }),
    }).then(({ body }) => body.dump());
  let found: readonly Family[] = [];
  const sumOf = (name: string, labels: Readonly<Record<string, string>> = {}, of = found) =>
    of
      .flatMap(({ samples }) => samples)
      .filter((sample) => sample.name === name)
      .filter((sample) =>
        Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
      )
      .reduce((sum, { value }) => sum + value, 0);
  const rise = (name: string, labels: Readonly<Record<string, string>>) =>
    sumOf(name, labels) - sumOf(name, labels, earlier);
  do found = await families(one);
  while (rise('engage_dispatch_duration_seconds_count', { channel: 'sms' }) === 0);
  t.strictSame(found.flatMap(lint), []);
  t.strictSame(
    found.map(({ name, type, help }) => [name, type, help]).sort(),
    metricRows.map(({ name, kind, help }) => [name, kind, help]).sort(),
  );
  const kinds = ['idempotency_key', 'event_id'];
  t.strictSame(
    kinds.map((kind) => rise('engage_duplicates_suppressed_total', { kind })),
    [1, 1],
  );
  for (const name of ['commit', 'turn', 'http_request', 'ingest_request'])
    t.ok(sumOf(`engage_${name}_duration_seconds_count`) > 0, name);
  t.ok(sumOf('engage_store_bytes') > 0);
  const ratio = sumOf('engage_disk_free_ratio');
  t.ok(ratio > 0 && ratio <= 1);
  t.equal(sumOf('engage_restarts_total'), 0);
  t.equal(sumOf('engage_store_oldest_reader_seconds'), 0, 'nobody reads an old version');
});

t.test('an engine that was killed is counted as restarted', async (t) => {
  const { server } = one;
  process.kill(server.enginePid(), 'SIGKILL');
  await server.ready();
  const restarts = (await families(one)).find(({ name }) => name === 'engage_restarts_total');
  t.strictSame(
    restarts?.samples.filter(({ value }) => value > 0).map(({ labels }) => labels),
    [{ reason: 'killed' }],
  );
});
