// Replies that may be opt-outs, from a provider's webhook to the decision about them.

import t from 'tap';
import { carrierSignature } from '../support/carrier-signature.ts';
import { makeOrg } from '../support/server.ts';
import { chapter } from './chapter.ts';

const publicUrl = 'https://doubts.example.com';
const authToken = 'auth-token-of-this-tenant';
const { api, app, base, org, refuses, server, takes } = await chapter(t, {
  ENGAGE_PUBLIC_URL: publicUrl,
});
await takes(
  t,
  `POST ${base}/credentials/carrier`,
  { accountSid: `AC${'0'.repeat(32)}`, authToken, from: '+15005550006' },
  201,
);
const doubtful = `${base}/suppressions/doubtful`;

let count = 0;
async function says(From: string, Body: string, MessageSid = `SM${++count}`) {
  const path = `/v1/webhooks/twilio/sms-inbound/${app}`;
  const form = { MessageSid, From, Body };
  const signature = carrierSignature(authToken, publicUrl + path, Object.entries(form));
  const { status } = await fetch(server.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-carrier-signature': signature,
    },
    body: new URLSearchParams(form),
  });
  t.equal(status, 200);
}

const phoneOf = (i: number) => `+1415555010${i}`;
const listed = async () => (await api.must(`GET ${doubtful}`)).items;
const idOf = async () => (await listed())[0].id;

t.test('a reply is listed with who wrote it, newest first, page by page', async (t) => {
  const person = await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'nora',
    devices: [{ channel: 'whatsapp', endpoint: phoneOf(1) }],
  });
  await says(phoneOf(1), 'please stop sending me these');
  await says(phoneOf(2), 'remove me from the list');
  await says(phoneOf(3), 'see you tomorrow');
  const first = await api.must(`GET ${doubtful}?limit=1`);
  t.match(first, {
    total: 2,
    items: [{ address: phoneOf(2), words: 'remove me from the list', subscribers: [] }],
  });
  const second = await api.must(`GET ${doubtful}?limit=1&cursor=${first.nextCursor}`);
  t.same(second, {
    items: [
      {
        id: second.items[0].id,
        channel: 'sms',
        address: phoneOf(1),
        words: 'please stop sending me these',
        receivedAt: new Date(second.items[0].receivedAt).toISOString(),
        subscribers: [{ subscriberId: person.id, externalUserId: 'nora' }],
      },
    ],
    nextCursor: null,
    total: 2,
  });
});

t.test('an opt-out is the API’s own, and a dismissal changes nothing', async (t) => {
  await says(phoneOf(4), 'stop texting me', 'SM-again');
  const noted = async () =>
    (await api.must('GET /v1/org/audit-log?action=doubtful_opt_out.decided')).items;
  t.same((await takes(t, `POST ${doubtful}/${await idOf()}`, { decision: 'dismiss' }, 200)).json, {
    suppression: null,
  });
  t.match(await noted(), [
    { target: 'sms', appId: app, after: { decision: 'dismiss', subscriberIds: [] } },
  ]);
  await says(phoneOf(4), 'stop texting me', 'SM-again');
  t.equal((await listed()).length, 2, 'a callback that comes again does not bring it back');
  const narrow = { decision: 'opt_out', scope: 'marketing' };
  t.match((await takes(t, `POST ${doubtful}/${await idOf()}`, narrow, 200)).json, {
    suppression: { identity: 'phone', address: phoneOf(2), scope: 'marketing', source: 'api' },
  });
  const whole = { decision: 'opt_out' };
  const { json } = await takes(t, `POST ${doubtful}/${await idOf()}`, whole, 200);
  t.match(json.suppression, { address: phoneOf(1), scope: 'all', reason: null, etag: String });
  const query = `channel=sms&address=${encodeURIComponent(phoneOf(1))}`;
  t.same((await api.must(`GET ${base}/suppressions?${query}`)).items, [json.suppression]);
  t.same(await listed(), []);
  const [newest] = await noted();
  t.match(newest, { after: { decision: 'opt_out', scope: 'all', subscriberIds: [/^sub_/] } });
  t.notMatch(JSON.stringify(newest), /sending|1415555/, 'neither words nor the number');
});

t.test('what is refused names its field', async (t) => {
  await says(phoneOf(5), 'stop texting me');
  const at = `POST ${doubtful}/${await idOf()}`;
  await refuses(t, at, {}, { status: 400, field: 'decision' });
  await refuses(t, at, { decision: 'maybe' }, { status: 400, field: 'decision' });
  await refuses(t, at, { decision: 'opt_out', scope: 'some' }, { status: 400, field: 'scope' });
  await refuses(t, at, { decision: 'dismiss', scope: 'all' }, { status: 400, field: 'scope' });
  await refuses(t, `GET ${doubtful}?cursor=x`, undefined, { status: 400, field: 'cursor' });
  await refuses(t, `GET ${doubtful}?limit=0`, undefined, { status: 400, field: 'limit' });
  const unknown = { status: 404, code: 'not_found', error: 'doubtful opt-out not found' };
  await refuses(t, `${at.slice(0, -1)}_`, { decision: 'dismiss' }, unknown);
  const seen = at;
  await says(phoneOf(5), 'I said stop texting me');
  await refuses(t, seen, { decision: 'dismiss' }, unknown, 'the words are others now');
});

t.test('keys need the scopes that opt-outs need, and the app', async (t) => {
  const id = await idOf();
  for (const [scope, reads, decides] of [
    ['read', 200, 403],
    ['send', 403, 403],
  ] as const) {
    const { key } = await org.client.must('POST /v1/keys', { name: scope, scopes: [scope] });
    const call = async (method: string, path: string, body?: object) => {
      const response = await fetch(server.url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return response.status;
    };
    t.equal(await call('GET', doubtful), reads);
    t.equal(await call('POST', `${doubtful}/${id}`, { decision: 'dismiss' }), decides);
  }
  const stranger = await makeOrg(server, 'Stranger');
  const { id: other } = await stranger.client.must('POST /v1/apps', { name: 'Other' });
  for (const path of [doubtful, `/v1/apps/${other}/suppressions/doubtful`]) {
    const { status } = await stranger.client.call(`POST ${path}/${id}`, { decision: 'dismiss' });
    t.equal(status, 404);
  }
  t.equal((await listed()).length, 1);
});
