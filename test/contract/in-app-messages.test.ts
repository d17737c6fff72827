// Contract, section 9: in-app messages over HTTP, and what people do with them. The feed itself is
// in test/actors/audiences/inapp/feed.test.ts.

import t from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { chapter } from './chapter.ts';

const { api, base, app, takes, refuses, server } = await chapter(t);
const inApp = `${base}/in-app-messages`;
const messageId: string = (await api.must(`POST ${base}/messages`, { body: 'Hi {{ name }}' })).id;

t.test('an in-app message is kept, changed, listed and deleted', async (t) => {
  const body = {
    messageId,
    filter: { all: [{ tag: 'plan', eq: 'pro' }, { activeWithinDays: 7 }] },
    startAt: '2026-10-01T09:00:00.000Z',
    endAt: '2026-10-08T09:00:00.000Z',
    priority: 7,
    inbox: true,
  };
  const nobody = { viewed: 0, clicked: 0, dismissed: 0, read: 0, archived: 0 };
  const { json } = await takes(t, `POST ${inApp}`, body, 201);
  t.match(json, { id: /^iam_/, ...body, counts: nobody, createdAt: /Z$/ });
  t.same(await api.must(`GET ${inApp}/${json.id}`), json);
  const { id: app } = await api.must('POST /v1/apps', { name: 'Killed' });
  const { id } = await api.must(`POST /v1/apps/${app}/messages`, { body: 'Hi' });
  const path = `/v1/apps/${app}/in-app-messages`;
  const kept = await api.must(`POST ${path}`, { ...body, messageId: id });
  afterKill(server, 'an in-app message is as it was sent', async (t) =>
    t.same(await api.must(`GET ${path}/${kept.id}`), kept),
  );
  const open = { filter: null, startAt: null, endAt: null };
  const plain = await api.must(`POST ${inApp}`, { messageId });
  t.match(plain, { ...open, priority: 0, inbox: false });
  t.match((await api.must(`GET ${inApp}`)).items, [{ id: plain.id }, { id: json.id }]);
  t.match(await api.must(`GET ${inApp}?order=oldest&limit=1`), {
    items: [json],
    nextCursor: json.id,
  });
  t.match(await api.must(`PATCH ${inApp}/${json.id}`, { ...open, inbox: false }), {
    ...open,
    messageId,
    priority: 7,
    inbox: false,
  });
  const offset = await api.must(`PATCH ${inApp}/${json.id}`, {
    endAt: '2026-10-08T09:00:00+07:00',
  });
  t.equal(offset.endAt, '2026-10-08T02:00:00.000Z', 'any offset, and UTC out');
  for (const { id } of [json, plain]) await takes(t, `DELETE ${inApp}/${id}`, undefined, 204);
  for (const method of ['GET', 'DELETE'])
    await refuses(t, `${method} ${inApp}/${json.id}`, undefined, {
      status: 404,
      error: 'in-app message not found',
    });
});

t.test('what is wrong with an in-app message is said by the name of its member', async (t) => {
  const unknown = `msg_${'0'.repeat(26)}`;
  const { id: elsewhere } = await api.must('POST /v1/apps', { name: 'Elsewhere' });
  const foreign = (await api.must(`POST /v1/apps/${elsewhere}/messages`, { body: 'x' })).id;
  for (const [body, field, status] of [
    [{}, 'messageId', 400],
    [{ messageId: unknown }, 'messageId', 404],
    [{ messageId: foreign }, 'messageId', 404],
    [{ messageId: 'x' }, 'messageId', 404],
    [{ messageId, startAt: 'tomorrow' }, 'startAt', 400],
    [{ messageId, startAt: '2026-10-01T00:00:00Z', endAt: '2026-10-01T00:00:00Z' }, 'endAt', 400],
    [{ messageId, priority: 1.5 }, 'priority', 400],
    [{ messageId, priority: 1001 }, 'priority', 400],
    [{ messageId, inbox: 'yes' }, 'inbox', 400],
    [{ messageId, filter: { any: [{ tag: 'a' }] } }, 'filter.any[0]', 400],
  ] as const)
    await refuses(t, `POST ${inApp}`, body, { status, field });
  t.same((await api.must(`GET ${inApp}`)).items, [], 'nothing half-done');
  const { id } = await api.must(`POST ${inApp}`, { messageId, startAt: '2026-10-01T00:00:00Z' });
  const early = { endAt: '2026-09-30T00:00:00Z' };
  await refuses(t, `PATCH ${inApp}/${id}`, early, { status: 400, field: 'endAt' });
  await refuses(
    t,
    `PATCH ${inApp}/${id}`,
    { messageId: unknown },
    { status: 404, field: 'messageId' },
  );
  await takes(t, `DELETE ${inApp}/${id}`, undefined, 204);
});

