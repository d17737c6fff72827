// What an opt-out covers, on every channel, through a whole server: everything, or marketing alone.

import { createHmac } from 'node:crypto';
import t from 'tap';
import { catalog } from '../../actors/channels/catalog.ts';
import { type ChannelId, channelIds } from '../../actors/channels/channel-ids.ts';
import { eventually } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, app, base, refuses, server, takes } = await chapter(t);
const appSecret = 'app-secret-of-this-tenant';
await takes(
  t,
  `POST ${base}/credentials/whatsapp`,
  { phoneNumberId: '123456', accessToken: 'x'.repeat(32), appSecret, verifyToken: 'verify me' },
  201,
);

const endpoints: Partial<Record<ChannelId, string>> = {
  email: 'nora@example.com',
  sms: '+14155550123',
  telegram: '7400123',
  line: `U${'4'.repeat(32)}`,
  zalo: '2512523625412515',
  viber: '01234567890A=',
};

async function receipt(externalUserId: string, channel: string) {
  const body = { externalUserId, channels: [channel], title: 'Code', body: 'Your code is 4177' };
  const { id } = await api.must(`POST ${base}/notifications`, body);
  const { outcomes } = await eventually(
    async () => {
      const read = await api.must(`GET ${base}/notifications/${id}`);
      return read.outcomes.length > 0 ? read : undefined;
    },
    () => 'no outcome',
  );
  return outcomes[0];
}

/** For whom a campaign on one channel would be suppressed, by reason. */
async function suppressedOn(externalUserId: string, channel: string) {
  await api.must(`PATCH ${base}/subscribers/external:${externalUserId}`, {
    tags: { only: channel },
  });
  const message = { title: 'Offer', body: 'Half price', channels: [channel] };
  const { id: messageId } = await api.must(`POST ${base}/messages`, message);
  const filter = { tag: 'only', eq: channel };
  const made = await api.must(`POST ${base}/campaigns`, { messageId, filter, channels: [channel] });
  const { wouldSuppress } = await api.must(`POST ${base}/campaigns/${made.id}/dry-run`);
  return wouldSuppress;
}

async function said(value: object) {
  const body = JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] });
  const hex = createHmac('sha256', appSecret).update(body).digest('hex');
  const response = await fetch(`${server.url}/v1/webhooks/whatsapp/${app}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${hex}` },
    body,
  });
  return response.json();
}

const preference = (wa_id: string, value: string, timestamp: number) =>
  said({ user_preferences: [{ wa_id, category: 'marketing_messages', value, timestamp }] });

t.test('every channel with addresses takes a scope', async (t) => {
  const devices = Object.entries(endpoints).map(([channel, endpoint]) => ({ channel, endpoint }));
  await api.must(`POST ${base}/subscribers`, { externalUserId: 'nora', devices });
  const withAddress = channelIds.filter((channel) => catalog[channel].identity !== undefined);
  for (const channel of withAddress) {
    const address = endpoints[channel] ?? '+14155550123';
    const add = (more: object) =>
      takes(t, `POST ${base}/suppressions`, { channel, address, ...more }, 201);
    const query = `channel=${channel}&address=${encodeURIComponent(address)}`;
    const { json } = await add({ scope: 'marketing' });
    t.match(json, { scope: 'marketing', source: 'api' }, channel);
    t.notOk(json.warnings, `${channel}: nothing is ignored`);
    t.match((await api.must(`GET ${base}/suppressions?${query}`)).items, [{ scope: 'marketing' }]);
    if (endpoints[channel] !== undefined) {
      t.match(await receipt('nora', channel), { status: 'delivered' }, channel);
      t.same(await suppressedOn('nora', channel), { opt_out: 1 }, channel);
    }
    t.match((await add({})).json, { scope: 'all' }, 'everything replaces marketing');
    t.match((await add({ scope: 'marketing' })).json, { scope: 'all' }, 'and never the reverse');
    if (endpoints[channel] !== undefined)
      t.match(await receipt('nora', channel), { status: 'suppressed', reason: 'opt_out' });
    await takes(t, `DELETE ${base}/suppressions?${query}`, undefined, 204);
  }
  await refuses(
    t,
    `POST ${base}/suppressions`,
    { channel: 'sms', address: '+14155550123', scope: 'offers' },
    { status: 400, field: 'scope', error: /all.*marketing/ },
  );
});

t.test('a preference about marketing leaves login codes on every phone channel', async (t) => {
  const endpoint = '+14155550188';
  const channels = ['sms', 'voice', 'whatsapp'];
  const devices = channels.map((channel) => ({ channel, endpoint }));
  await api.must(`POST ${base}/subscribers`, { externalUserId: 'omar', devices });
  t.match(await preference('14155550188', 'stop', 1_795_876_000), { taken: 1 });
  const listed = async () =>
    (await api.must(`GET ${base}/suppressions?channel=rcs&address=%2B14155550188`)).items;
  t.match(await listed(), [{ scope: 'marketing', source: 'callback', reason: 'preference' }]);
  const person = await api.must(`GET ${base}/subscribers/external:omar`);
  for (const device of person.devices)
    t.match(device, {
      reachable: true,
      suppressed: { scope: 'marketing', source: 'callback', reason: 'preference', at: String },
    });
  for (const channel of channels) {
    t.match(await receipt('omar', channel), { status: 'delivered' }, channel);
    if (channel !== 'whatsapp')
      t.same(await suppressedOn('omar', channel), { opt_out: 1 }, channel);
  }
  const text = { id: 'wamid.stop', from: '14155550188', timestamp: '1795876010', type: 'text' };
  t.match(await said({ messages: [{ ...text, text: { body: 'STOP' } }] }), { taken: 1 });
  t.match(await listed(), [{ scope: 'all', reason: 'stop' }]);
  t.match(await receipt('omar', 'sms'), { status: 'suppressed', reason: 'opt_out' });
  t.match(await preference('14155550188', 'resume', 1_795_876_020), { taken: 1 });
  t.match(await listed(), [{ scope: 'all' }], 'offers again do not undo STOP');
});

t.test('many people at once can be opted out of marketing alone', async (t) => {
  const devices = [{ channel: 'sms', endpoint: '+14155550177' }];
  await api.must(`POST ${base}/subscribers`, { externalUserId: 'pia', devices });
  const suppress = { channels: ['sms'], scope: 'marketing' };
  const ids = ['external:pia'];
  const bulk = (more: object) => api.must(`POST ${base}/subscribers/bulk`, { ids, ...more });
  t.match(await bulk({ suppress, dryRun: true }), { changed: 1 });
  t.match(await bulk({ suppress }), { state: 'done', changed: 1 });
  t.match(await bulk({ suppress }), { changed: 0 }, 'again changes nothing');
  t.match(await receipt('pia', 'sms'), { status: 'delivered' });
  t.same(await suppressedOn('pia', 'sms'), { opt_out: 1 });
  const exported = await api.call(`GET ${base}/subscribers/export?format=jsonl`);
  t.match(exported.text, /"suppressed":\{"scope":"marketing","reason":"api","source":"api"/);
  t.match(await bulk({ suppress: { channels: ['sms'] } }), { changed: 1 });
  t.match(await receipt('pia', 'sms'), { status: 'suppressed', reason: 'opt_out' });
});
