// Contract, section 5: message templates over HTTP, and what starts from one: messages and sends,
// which keep what they took. Source: specification, "Message template" and "Errors".

import t from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { client, eventually } from '../support/server.ts';
import { chapter, withKey } from './chapter.ts';

const all = await chapter(t);
const { api, base, server, takes, refuses } = all;
const templates = `${base}/message-templates`;
const messages = `POST ${base}/messages`;
const notify = `POST ${base}/notifications`;
const sandbox = client(server.sandboxUrl);

const content = {
  title: 'Order {{ order_id }}',
  body: 'Hi {{ first_name }}.',
  image: 'https://cdn.example/a.png',
  deepLink: 'shop://orders',
  data: { screen: 'orders' },
  buttons: [{ id: 'go', label: 'Go', url: 'https://shop.example/' }],
  ttlSeconds: 600,
  payload: { custom: { a: 1 }, collapseKey: 'orders' },
  localizations: { th: { body: 'สวัสดี {{ first_name }}' }, de: { title: 'Bestellung' } },
};

for (const [name, language] of [
  ['ada', 'th-TH'],
  ['ben', 'de'],
  ['cid', 'fr'],
] as const)
  await api.must(`POST ${base}/subscribers`, {
    externalUserId: name,
    tags: { first_name: name, language },
    devices: [{ channel: 'fcm', endpoint: `token-of-${name}` }],
  });

t.test(
  'a template is read by id and by handle, changed member by member, and deleted',
  async (t) => {
    const { json: made } = await takes(
      t,
      `POST ${templates}`,
      { name: 'shipped', ...content },
      201,
    );
    t.match(made, { id: /^tpl_[0-9a-z]{26}$/, name: 'shipped', ...content, createdAt: /Z$/ });
    for (const named of [made.id, 'shipped'])
      t.same(await api.must(`GET ${templates}/${named}`), made);
    const changed = await api.must(`PATCH ${templates}/shipped`, {
      payload: { other: 1 },
      image: null,
      localizations: { th: { title: 'ใหม่' } },
    });
    t.same(changed.payload, { other: 1 }, 'wholesale');
    t.same(changed.localizations, { th: { title: 'ใหม่' } }, 'wholesale');
    t.notOk('image' in changed);
    t.equal(changed.body, content.body);
    t.ok(changed.updatedAt > changed.createdAt);
    await takes(t, `DELETE ${templates}/shipped`, undefined, 204);
    for (const named of [made.id, 'shipped', 'x'.repeat(600), '..%2F..', '%00'])
      for (const [verb, body] of [
        ['GET', undefined],
        ['PATCH', { body: 'x' }],
        ['DELETE', undefined],
      ] as const)
        await refuses(t, `${verb} ${templates}/${named}`, body, {
          status: 404,
          code: 'not_found',
          error: /^template not found$/,
        });
  },
);

t.test(
  'a handle is letters, digits, _ . and -, 1 to 128 of them, and unique in its app',
  async (t) => {
    const make = (name: unknown) => ({ name, body: 'x' });
    for (const name of ['a', 'Order_shipped.v2-b', '0', 'x'.repeat(128), 'tpl_short']) {
      await takes(t, `POST ${templates}`, make(name), 201, name);
      await refuses(
        t,
        `POST ${templates}`,
        make(name),
        { status: 409, code: 'duplicate', field: 'name', error: /already/ },
        name,
      );
    }
    await takes(t, `POST ${templates}`, make('A'), 201, 'capitals are others');
    const wrong = ['', 'x'.repeat(129), 'a b', 'ä', 'a/b', 'a\n', 1, null, `tpl_${'0'.repeat(26)}`];
    for (const name of wrong) {
      const refusal = { status: 400, code: 'invalid', field: 'name' };
      await refuses(t, `POST ${templates}`, make(name), refusal, String(name));
      await refuses(t, `PATCH ${templates}/a`, { name }, refusal, String(name));
    }
    await refuses(t, `POST ${templates}`, { body: 'x' }, { status: 400, field: 'name' });
    await refuses(t, `PATCH ${templates}/a`, { name: 'A' }, { status: 409, field: 'name' });
    await takes(t, `PATCH ${templates}/a`, { name: 'a' }, 200, 'its own');
    await takes(t, `PATCH ${templates}/a`, { name: 'renamed' }, 200);
    await refuses(t, `GET ${templates}/a`, undefined, { status: 404 }, 'nothing is forwarded');
    await takes(t, `POST ${templates}`, make('a'), 201, 'and the handle is free');
    const { id: other } = await api.must('POST /v1/apps', { name: 'Other' });
    await takes(t, `POST /v1/apps/${other}/message-templates`, make('a'), 201, 'of another app');
  },
);

