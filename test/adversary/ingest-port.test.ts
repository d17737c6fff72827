// Reaching the API through the port that is open for events alone.

import t from 'tap';
import { afterStop } from '../support/after-kill.ts';
import { client } from '../support/server.ts';
import { eventsOf, ingestPort, victim } from './stranger.ts';

const all = await victim(t);
const { app, base, org, server } = all;
const url = `http://127.0.0.1:${ingestPort}`;
const outside = client(url);

t.test('the ingest port takes events, and nothing else', async (t) => {
  const one = eventsOf(all, [{ externalUserId: 'ada' }]);
  t.match(await outside.call('POST /e', one), { status: 202, json: { accepted: 1 } });
  t.equal((await outside.call('OPTIONS /e')).status, 204, 'of a page');
  t.match(await outside.call('GET /e'), { status: 405, headers: { allow: 'POST' } });
  t.equal((await outside.call(`POST /i/cdp/${app}`, { batch: [] })).status, 401, 'needs its key');
  t.match(await outside.call('GET /healthz'), { status: 200, json: { status: 'ok' } });
});

t.test('no route of the API answers there, with or without a key', async (t) => {
  const keyed = client(url, org.key);
  const operator = client(url, server.bootstrapToken);
  for (const [caller, line] of [
    [keyed, 'GET /v1/org'],
    [keyed, `GET ${base}/subscribers`],
    [keyed, `DELETE ${base}`],
    [operator, 'POST /v1/orgs'],
    [outside, `GET /v1/sdk/app/${app}`],
    [outside, 'POST /v1/sdk/subscriber'],
    [outside, 'GET /docs'],
    [outside, 'GET /openapi.json'],
    [outside, 'GET /readyz'],
    [outside, 'GET /metrics'],
    [outside, 'GET /u/x'],
    [outside, 'GET /'],
  ] as const) {
    const body = line.startsWith('POST') ? { appId: app, name: 'x' } : undefined;
    const reply = await caller.call(line, body);
    t.match(
      [reply.status, reply.json?.code],
      [404, 'not_found'],
      `${line}: ${reply.text.slice(0, 100)}`,
    );
    t.equal(reply.headers['x-ratelimit-limit'], undefined, `${line} looks no key up`);
  }
  t.equal((await org.client.call('GET /v1/org')).status, 200, 'the main port is unchanged');
});

afterStop(server, 'the ingest port has ended with the server', async (t) => {
  await t.rejects(outside.call('GET /healthz'));
});
