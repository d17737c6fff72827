// Templates where a message is shown or sent by something else: steps of journeys and in-app
// messages, which keep what they took; and the delivery options written as one member.

import t from 'tap';
import { chapter, withKey } from './chapter.ts';

const all = await chapter(t);
const { api, base, takes } = all;
const content = {
  title: 'Order {{ order_id }}',
  body: 'Hi {{ first_name }}.',
  ttlSeconds: 600,
  localizations: { de: { body: 'Hallo {{ first_name }}.' } },
};
const template = await api.must(`POST ${base}/message-templates`, { name: 'order', ...content });
const { key } = await api.must('POST /v1/keys', { name: 'Writer', scopes: ['write'] });
const writer = withKey(all, key);
const send = (more: object) => ({ id: 's', type: 'send', ...more });
const journey = (...steps: object[]) => ({ name: 'j', triggerEvent: 'e', steps });

t.test('a step copies the template that it names, by handle or id, under its own', async (t) => {
  const { json } = await takes(
    t,
    `POST ${base}/journeys`,
    journey(
      { ...send({ templateName: 'order' }), id: 'a' },
      { ...send({ message: { templateId: template.id, title: 'Mine' } }), id: 'b' },
      {
        ...{ id: 'c', type: 'condition', filter: { tag: 'plan', eq: 'pro' } },
        then: [{ ...send({ templateId: template.id, channels: ['fcm'] }), id: 'd' }],
      },
    ),
    201,
  );
  t.notOk('warnings' in json);
  const [a, b, c] = json.steps;
  t.same(a, { ...send({ message: content }), id: 'a' });
  t.same(b.message, { ...content, title: 'Mine', localizations: content.localizations });
  t.same(c.then[0], { ...send({ message: content, channels: ['fcm'] }), id: 'd' });
  await api.must(`PATCH ${base}/message-templates/order`, { ttlSeconds: 5 });
  t.equal((await api.must(`GET ${base}/journeys/${json.id}`)).steps[0].message.ttlSeconds, 600);
  await api.must(`PATCH ${base}/message-templates/order`, { ttlSeconds: 600 });
  const corrected = await takes(
    t,
    `PATCH ${base}/journeys/${json.id}/steps/d`,
    { message: { templateName: 'order', title: 'Corrected' } },
    200,
  );
  t.equal(corrected.json.steps[2].then[0].message.title, 'Corrected');
});

t.test('a step says which template is unknown, twice named, or not to be read', async (t) => {
  const wrong = async (step: object, field: string, error: RegExp, code = 'invalid') => {
    const status = code === 'invalid' ? 400 : 404;
    const answer = await api.call(`POST ${base}/journeys`, journey(send(step)));
    t.match(answer, { status, json: { code, field, error } }, field);
  };
  await wrong({ templateName: 'nope' }, 'steps[0].templateName', /not found: nope/, 'not_found');
  const inside = 'steps[0].message.templateId';
  await wrong({ message: { templateId: 'tpl_x' } }, inside, /not found: tpl_x/, 'not_found');
  const both = { templateName: 'order', templateId: template.id };
  await wrong(both, 'steps[0]', /has both templateName and templateId/);
  await wrong({ message: both }, inside, /not both/);
  await wrong({ templateName: 'order', messageId: 'm' }, 'steps[0]', /has both/);
  await wrong({ templateName: 7 }, 'steps[0].templateName', /expected a string/);
  await wrong({}, 'steps[0]', /expected one of messageId, message, templateName/);
  const nested = journey({
    ...{ id: 'c', type: 'condition', filter: { tag: 'plan', eq: 'pro' }, then: [] },
    else: [send({ message: { templateName: 'order' } })],
  });
  t.match(await writer.call(`POST ${base}/journeys`, nested), {
    status: 403,
    json: { code: 'forbidden', error: /needs the scope read/ },
  });
});

t.test('an in-app message is made of a template, with a message of its own', async (t) => {
  const { json } = await takes(
    t,
    `POST ${base}/in-app-messages`,
    { templateName: 'order', priority: 3, show: 'inbox' },
    201,
  );
  t.match(json, { priority: 3, show: 'inbox', messageId: /^msg_/ });
  t.match(await api.must(`GET ${base}/messages/${json.messageId}`), content);
  const messages = async () => (await api.must(`GET ${base}/messages`)).total;
  const before = await messages();
  const route = `POST ${base}/in-app-messages`;
  for (const [body, field, status] of [
    [{}, 'messageId', 400],
    [{ templateName: 'order', messageId: json.messageId }, 'messageId', 400],
    [{ templateName: 'order', templateId: template.id }, 'templateId', 400],
    [{ templateName: 'nope' }, 'templateName', 404],
    [{ templateName: 'order', filter: { segmentId: 'seg_x' } }, 'filter.segmentId', 400],
  ] as const)
    t.match(await api.call(route, body), { status, json: { field } }, JSON.stringify(body));
  t.equal((await writer.call(route, { templateName: 'order' })).status, 403);
  t.equal(await messages(), before, 'a refusal leaves no message behind');
});

t.test('the delivery options may be one member; at top level they win', async (t) => {
  const deliveryOptions = { ttlSeconds: 60, priority: 'high', collapseKey: 'k' };
  const body = { title: 'x', body: 'x', ttlSeconds: 5, deliveryOptions };
  const { json } = await takes(t, `POST ${base}/messages`, body, 201);
  t.match(json, { ttlSeconds: 5, priority: 'high', collapseKey: 'k' });
  t.notOk('deliveryOptions' in json || 'warnings' in json);
  const change = `PATCH ${base}/messages/${json.id}`;
  t.match((await takes(t, change, { deliveryOptions: { badgeCount: 2 } }, 200)).json, {
    ...{ ttlSeconds: 5, badgeCount: 2, priority: 'high' },
  });
  const cleared = (await takes(t, change, { deliveryOptions: null, sound: 'ping' }, 200)).json;
  t.equal(cleared.sound, 'ping');
  for (const name of ['ttlSeconds', 'badgeCount', 'priority', 'collapseKey'])
    t.notOk(name in cleared, name);
  const misspelled = { title: 'x', body: 'x', deliveryOptions: { ttlSecond: 5 } };
  const warned = await takes(t, `POST ${base}/messages`, misspelled, 201);
  t.match(warned.json.warnings, [{ field: 'deliveryOptions.ttlSecond' }]);
  const wrong = { title: 'x', body: 'x', deliveryOptions: { ttlSeconds: 'soon' } };
  for (const route of ['messages', 'notifications', 'message-templates'])
    t.match(
      await api.call(`POST ${base}/${route}`, { ...wrong, name: 'n', externalUserId: 'ada' }),
      { status: 400, json: { field: 'deliveryOptions.ttlSeconds' } },
      route,
    );
  const long = { ...wrong, deliveryOptions: { sound: 'x'.repeat(3_000) } };
  t.match(await api.call(`POST ${base}/messages`, long), {
    ...{ status: 400, json: { field: 'deliveryOptions.sound' } },
  });
  const step = send({ message: { body: 'x', deliveryOptions } });
  const steps = (await takes(t, `POST ${base}/journeys`, journey(step), 201)).json.steps;
  t.same(steps[0].message, { body: 'x', ...deliveryOptions });
});
