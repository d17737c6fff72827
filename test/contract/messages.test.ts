// Contract, section 5: saved messages over HTTP. What a send would refuse is refused when it is
// saved, by its member.

import t from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { chapter } from './chapter.ts';

const { api, base, takes, refuses, server } = await chapter(t);
const messages = `${base}/messages`;

const content = {
  title: 'Hi {{ first_name }}',
  body: 'Come to {{ city | default: "us" }}.',
  image: 'https://cdn.example/a.png',
  deepLink: 'shop://new',
  data: { screen: 'new', n: 1, big: true },
  buttons: [{ id: 'go', label: 'Go', url: 'https://shop.example/' }],
  badgeCount: 1,
  sound: 'ding',
  ttlSeconds: 60,
  collapseKey: 'news',
  androidChannelId: 'news',
  priority: 'high',
  localizations: { de: { title: 'Hallo' } },
  payload: {
    whatsapp: { templateName: 'news', languageCode: 'en_US', bodyParams: ['{{ first_name }}'] },
  },
};

t.test('a message is kept as it was sent, changed member by member, and deleted', async (t) => {
  const made = await takes(t, `POST ${messages}`, { name: 'News', ...content, other: 1 }, 201);
  const { id } = made.json;
  t.match(made.json, { id: /^msg_/, messageId: id, name: 'News', ...content, createdAt: /Z$/ });
  t.notOk('other' in made.json, 'members that are not known are ignored');
  t.same(made.json.warnings, [{ field: 'other', warning: 'unknown; ignored' }]);
  const { messageId: _id, warnings: _other, ...same } = made.json;
  t.same(await api.must(`GET ${messages}/${id}`), same);
  const { id: app } = await api.must('POST /v1/apps', { name: 'Killed' });
  const path = `/v1/apps/${app}/messages`;
  const { messageId: _same, ...kept } = await api.must(`POST ${path}`, {
    name: 'News',
    ...content,
  });
  afterKill(server, 'a message is as it was sent', async (t) =>
    t.same(await api.must(`GET ${path}/${kept.id}`), kept),
  );
  const changed = await api.must(`PATCH ${messages}/${id}`, {
    title: 'Servus',
    data: { screen: 'old' },
    image: null,
    ttlSeconds: null,
    name: null,
  });
  t.match(changed, { title: 'Servus', body: content.body, data: { screen: 'old' } });
  t.same(changed.data, { screen: 'old' }, 'wholesale');
  for (const gone of ['image', 'ttlSeconds', 'name', 'messageId']) t.notOk(gone in changed, gone);
  t.ok(changed.updatedAt > changed.createdAt);
  await takes(t, `DELETE ${messages}/${id}`, undefined, 204);
  for (const [line, body] of [
    [`GET ${messages}/${id}`, undefined],
    [`PATCH ${messages}/${id}`, { body: 'x' }],
    [`DELETE ${messages}/${id}`, undefined],
    [`GET ${messages}/${'x'.repeat(600)}`, undefined],
  ] as const)
    await refuses(t, line, body, { status: 404, error: /message not found/ });
});

t.test('what could not be rendered or sent is refused by the name of its member', async (t) => {
  const wrong: readonly (readonly [body: object, field: string, error: RegExp])[] = [
    [{}, 'body', /is missing; expected a string/],
    [{ title: 'x' }, 'body', /is missing/],
    [{ body: ' ' }, 'body', /renders to nothing/],
    [{ body: '{{ a | nofilter }}' }, 'body', /undefined filter: nofilter/],
    [{ body: 'x', title: '{% if %}' }, 'title', /./],
    [{ body: 'x', ttlSeconds: 'soon' }, 'ttlSeconds', /./],
    [{ body: 'x', payload: { ttlSeconds: 'soon' } }, 'payload.ttlSeconds', /integer/],
    [
      { body: 'x', buttons: [{ label: 'Go', url: 'java\tscript:alert(1)' }] },
      'buttons[0].url',
      /./,
    ],
    [
      { body: 'x', localizations: { de: { body: '{{ a | nofilter }}' } } },
      'localizations.de.body',
      /undefined filter/,
    ],
    [{ payload: { whatsapp: 'x' } }, 'payload.whatsapp', /expected an object/],
    [
      { payload: { whatsapp: { languageCode: 'en' } } },
      'payload.whatsapp.templateName',
      /approved template/,
    ],
    [
      { payload: { whatsapp: { templateName: 'a', languageCode: 'english please' } } },
      'payload.whatsapp.languageCode',
      /such as en_US/,
    ],
    [
      { payload: { whatsapp: { templateName: 'a', languageCode: 'en', bodyParams: ['a', 1] } } },
      'payload.whatsapp.bodyParams[1]',
      /expected a string/,
    ],
    [
      { payload: { whatsapp: { templateName: 'a', languageCode: 'en', headerParams: 'a' } } },
      'payload.whatsapp.headerParams',
      /a list/,
    ],
    [
      { payload: { kakao: { templateCode: 'x' } } },
      'payload.kakao.templateId',
      /approved template/,
    ],
    [
      { payload: { kakao: { templateId: 'x', variables: { name: ['a'] } } } },
      'payload.kakao.variables.name',
      /expected a string/,
    ],
    [{ name: 'a\nb', body: 'x' }, 'name', /control characters/],
  ];
  const kept = await api.must(`POST ${messages}`, { body: 'kept', title: 'kept' });
  for (const [body, field, error] of wrong) {
    await refuses(t, `POST ${messages}`, body, { status: 400, field, error });
    if (!('body' in body) || body.body !== 'x') continue;
    await refuses(t, `PATCH ${messages}/${kept.id}`, body, { status: 400, field, error });
  }
  await refuses(t, `PATCH ${messages}/${kept.id}`, { body: null }, { status: 400, field: 'body' });
  for (const field of ['templateName', 'templateId'])
    await refuses(
      t,
      `PATCH ${messages}/${kept.id}`,
      { [field]: 'welcome' },
      { status: 400, field, error: /templates can only be used when a message is created/ },
    );
  const now = await api.must(`GET ${messages}/${kept.id}`);
  t.match(now, { body: 'kept', title: 'kept', updatedAt: kept.updatedAt }, 'nothing half-done');
});

