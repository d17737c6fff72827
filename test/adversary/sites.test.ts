// A stranger whose provider gave them an IPv6 /48: 65,536 networks, each of which looks like a
// household of its own.

import t from 'tap';
import { client } from '../support/server.ts';
import { victim } from './stranger.ts';

// The other server has the port of events.
const all = await victim(t, { ENGAGE_PER_IP_PER_MINUTE: '5', ENGAGE_INGEST_PORT: '' });

const from = (site: string, subnet: number) =>
  client(all.server.url, '', { 'x-forwarded-for': `2001:db8:${site}:${subnet.toString(16)}::1` });
const call = async (site: string, subnet: number) =>
  (await from(site, subnet).call(`GET /v1/sdk/app/${all.app}`)).status;

t.test('a /48 has the budget of sixteen addresses, and others have theirs', async (t) => {
  const answers: number[] = [];
  for (let subnet = 0; subnet < 40; subnet++)
    for (let i = 0; i < 3; i++) answers.push(await call('a', subnet));
  t.equal(answers.filter((status) => status === 200).length, 80);
  t.equal(answers.indexOf(429), 80);
  t.equal(await call('a', 999), 429, 'a network that has never called');
  t.equal(await call('b', 0), 200, 'another site');
  t.same(
    [await call('c', 1), await call('c', 1), await call('c', 1), await call('c', 1)],
    [200, 200, 200, 200],
  );
  t.equal(await call('c', 1), 200);
  t.equal(await call('c', 1), 429, 'one network still has the limit of one address');
  t.equal((await all.api.call('GET /v1/apps')).status, 200, 'the tenant');
});