t.test('content is judged by the contract of messages', async (t) => {
  const wrong: readonly (readonly [object, string, RegExp])[] = [
    [{}, 'body', /is missing; expected a string/],
    [{ title: 'x' }, 'body', /is missing/],
    [{ body: '{{ a | nofilter }}' }, 'body', /undefined filter: nofilter/],
    [{ body: 'x', ttlSeconds: 'soon' }, 'ttlSeconds', /./],
    [{ body: 'x', payload: { ttlSeconds: 'soon' } }, 'payload.ttlSeconds', /integer/],
    [{ body: 'x', data: { from: 'x' } }, 'data.from', /reserved/],
    [{ body: 'x', buttons: [{ label: 'Go', url: 'javascript:x' }] }, 'buttons[0].url', /./],
    [{ body: 'x', localizations: { x1: { body: '' } } }, 'localizations.x1', /language tag/],
    [{ payload: { whatsapp: {} } }, 'payload.whatsapp.templateName', /approved template/],
  ];
  await api.must(`POST ${templates}`, { name: 'judged', body: 'kept' });
  for (const [body, field, error] of wrong) {
    const refusal = { status: 400, code: 'invalid', field, error };
    await refuses(t, `POST ${templates}`, { name: 'wrong', ...body }, refusal);
    await refuses(t, messages, body, refusal, 'as a message is');
    if ('body' in body) await refuses(t, `PATCH ${templates}/judged`, body, refusal);
  }
  await refuses(t, `PATCH ${templates}/judged`, { body: null }, { status: 400, field: 'body' });
  t.equal((await api.must(`GET ${templates}/judged`)).body, 'kept');
  const whatsapp = { templateName: 'shipped', languageCode: 'en' };
  await takes(t, `POST ${templates}`, { name: 'wa', payload: { whatsapp } }, 201);
});

