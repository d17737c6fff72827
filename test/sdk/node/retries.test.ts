// Which calls the client makes again, when, and what it says when it gives up: against a server
// that fails in each way.

import t, { type Test } from 'tap';
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  Engage,
  EngageError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnexpectedAnswerError,
} from '../../../sdk/node/src/engage.ts';
import { freePorts } from '../../support/server.ts';
import {
  answering,
  cuttingOff,
  resetting,
  type Script,
  scriptedServer,
  silent,
} from '../support/scripted-server.ts';

const sent = answering(202, { id: 'ntf_1', status: 'pending' });
const segment = answering(200, { id: 'seg_1', name: 'VIPs' });
const busy = answering(503, { error: 'busy', code: 'busy' }, { 'retry-after': '0' });
const message = { externalUserId: 'ada', body: 'Hello' };

async function against(t: Test, ...scripts: readonly Script[]) {
  const { url, asked } = await scriptedServer(t, ...scripts);
  const engage = new Engage({ baseUrl: url, apiKey: 'ek_1', appId: 'app_1' });
  return { engage, asked };
}

async function failureOf(call: PromiseLike<unknown>): Promise<EngageError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof EngageError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

t.test('a send is made again with the same key after every failure that may pass', async (t) => {
  const late = answering(429, { error: 'slow down', code: 'rate_limited' }, { 'retry-after': '0' });
  for (const failure of [busy, late, resetting, cuttingOff]) {
    const { engage, asked } = await against(t, failure, failure, sent);
    const { id } = await engage.notifications.send(message);
    t.equal(id, 'ntf_1');
    t.equal(asked.length, 3);
    const keys = new Set(asked.map(({ headers }) => headers['idempotency-key']));
    t.equal(keys.size, 1, 'one key');
    t.match([...keys][0], /^[0-9a-f-]{36}$/);
    t.equal(new Set(asked.map(({ body }) => body)).size, 1, 'one body');
  }
});

t.test('it waits as long as Retry-After asks', async (t) => {
  const { engage, asked } = await against(
    t,
    answering(429, { error: 'slow down' }, { 'retry-after': '1' }),
    segment,
  );
  await engage.segments.read('seg_1');
  const waitedMs = (asked[1]?.atMs ?? 0) - (asked[0]?.atMs ?? 0);
  t.ok(waitedMs >= 990, `${waitedMs} ms`);
});

t.test('who is asked to wait for an hour is told so at once', async (t) => {
  const { engage, asked } = await against(
    t,
    answering(429, { error: 'slow down', code: 'rate_limited' }, { 'retry-after': '3600' }),
  );
  const error = await failureOf(engage.segments.read('seg_1'));
  t.type(error, RateLimitError);
  t.equal(error.retryAfter, 3600);
  t.equal(asked.length, 1);
});

t.test('after three retries it gives up', async (t) => {
  const { engage, asked } = await against(t, busy);
  const error = await failureOf(engage.notifications.send(message));
  t.type(error, ServerError);
  t.equal(asked.length, 4);
  t.equal(error.idempotencyKey, asked[0]?.headers['idempotency-key'], 'for another try');
});

t.test('the number of retries may be another', async (t) => {
  const { engage, asked } = await against(t, busy);
  await failureOf(engage.segments.read('seg_1', { retries: 0 }));
  t.equal(asked.length, 1);
});

t.test('nothing else is made again', async (t) => {
  const { engage, asked } = await against(t, answering(503, { error: 'busy' }));
  const filter = { tag: 'plan', eq: 'pro' };
  await failureOf(engage.segments.update('seg_1', { name: 'a' }));
  await failureOf(engage.segments.preview({ filter }));
  await failureOf(engage.campaigns.send('cmp_1'));
  await failureOf(engage.keys.create({ name: 'a', scopes: ['read'] }));
  t.equal(asked.length, 4, 'a change without a key, and a key that is shown once');
  for (const status of [400, 401, 403, 404, 409, 413, 500, 502, 507]) {
    const { engage, asked } = await against(t, answering(status, { error: 'no' }));
    await failureOf(engage.notifications.send(message));
    t.equal(asked.length, 1, `${status}`);
  }
});

t.test('what is created with a key that was given is made again with it', async (t) => {
  const { engage, asked } = await against(t, busy, answering(201, { id: 'key_1' }));
  await engage.keys.create({ name: 'a', scopes: ['read'] }, { idempotencyKey: 'mine' });
  t.same(
    asked.map(({ headers }) => headers['idempotency-key']),
    ['mine', 'mine'],
  );
});

t.test('a key in the body is the only one', async (t) => {
  const { engage, asked } = await against(t, busy, sent);
  await engage.notifications.send({ ...message, idempotencyKey: 'order-7' });
  t.same(
    asked.map(({ headers, body }) => [headers['idempotency-key'], JSON.parse(body).idempotencyKey]),
    [
      ['order-7', 'order-7'],
      ['order-7', 'order-7'],
    ],
  );
});

t.test('a delete whose answer was lost is done, and one of nothing is not', async (t) => {
  const gone = answering(404, { error: 'segment not found', code: 'not_found' });
  const lost = await against(t, resetting, gone);
  t.equal(await lost.engage.segments.delete('seg_1'), undefined);
  const never = await against(t, gone);
  t.type(await failureOf(never.engage.segments.delete('seg_1')), NotFoundError);
  const refusedBefore = await against(t, busy, gone);
  t.type(await failureOf(refusedBefore.engage.segments.delete('seg_1')), NotFoundError);
});

t.test('a slow answer is an error of its own, which is not made again', async (t) => {
  const { engage, asked } = await against(t, silent);
  const error = await failureOf(engage.notifications.send(message, { timeoutMs: 50 }));
  t.type(error, TimeoutError);
  t.equal(error.code, 'timeout');
  t.ok(error.idempotencyKey, 'the same call again is safe with it');
  t.equal(asked.length, 1);
});

