// `external:` and the caller's own id name a person wherever a subscriber is named.

import t from 'tap';
import { chapter } from './chapter.ts';

t.test('a person is named by external: in bodies, queries and events', async (t) => {
  const one = await chapter(t);
  const { api, base, app } = one;
  const subscriberId = 'external:ada';
  const { id } = await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'ada',
    devices: [{ channel: 'email', endpoint: 'ada@example.com' }],
  });
  const content = { title: 'Hi', body: 'There' };
  const sent = await one.takes(t, `POST ${base}/notifications`, { ...content, subscriberId }, 202);
  const { json } = await one.takes(
    t,
    `POST ${base}/notifications/batch`,
    { ...content, recipients: [{ subscriberId }, { subscriberId: 'external:nobody' }] },
    202,
  );
  t.match(json.results, [{ outcome: 'queued' }, { outcome: 'not_found' }]);
  const message = await api.must(`POST ${base}/messages`, content);
  await one.takes(t, `POST ${base}/messages/${message.id}/test`, { subscriberId }, 202);
  await one.takes(t, `POST ${base}/messages/${message.id}/preview`, { subscriberId }, 200);
  const event = { name: 'order', subscriberId };
  const told = await one.takes(t, 'POST /e', { appId: app, events: [event] }, 202);
  t.match(told.json, { accepted: 1, rejected: 0 });
  const events = `GET ${base}/events?name=order&subscriberId=${encodeURIComponent(subscriberId)}`;
  t.match((await api.must(events)).items, [{ subscriberId: id, externalUserId: 'ada' }]);
  const both = { ...event, externalUserId: 'ada' };
  const refused = await one.takes(t, 'POST /e', { appId: app, events: [both] }, 202);
  t.match(refused.json, { accepted: 0, rejected: 1 });
  t.ok(sent.json.id);
});

t.test('the comparison of campaigns says which is unknown', async (t) => {
  const one = await chapter(t);
  const { api, base } = one;
  const { id: messageId } = await api.must(`POST ${base}/messages`, { title: 'T', body: 'B' });
  const { id } = await api.must(`POST ${base}/campaigns`, { messageId });
  const unknown = `${id.slice(0, -4)}zzzz`;
  await one.refuses(t, `GET /v1/campaigns/stats?ids=${id},${unknown}`, undefined, {
    status: 404,
    field: 'ids',
    error: `ids: campaign not found: ${unknown}`,
  });
});

t.test('a client’s call without its token says that it is missing', async (t) => {
  const one = await chapter(t);
  const feed = await fetch(`${one.server.url}/v1/sdk/feed?appId=${one.app}`);
  t.equal(feed.status, 401);
  t.match(((await feed.json()) as { error: string }).error, /^clientToken: is missing; send it as/);
});