t.test('a template of a provider stands for the body on its channel', async (t) => {
  for (const payload of [
    { whatsapp: { templateName: 'shipped', languageCode: 'pt_BR' } },
    { kakao: { templateId: 'KA01TP1', variables: { name: '{{ first_name }}' } } },
  ]) {
    const { json } = await takes(t, `POST ${messages}`, { payload }, 201);
    t.same(json.payload, payload);
    await takes(t, `PATCH ${messages}/${json.id}`, { body: 'x' }, 200);
    await takes(t, `PATCH ${messages}/${json.id}`, { body: null }, 200, 'it still has the payload');
    await refuses(
      t,
      `PATCH ${messages}/${json.id}`,
      { payload: null },
      { status: 400, field: 'body', error: /is missing/ },
    );
  }
});

t.test('messages are listed by pages that long ones make short', async (t) => {
  const { id: other } = await api.must('POST /v1/apps', { name: 'Other' });
  const list = `/v1/apps/${other}/messages`;
  const made: string[] = [];
  for (let i = 0; i < 12; i++) {
    const body = i < 9 ? `<p>${i}${'x'.repeat(262_000)}</p>` : `${i}`;
    made.push((await api.must(`POST ${list}`, { body })).id);
  }
  const pages: number[] = [];
  const found: string[] = [];
  let cursor = '';
  do {
    const page = await api.must(`GET ${list}?order=oldest&limit=200${cursor}`);
    pages.push(page.items.length);
    found.push(...page.items.map(({ id }: { id: string }) => id));
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
  } while (cursor !== '');
  t.same(found, made);
  t.same(pages, [9, 3], 'two mebibytes a page, about');
  t.same((await api.must(`GET ${list}?order=oldest&limit=3&cursor=${made[8]}`)).nextCursor, null);
  await refuses(t, `GET ${list}?cursor=x`, undefined, { status: 400, field: 'cursor' });
});

t.test('a message keeps the channels it is written for, in one order', async (t) => {
  const given = ['webpush', 'fcm', 'fcm', 'apns'];
  const made = await takes(t, `POST ${messages}`, { body: 'x', writtenFor: given }, 201);
  const writtenFor = ['fcm', 'apns', 'webpush'];
  t.same(made.json.writtenFor, writtenFor);
  const one = `${messages}/${made.json.id}`;
  t.same((await api.must(`GET ${one}`)).writtenFor, writtenFor);
  t.same((await api.must(`POST ${one}/duplicate`)).writtenFor, writtenFor, 'so does a copy');
  const kept = await api.must(`PATCH ${one}`, { body: 'y' });
  t.same(kept.writtenFor, writtenFor, 'what is not given stays');
  const other = await api.must(`PATCH ${one}`, { writtenFor: ['sms'] });
  t.same(other.writtenFor, ['sms']);
  t.not(other.etag, kept.etag, 'it is a change');
  t.notOk('writtenFor' in (await api.must(`PATCH ${one}`, { writtenFor: null })));
  t.notOk('writtenFor' in (await takes(t, `POST ${messages}`, { body: 'x' }, 201)).json);
  for (const wrong of [[], ['fax'], 'sms'])
    await refuses(
      t,
      `POST ${messages}`,
      { body: 'x', writtenFor: wrong },
      { status: 400, field: wrong.length === 1 ? 'writtenFor[0]' : 'writtenFor' },
    );
  const { id } = made.json;
  await api.must(`PATCH ${one}`, { writtenFor: ['email'] });
  const campaign = await api.must(`POST ${base}/campaigns`, { messageId: id });
  t.equal(campaign.channels, null, 'a call that names no channels means all of them');
});

t.test("an editor's design stays beside the body, and a copy has it too", async (t) => {
  const design = { version: 1, blocks: [{ kind: 'text', text: '{{ not | liquid' }], empty: null };
  const made = await takes(t, `POST ${messages}`, { body: 'x', design }, 201);
  const one = `${messages}/${made.json.id}`;
  t.same(made.json.design, design);
  t.same((await api.must(`GET ${one}`)).design, design);
  const copy = await api.must(`POST ${one}/duplicate`);
  t.same(copy.design, design);
  const { items } = await api.must(`GET ${messages}?order=newest&limit=1`);
  t.same(items[0].design, design);
  const changed = await api.must(`PATCH ${one}`, { body: 'y' });
  t.same(changed.design, design, 'what is not given stays');
  const other = await api.must(`PATCH ${one}`, { design: { version: 2 } });
  t.same([other.body, other.design], ['y', { version: 2 }]);
  t.notOk('design' in (await api.must(`PATCH ${one}`, { design: null })));
  t.same((await api.must(`GET ${messages}/${copy.id}`)).design, design);
  const long = { text: 'x'.repeat(262_144) };
  for (const body of [
    { body: 'x', design: 'text' },
    { body: 'x', design: long },
  ])
    await refuses(t, `POST ${messages}`, body, { status: 400, field: 'design' });
});
