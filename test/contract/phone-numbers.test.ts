// Phone numbers as people write them, the setting that reads national ones, and bad devices in an
// import (contract, section 4).

import t from 'tap';
import { client } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, app, base, server, takes, refuses } = await chapter(t);
const people = `POST ${base}/subscribers`;
const settings = `${base}/settings`;
const line = 'POST /v1/import/subscribers';
const sms = (endpoint: unknown) => ({ channel: 'sms', endpoint });
const mail = (name: string) => ({ channel: 'email', endpoint: `${name}@example.com` });
const addresses = async (id: string): Promise<string[]> =>
  (await api.must(`GET ${base}/subscribers/external:${id}`)).devices.map(
    ({ endpoint }: { endpoint: string }) => endpoint,
  );

t.test('a number copied from a phone is taken by every call', async (t) => {
  const raw = '\u202a+62 812\u20113456\u20117101\u202c';
  const made = await takes(t, people, { externalUserId: 'copied', devices: [sms(raw)] }, 201);
  t.equal(made.json.devices[0].endpoint, '+6281234567101');
  const added = await takes(t, `${people}/external:copied/devices`, sms('0084 91 234 56 78'), 201);
  t.equal(added.json.endpoint, '+84912345678');
  const opt = await takes(t, `POST ${base}/suppressions`, { channel: 'sms', address: raw }, 201);
  t.equal(opt.json.address, '+6281234567101');
  const asked = encodeURIComponent(raw);
  const listed = await api.must(`GET ${base}/suppressions?address=${asked}`);
  t.equal(listed.items.length, 1, 'without a channel, too');
  for (const query of [`address=${asked}`, `phone=${asked}`, 'phone=+6281234567101'])
    t.equal((await api.must(`GET ${base}/subscribers?${query}`)).items.length, 1, query);
  await takes(t, `DELETE ${base}/suppressions?channel=voice&address=${asked}`, undefined, 204);
});

t.test('a national number names the setting that would read it', async (t) => {
  for (const [route, body, field] of [
    [people, { devices: [sms('0812 3456 7102')] }, 'devices[0].endpoint'],
    [`${people}/external:copied/devices`, sms('0812 3456 7102'), 'endpoint'],
    [`POST ${base}/suppressions`, { channel: 'sms', address: '0812 3456 7102' }, 'address'],
  ] as const)
    await refuses(t, route, body, { status: 400, field, error: /E\.164.*defaultCountry/ });
  const error = /^devices\[0\]\.endpoint: has an extension/;
  await refuses(t, people, { devices: [sms('+1 415 555 0123 x5')] }, { status: 400, error });
});

t.test('defaultCountry is a country with phone numbers, or null', async (t) => {
  t.equal((await api.must(`GET ${settings}`)).defaultCountry, null);
  for (const wrong of ['', 'X', 'ZZ', 'USA', 'AQ', '62', 7, ['ID']])
    await refuses(
      t,
      `PATCH ${settings}`,
      { defaultCountry: wrong },
      { status: 400, field: 'defaultCountry' },
    );
  const { etag } = await api.must(`GET ${settings}`);
  const set = await takes(t, `PATCH ${settings}`, { defaultCountry: ' id ' }, 200);
  t.equal(set.json.defaultCountry, 'ID');
  t.not(set.json.etag, etag);
  const { items } = await api.must('GET /v1/org/audit-log?action=settings.changed');
  t.match(items[0], { before: { defaultCountry: null }, after: { defaultCountry: 'ID' } });
});

t.test('with it national numbers are read in every call', async (t) => {
  await api.must(`PATCH ${settings}`, { defaultCountry: 'ID' });
  const made = await takes(
    t,
    people,
    { externalUserId: 'local', devices: [sms('0812-3456-7103')] },
    201,
  );
  t.equal(made.json.devices[0].endpoint, '+6281234567103');
  await takes(t, `${people}/external:local/devices`, sms('6281234567104'), 201);
  const rows = [{ externalUserId: 'row', devices: [sms('(0812) 3456 7105')] }];
  t.match((await takes(t, line, { appId: app, rows, dryRun: true }, 200)).json, { failed: 0 });
  await takes(t, line, { appId: app, rows }, 200);
  t.same(await addresses('row'), ['+6281234567105']);
  const address = '0812 3456 7105';
  await takes(t, `POST ${base}/suppressions`, { channel: 'whatsapp', address }, 201);
  for (const query of ['channel=sms&', ''])
    t.equal(
      (await api.must(`GET ${base}/suppressions?${query}address=${address}`)).items.length,
      1,
      query,
    );
  t.equal((await api.must(`GET ${base}/subscribers?phone=${address}`)).items.length, 1);
  t.equal((await api.must(`${people}/search`, { q: address })).total, 1);
  await takes(t, `DELETE ${base}/suppressions?channel=sms&address=${address}`, undefined, 204);
  const stranger = client(server.url);
  const { clientToken } = await stranger.must('POST /v1/sdk/subscriber', { appId: app });
  const body = { appId: app, clientToken, ...sms('0812 3456 7106') };
  await stranger.must('POST /v1/sdk/register', body);
  t.equal((await api.must(`GET ${base}/subscribers?phone=081234567106`)).items.length, 1);
  await refuses(
    t,
    people,
    { devices: [sms('08')] },
    { status: 400, error: /E\.164.*ID, the app's defaultCountry/ },
  );
  await takes(t, `PATCH ${settings}`, { defaultCountry: null }, 200);
  t.same(await addresses('row'), ['+6281234567105'], 'what is stored stays');
  await refuses(t, people, { devices: [sms('0812-3456-7107')] }, { status: 400 });
});

t.test('a bad device of a row leaves the person and the other devices', async (t) => {
  const rows = [
    { externalUserId: 'part-0', tags: { a: 1 }, devices: [mail('part-0'), sms('call me')] },
    { externalUserId: 'part-1', devices: [sms('0812'), { channel: 'fax', endpoint: '1' }] },
    { devices: [sms('0812'), mail('part-2')] },
    { tags: { name: 'Nobody' }, devices: [sms('0812')] },
    { externalUserId: 'part-4', devices: [null, mail('part-4'), { channel: 'email' }, mail('@')] },
    { externalUserId: 'part-5', devices: 'none' },
    { externalUserId: 'part-6', timezone: 'Mars', devices: [sms('0812')] },
  ];
  const dry = await takes(t, line, { appId: app, rows, dryRun: true }, 200);
  const { json } = await takes(t, line, { appId: app, rows }, 200);
  t.same(dry.json, json, 'a dry run says the same');
  t.match(json, { created: 4, updated: 0, failed: 3 });
  t.same(
    json.errors.map(({ row, device, error }: { row: number; device?: number; error: string }) => [
      row,
      device,
      error.slice(0, error.indexOf(': ')),
    ]),
    [
      [0, 1, 'devices[1].endpoint'],
      [1, 0, 'devices[0].endpoint'],
      [1, 1, 'devices[1].channel'],
      [2, 0, 'devices[0].endpoint'],
      [3, undefined, 'devices[0].endpoint'],
      [4, 0, 'devices[0]'],
      [4, 2, 'devices[2].endpoint'],
      [4, 3, 'devices[3].endpoint'],
      [5, undefined, 'devices'],
      [6, undefined, 'timezone'],
    ],
  );
  t.same(await addresses('part-0'), ['part-0@example.com']);
  t.same(await addresses('part-1'), []);
  t.same(await addresses('part-4'), ['part-4@example.com']);
  t.equal((await api.must(`GET ${base}/subscribers?address=part-2@example.com`)).items.length, 1);
});