t.test('a message that an in-app message shows is not deleted, and which is said', async (t) => {
  const { id } = await api.must(`POST ${inApp}`, { messageId });
  await refuses(t, `DELETE ${base}/messages/${messageId}`, undefined, {
    status: 409,
    code: 'in_use',
    error: new RegExp(id),
  });
  const other = (await api.must(`POST ${base}/messages`, { body: 'other' })).id;
  await takes(t, `PATCH ${inApp}/${id}`, { messageId: other }, 200);
  await refuses(t, `DELETE ${base}/messages/${other}`, undefined, { status: 409 });
  await takes(t, `DELETE ${inApp}/${id}`, undefined, 204);
  await takes(t, `DELETE ${base}/messages/${other}`, undefined, 204);
});

t.test('people count once each, by the events that apps track, also after a kill', async (t) => {
  const { id } = await api.must(`POST ${inApp}`, { messageId });
  const counts = async () => (await api.must(`GET ${inApp}/${id}`)).counts;
  const track = (
    ...events: (readonly [name: string, externalUserId: string, messageId?: string])[]
  ) =>
    api.must('POST /e', {
      appId: app,
      events: events.map(([name, externalUserId, messageId = id]) => ({
        name,
        externalUserId,
        messageId,
      })),
    });
  await track(
    ['inapp_viewed', 'ada'],
    ['inapp_viewed', 'ada'],
    ['inapp_viewed', 'ben'],
    ['inapp_viewed', 'eve', `iam_${'0'.repeat(26)}`],
    ['inapp_clicked', 'ada'],
    ['purchase', 'ada'],
  );
  const first = { viewed: 2, clicked: 1, dismissed: 0, read: 0, archived: 0 };
  t.same(await counts(), first, 'in the answer after the one to the events');
  afterKill(server, 'people are counted once, also those from before', async (t) => {
    t.same(await counts(), first);
    await track(['inapp_viewed', 'ben'], ['inapp_dismissed', 'ben'], ['inbox_read', 'ada']);
    await track(['inbox_archived', 'ben'], ['inbox_archived', 'ben']);
    t.same(await counts(), { viewed: 2, clicked: 1, dismissed: 1, read: 1, archived: 1 });
    const ben = await api.must(`GET ${base}/subscribers?externalUserId=ben`);
    await takes(t, `DELETE ${base}/subscribers/${ben.items[0].id}`, undefined, 204);
    t.same(
      await counts(),
      { viewed: 1, clicked: 1, dismissed: 0, read: 1, archived: 0 },
      'without who was erased',
    );
  });
});

t.test('events are kept as long as an in-app message looks back', async (t) => {
  const filter = { event: 'order', notWithinDays: 60 };
  const { id } = await api.must(`POST ${inApp}`, { messageId, filter });
  await refuses(
    t,
    `PATCH ${base}/settings`,
    { eventsRetentionDays: 30 },
    { status: 400, field: 'eventsRetentionDays', error: new RegExp(`${id} looks back 60 days`) },
  );
});