t.test('templates are listed newest first, by pages', async (t) => {
  const { id: other } = await api.must('POST /v1/apps', { name: 'Listed' });
  const list = `/v1/apps/${other}/message-templates`;
  for (let i = 0; i < 9; i++) await api.must(`POST ${list}`, { name: `n${9 - i}`, body: 'x' });
  const first = await api.must(`GET ${list}?limit=5`);
  const rest = await api.must(`GET ${list}?limit=4&cursor=${first.nextCursor}`);
  const names = [...first.items, ...rest.items].map(({ name }: { name: string }) => name);
  t.same(names, ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8', 'n9']);
  t.equal(rest.nextCursor, null);
  await refuses(t, `GET ${list}?cursor=n9`, undefined, { status: 400, field: 'cursor' });
});

t.test('a message starts as a copy, with what is given over it, and keeps it', async (t) => {
  const { id } = await api.must(`POST ${templates}`, { name: 'copied', ...content });
  const given = {
    name: 'August',
    body: 'Mine.',
    payload: { ttlSeconds: 5 },
    localizations: { fr: { body: 'À moi.' } },
  };
  const { ttlSeconds: _, ...kept } = content;
  for (const named of [{ templateName: 'copied' }, { templateId: id }]) {
    const { json: whole } = await takes(t, messages, named, 201);
    t.match(whole, { id: /^msg_/, messageId: whole.id, ...content });
    t.notOk('name' in whole || 'templateName' in whole || 'templateId' in whole);
    const { json } = await takes(t, messages, { ...named, ...given }, 201);
    t.match(json, { ...kept, ...given });
    t.same([json.payload, json.localizations], [given.payload, given.localizations], 'wholesale');
    t.notOk('ttlSeconds' in json, 'an option that is given in payload is that option');
  }
  const { json: message } = await takes(t, messages, { templateName: 'copied' }, 201);
  await api.must(`PATCH ${templates}/copied`, { body: 'Changed.', title: null });
  t.match(await api.must(`GET ${base}/messages/${message.id}`), content);
  await takes(t, `DELETE ${templates}/copied`, undefined, 204, 'though messages started from it');
  t.match(await api.must(`GET ${base}/messages/${message.id}`), content);
  for (const [named, field] of [
    [{ templateName: 'copied' }, 'templateName'],
    [{ templateId: id }, 'templateId'],
    [{ templateName: 'never' }, 'templateName'],
    [{ templateId: 'copied' }, 'templateId'],
  ] as const)
    for (const [line, more] of [
      [messages, { body: 'x' }],
      [notify, { body: 'x', externalUserId: 'ada' }],
    ] as const)
      await refuses(t, line, { ...more, ...named }, { status: 404, code: 'not_found', field });
});

t.test('a template is there after a kill', async () => {
  const { id: app } = await api.must('POST /v1/apps', { name: 'Killed' });
  const templates = `/v1/apps/${app}/message-templates`;
  const design = { version: 1, blocks: [{ kind: 'text', text: 'Hi' }] };
  const made = await api.must(`POST ${templates}`, { name: 'shipped', ...content, design });
  afterKill(server, 'a template is read by id and by handle, with its design', async (t) => {
    for (const named of [made.id, 'shipped'])
      t.same(await api.must(`GET ${templates}/${named}`), made);
  });
});

t.test("a template keeps an editor's design, and gives it to messages made from it", async (t) => {
  const design = { version: 1, blocks: [{ kind: 'text', text: 'Hi' }] };
  const { json: made } = await takes(
    t,
    `POST ${templates}`,
    { name: 'blocks', body: 'Hi', design },
    201,
  );
  t.same(made.design, design);
  t.same((await api.must(`GET ${templates}/blocks`)).design, design);
  const from = { templateName: 'blocks' };
  t.same((await api.must(messages, { ...from, title: 'T' })).design, design);
  t.notOk('design' in (await api.must(messages, { ...from, body: 'other' })), 'of another body');
  t.same((await api.must(messages, { ...from, design: { version: 2 } })).design, { version: 2 });
  const renamed = await api.must(`PATCH ${templates}/blocks`, { name: 'bricks' });
  t.same(renamed.design, design, 'what is not given stays');
  t.same((await api.must(`PATCH ${templates}/bricks`, { design: { a: 1 } })).design, { a: 1 });
  t.notOk('design' in (await api.must(`PATCH ${templates}/bricks`, { design: null })));
  await refuses(
    t,
    `POST ${templates}`,
    { name: 'n', body: 'x', design: 'text' },
    { status: 400, field: 'design' },
  );
});

t.test('naming a template takes read beside the scope of the route', async (t) => {
  await api.must(`POST ${templates}`, { name: 'scoped', body: 'x' });
  for (const [line, scope] of [
    [messages, 'write'],
    [notify, 'send'],
  ] as const) {
    const body = { externalUserId: 'ada', title: 'x', templateName: 'scoped' };
    const keyOf = async (scopes: readonly string[]) =>
      withKey(all, (await api.must('POST /v1/keys', { name: scope, scopes })).key);
    const without = await keyOf([scope]);
    for (const templateName of ['scoped', 'never'])
      t.match(await without.call(line, { ...body, templateName }), {
        status: 403,
        json: { code: 'forbidden', error: new RegExp(`read in addition to ${scope}`) },
      });
    const { templateName: _, ...plain } = body;
    const free = await without.call(line, { ...plain, body: 'x', templateName: null });
    t.ok(free.status < 300, 'without one it does not');
    const both = await keyOf([scope, 'read']);
    t.ok((await both.call(line, body)).status < 300);
    await refuses(t, line, { ...body, templateId: 'x' }, { status: 400, field: 'templateId' });
    await refuses(
      t,
      line,
      { ...body, templateName: 'a b' },
      { status: 400, field: 'templateName' },
    );
  }
});

t.test('a send takes the template’s copy in the language of the person', async (t) => {
  await api.must(`POST ${templates}`, { name: 'order', ...content });
  const variables = { order_id: 'A-1' };
  const whole = async (id: string) => {
    const { exchange } = await eventually(async () => {
      const [first] = (await sandbox.must(`GET /control/messages?sendId=${id}`)).messages;
      return first && sandbox.must(`GET /control/messages/${first.id}`);
    }, 'nothing arrives');
    return JSON.parse(exchange.requestBody).message;
  };
  const sent = async (externalUserId: string, more: object = {}) => {
    const body = { externalUserId, templateName: 'order', variables, ...more };
    return whole((await takes(t, notify, body, 202)).json.id);
  };
  const shown = async (who: string, more?: object) => (await sent(who, more)).notification;
  t.match(await shown('ada'), { title: 'Order A-1', body: 'สวัสดี ada' }, 'th-TH reads th');
  t.match(await shown('ben'), { title: 'Bestellung', body: 'Hi ben.' });
  t.match(await shown('cid'), { title: 'Order A-1', body: 'Hi cid.' }, 'the default');
  t.match(
    await shown('ben', { localizations: { th: { body: 'x' } } }),
    { title: 'Order A-1', body: 'Hi ben.' },
    'localizations that are given stand for the template’s',
  );
  t.match(
    await shown('ada', { title: 'Mine', body: 'Mine.' }),
    { title: 'Mine', body: 'Mine.' },
    'what is given replaces the template’s in all its languages',
  );
  t.match(await shown('ada', { title: 'Mine' }), { title: 'Mine', body: 'สวัสดี ada' });
  const batch = {
    templateName: 'order',
    variables,
    body: 'Same.',
    recipients: [{ externalUserId: 'ada' }],
  };
  const { results } = (await takes(t, `${notify}/batch`, batch, 202)).json;
  t.match(
    (await whole(results[0].id)).notification,
    { title: 'Order A-1', body: 'Same.' },
    'a batch does the same',
  );
  const one = await sent('cid', { data: { own: 'yes' } });
  t.match(one.data, { own: 'yes' });
  t.notOk('screen' in one.data, 'wholesale');
  // What is left of its life when it leaves.
  t.match(one.android.ttl, /^(600|59\d)s$/);
  t.match((await sent('cid', { data: { ttlSeconds: 60 } })).android.ttl, /^(60|5\d)s$/);
});

t.test('what a template leaves open is asked for when it is used, and by its name', async (t) => {
  await api.must(`POST ${templates}`, { name: 'open', body: 'Order {{ order_id }}' });
  await api.must(`POST ${templates}`, { name: 'data', body: 'x', data: { ttlSeconds: 'soon' } });
  const to = { externalUserId: 'ada' };
  const send = (templateName: string, more: object = {}) => ({ ...to, templateName, ...more });
  const invalid = { status: 400, code: 'invalid' };
  await refuses(t, notify, send('open'), {
    ...invalid,
    field: 'body',
    error: 'body: undefined variable: order_id',
  });
  await refuses(t, notify, send('open', { channels: ['fcm'], variables: { order_id: 1 } }), {
    ...invalid,
    field: 'title',
  });
  const body = send('open', { idempotencyKey: 'handed-back' });
  await refuses(t, notify, body, invalid);
  await takes(t, notify, { ...body, variables: { order_id: 1 } }, 202, 'its key is free');
  await takes(t, messages, { templateName: 'data' }, 201, 'marketing has no options in data');
  await refuses(t, notify, send('data'), { ...invalid, field: 'data.ttlSeconds' });
  await takes(t, notify, send('data', { data: {} }), 202);
});

t.test('a campaign names a message, and says so of a template', async (t) => {
  const { id: messageId } = await api.must(messages, { title: 'x', body: 'x' });
  const error =
    /a campaign sends a saved message; create it with POST \/v1\/apps\/\{appId\}\/messages/;
  const { id } = await api.must(`POST ${base}/campaigns`, { messageId, templateName: null });
  const variant = { id: 'a', weight: 1, messageId };
  for (const [named, field] of [
    [{ templateName: 'order' }, 'templateName'],
    [{ templateId: 'tpl_x' }, 'templateId'],
    [
      { variants: [variant, { ...variant, id: 'b', templateName: 'order' }] },
      'variants[1].templateName',
    ],
  ] as const) {
    const refusal = { status: 400, code: 'invalid', field, error };
    await refuses(t, `POST ${base}/campaigns`, { messageId, ...named }, refusal);
    await refuses(t, `PATCH ${base}/campaigns/${id}`, named, refusal);
    if (!('variants' in named))
      await refuses(t, `POST ${base}/campaigns`, named, refusal, 'though messageId is missing');
  }
  const { json } = await takes(t, `PATCH ${base}/campaigns/${id}`, { templateName: null }, 200);
  t.notOk('templateName' in json);
});