t.test('a body that does not end is a slow answer', async (t) => {
  const { engage } = await against(t, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{');
  });
  t.type(await failureOf(engage.segments.read('seg_1', { timeoutMs: 50 })), TimeoutError);
});

t.test('a signal ends the call, and the wait before a retry', async (t) => {
  const reason = new Error('the caller left');
  for (const script of [silent, answering(503, { error: 'busy' }, { 'retry-after': '30' })]) {
    const controller = new AbortController();
    const { engage, asked } = await against(t, (response, request) => {
      script(response, request);
      setImmediate(() => controller.abort(reason));
    });
    const call = engage.segments.read('seg_1', { signal: controller.signal });
    await t.rejects(call, reason);
    t.equal(asked.length, 1);
  }
  const { engage, asked } = await against(t, segment);
  await t.rejects(engage.segments.read('seg_1', { signal: AbortSignal.abort(reason) }), reason);
  t.equal(asked.length, 0, 'nothing is asked by who has left already');
});

t.test('a server that is not there is a connection error with its address', async (t) => {
  const [port] = await freePorts(1);
  const engage = new Engage({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'ek', retries: 1 });
  const error = await failureOf(engage.org.read());
  t.type(error, ConnectionError);
  t.match(error.message, new RegExp(`could not reach http://127.0.0.1:${port}: ECONNREFUSED`));
});

t.test('each family of statuses has its class, with all that the answer says', async (t) => {
  const classes: readonly (readonly [number, typeof EngageError])[] = [
    [400, InvalidRequestError],
    [401, AuthenticationError],
    [403, PermissionError],
    [404, NotFoundError],
    [409, ConflictError],
    [412, ConflictError],
    [413, InvalidRequestError],
    [429, RateLimitError],
    [500, ServerError],
    [507, ServerError],
    [302, UnexpectedAnswerError],
  ];
  const issues = [
    { field: 'name', error: 'is missing' },
    { field: 'filter', error: 'is missing' },
  ];
  const refusal = { error: 'name: is missing', code: 'invalid', field: 'name', issues };
  for (const [status, type] of classes) {
    const { engage } = await against(t, answering(status, refusal, { 'x-request-id': 'req_1' }));
    const error = await failureOf(engage.segments.preview({ filter: {} as never }));
    t.type(error, type, `${status}`);
    t.match(error, { status, code: 'invalid', field: 'name', issues, requestId: 'req_1' });
    t.equal(error.message, 'name: is missing');
  }
});

t.test('a page of a proxy is an error, with or without a good status', async (t) => {
  const page = '<html>Bad gateway</html>';
  const good = await against(t, answering(200, page, { 'content-type': 'text/html' }));
  t.type(await failureOf(good.engage.org.read()), UnexpectedAnswerError);
  const bad = await against(t, answering(502, page, { 'content-type': 'text/html' }));
  t.match(await failureOf(bad.engage.org.read()), { status: 502, code: 'unknown' });
});

t.test('the headers of the answer are at hand', async (t) => {
  const headers = {
    'x-request-id': 'req_9',
    'x-ratelimit-lane': 'standard',
    'x-ratelimit-limit': '600',
    'x-ratelimit-remaining': '599',
    'x-ratelimit-reset': '1',
    etag: '"v1"',
  };
  const { engage } = await against(t, answering(200, { id: 'seg_1', name: 'VIPs' }, headers));
  const { data, ...info } = await engage.segments.read('seg_1').withResponse();
  t.equal(data.name, 'VIPs');
  t.match(info, {
    status: 200,
    requestId: 'req_9',
    etag: 'v1',
    attempts: 1,
    isReplay: false,
    rateLimit: { lane: 'standard', limit: 600, remaining: 599, reset: 1 },
  });
});

t.test('what would be another address is refused before anything is sent', async (t) => {
  const { engage, asked } = await against(t, segment);
  for (const id of ['', '.', '..', undefined, 7] as string[])
    await t.rejects(engage.segments.delete(id), {
      name: 'TypeError',
      message: /^id: expected an id/,
    });
  t.equal(asked.length, 0);
  await engage.segments.read('a/../b?c#d');
  t.equal(asked[0]?.line, 'GET /v1/apps/app_1/segments/a%2F..%2Fb%3Fc%23d');
  const nowhere = new Engage({ baseUrl: 'http://127.0.0.1:1', apiKey: 'ek' });
  await t.rejects(nowhere.segments.read('seg_1'), { message: /^appId: expected one/ });
  t.throws(() => new Engage({ baseUrl: '127.0.0.1', apiKey: 'ek' }), /^baseUrl: expected/);
  t.throws(() => new Engage({ baseUrl: 'http://a', apiKey: '' }), /^apiKey: expected/);
});

t.test('the app of the client goes where a route wants it', async (t) => {
  const { engage, asked } = await against(t, answering(200, { items: [], nextCursor: null }));
  await engage.insights.readEventTrends({});
  await engage.insights.readEventTrends({ appId: 'app_2' });
  await engage.events.track({ events: [{ name: 'a', externalUserId: 'b' }] });
  await engage.org.listAuditLog();
  await engage.segments.list({}, { appId: 'app_3' });
  t.same(
    asked.map(({ line, body }) => [line, body]),
    [
      ['GET /v1/insights/event-trends?appId=app_1', ''],
      ['GET /v1/insights/event-trends?appId=app_2', ''],
      ['POST /e', '{"events":[{"name":"a","externalUserId":"b"}],"appId":"app_1"}'],
      ['GET /v1/org/audit-log', ''],
      ['GET /v1/apps/app_3/segments', ''],
    ],
  );
});
