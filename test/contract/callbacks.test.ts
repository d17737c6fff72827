// Provider callbacks over HTTP: whom they are taken from, what is signed, and what is answered.

import { createHmac } from 'node:crypto';
import t, { type Test } from 'tap';
import { catalog } from '../../actors/channels/catalog.ts';
import { limits } from '../../actors/limits.ts';
import {
  type ChatChannel,
  chatChannels,
  chatCredentials,
  inboundBody,
  proofOf,
} from '../actors/sending/callbacks/chat-provider.ts';
import { carrierSignature } from '../support/carrier-signature.ts';
import { type Chapter, chapter } from './chapter.ts';

const publicUrl = 'https://callbacks.example.com/engage';
const authToken = 'auth-token-of-this-tenant';
const appSecret = 'app-secret-of-this-tenant';
const phone = '+14155550123';
const environment = { ENGAGE_PUBLIC_URL: publicUrl };

async function withCredentials(t: Test): Promise<Chapter> {
  const one = await chapter(t, environment);
  await one.takes(
    t,
    `POST ${one.base}/credentials/carrier`,
    { accountSid: `AC${'0'.repeat(32)}`, authToken, from: '+15005550006' },
    201,
  );
  await one.takes(
    t,
    `POST ${one.base}/credentials/whatsapp`,
    { phoneNumberId: '123456', accessToken: 'x'.repeat(32), appSecret, verifyToken: 'verify me' },
    201,
  );
  return one;
}

/** Posts a form to a path, signed over the public address of it or of another. */
async function postForm(
  { server }: Chapter,
  path: string,
  form: Readonly<Record<string, string>>,
  {
    signedPath = path,
    token = authToken,
    base = publicUrl,
    header = 'x-carrier-signature',
    headers = {},
  } = {},
) {
  const signature = carrierSignature(token, base + signedPath, Object.entries(form));
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      [header]: signature,
      ...headers,
    },
    body: new URLSearchParams(form),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

async function postJson({ server, app }: Chapter, body: string, signature?: string) {
  const response = await fetch(`${server.url}/v1/webhooks/whatsapp/${app}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(signature === undefined ? {} : { 'x-hub-signature-256': signature }),
    },
    body,
  });
  return { status: response.status, text: await response.text() };
}

const signed = (body: string, secret = appSecret) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

t.test('the carrier’s callbacks', async (t) => {
  const one = await withCredentials(t);
  const status = `/v1/webhooks/twilio/sms-status?app=${one.app}&send=ntf_x&device=dev_x`;
  const delivered = { MessageSid: 'SM1', MessageStatus: 'delivered', Unknown: 'ünïcode & more' };

  await t.test('a signed one is 204, also of a send that is not known', async (t) => {
    for (const header of ['x-carrier-signature', 'x-twilio-signature'])
      t.match(await postForm(one, status, delivered, { header }), { status: 204, text: '' });
    const voice = status.replace('sms-', 'voice-');
    t.match(await postForm(one, voice, { CallStatus: 'busy' }), { status: 204 });
  });

  await t.test(
    'what is not signed for this address with this token is 403 and says so',
    async (t) => {
      const refused = { status: 403, text: /"code":"invalid_signature"/ };
      const elsewhere = `${publicUrl}.evil`;
      const cases = [
        { token: 'another-tenants-token' },
        { signedPath: status.replace('dev_x', 'dev_y') },
        { base: elsewhere },
        { base: one.server.url },
        { base: one.server.url, headers: { 'x-forwarded-host': new URL(one.server.url).host } },
        { header: 'x-nothing' },
      ];
      for (const how of cases)
        t.match(await postForm(one, status, delivered, how), refused, JSON.stringify(how));
      const { text } = await postForm(one, status, delivered, { header: 'x-nothing' });
      t.match(JSON.parse(text).error, /^x-carrier-signature: is missing/);
    },
  );

  await t.test('an app that is not there, and ids that are missing, are named', async (t) => {
    const stranger = status.replace(one.app.slice(-4), '0000');
    t.match(await postForm(one, stranger, delivered), { status: 404 });
    const nothing = '/v1/webhooks/twilio/sms-status';
    t.match(await postForm(one, nothing, delivered), { status: 400, text: /"field":"app"/ });
  });

  await t.test('a form of more than 64 KiB is 413, one of as much is judged', async (t) => {
    const sized = (bytes: number) => ({ Body: 'x'.repeat(bytes - 'Body='.length) });
    const max = limits.callbackFormBytesMax;
    t.match(await postForm(one, status, sized(max)), { status: 204 });
    t.match(await postForm(one, status, sized(max + 1)), { status: 413 });
  });

  await t.test('STOP suppresses the phone identity and START lifts it', async (t) => {
    const inbound = `/v1/webhooks/twilio/sms-inbound/${one.app}`;
    const list = async () => (await one.api.must(`GET ${one.base}/suppressions`)).items;
    const stop = await postForm(one, inbound, { MessageSid: 'SM1', From: phone, Body: 'Stop' });
    t.match(stop, { status: 200, text: /<Response\/>/ });
    t.match(stop.headers.get('content-type'), 'text/xml');
    t.match(await list(), [
      { identity: 'phone', address: phone, source: 'callback', channels: ['sms', 'voice'] },
    ]);
    await postForm(one, inbound, { MessageSid: 'SM2', From: phone, Body: 'START' });
    t.same(await list(), []);
    const forged = { MessageSid: 'SM3', From: phone, Body: 'STOP' };
    t.match(await postForm(one, inbound, forged, { token: 'not the token' }), { status: 403 });
    t.same(await list(), []);
  });

  await t.test('what was told is counted', async (t) => {
    const text = await (await fetch(`${one.server.metricsUrl}/metrics`)).text();
    t.match(text, /engage_provider_callbacks_total\{channel="sms",result="ignored"\} \d/);
    t.match(text, /engage_provider_callbacks_total\{channel="sms",result="taken"\} 2/);
  });
});

t.test('WhatsApp’s webhook', async (t) => {
  const one = await withCredentials(t);
  const handshake = async (query: Record<string, string>) => {
    const response = await fetch(
      `${one.server.url}/v1/webhooks/whatsapp/${one.app}?${new URLSearchParams(query)}`,
    );
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  const right = {
    'hub.mode': 'subscribe',
    'hub.verify_token': 'verify me',
    'hub.challenge': '1158201444',
  };
  const shaken = await handshake(right);
  t.match(shaken, { status: 200, text: /^1158201444$/ });
  t.match(shaken.headers.get('content-type'), /^text\/plain/);
  t.match(await handshake({ ...right, 'hub.verify_token': 'guess' }), { status: 403 });
  t.match(await handshake({ ...right, 'hub.mode': 'unsubscribe' }), { status: 403 });
  t.match(await handshake({}), { status: 403 });

  // As Meta writes it: what is signed are these bytes, escapes included.
  const body = `{"object":"whatsapp_business_account","entry":[{"changes":[{"value":{"messages":[{"id":"w1","from":"${phone.slice(1)}","timestamp":"1","text":{"body":"\\u0053TOP"}}],"statuses":[{"id":"w2","status":"read"}]}}]}]}`;
  const taken = await postJson(one, body, signed(body));
  t.match(taken, { status: 200 });
  t.same(JSON.parse(taken.text), { taken: 1, repeated: 0, ignored: 1 });
  const again = await postJson(one, body, signed(body));
  t.same(JSON.parse(again.text), { taken: 0, repeated: 1, ignored: 1 });
  const { items } = await one.api.must(`GET ${one.base}/suppressions`);
  t.match(items, [{ address: phone, source: 'callback' }]);

  const same = JSON.stringify(JSON.parse(body));
  t.match(await postJson(one, same, signed(body)), { status: 403 }, 'other bytes of the same JSON');
  t.match(await postJson(one, body), { status: 403, text: /x-hub-signature-256: is missing/ });
  t.match(await postJson(one, body, signed(body, 'guess')), { status: 403 });
  t.match(await postJson(one, 'no json', signed('no json')), { status: 200 });

  const secretless = { phoneNumberId: '123456', accessToken: 'x'.repeat(32), verifyToken: 'v' };
  await one.takes(t, `POST ${one.base}/credentials/whatsapp`, secretless, 201);
  t.match(await postJson(one, body, signed(body)), { status: 403, text: /appSecret: / });
});

t.test('the webhooks of LINE, Zalo, Viber and Telegram', async (t) => {
  const one = await withCredentials(t);
  const atMs = Date.now() - 60_000;
  const user: Record<ChatChannel, string> = {
    line: `U${'0'.repeat(32)}`,
    zalo: '123456789',
    viber: 'AAAAAAAAAAAAAAAAAAAAAA==',
    telegram: '123456789',
  };
  for (const channel of chatChannels) {
    const credential = chatCredentials[channel];
    await one.takes(t, `POST ${one.base}/credentials/${channel}`, credential, 201);
    const post = async (body: string, proof?: string, app = one.app) => {
      const response = await fetch(`${one.server.url}/v1/webhooks/${channel}/${app}`, {
        method: 'POST',
        headers: proof === undefined ? {} : { [catalog[channel].webhook?.header ?? '']: proof },
        body,
      });
      return { status: response.status, text: await response.text() };
    };
    const left = inboundBody(channel, 'left', atMs, 1, user[channel]);
    const proof = proofOf(channel, Buffer.from(left));
    const refused = { status: 403, text: /"code":"invalid_signature"/ };
    t.match(await post(left), refused, channel);
    t.match(await post(left, 'guess'), refused);
    t.match(await post(left, proof, one.app.replace(/....$/, '0000')), { status: 404 });
    if (channel !== 'telegram') t.match(await post(` ${left}`, proof), refused, 'other bytes');
    const taken = await post(left, proof);
    t.match(taken, { status: 200 }, taken.text);
    t.same(JSON.parse(taken.text), { taken: 1, repeated: 0, ignored: 0 });
    t.same(JSON.parse((await post(left, proof)).text), { taken: 0, repeated: 1, ignored: 0 });
    const { items } = await one.api.must(`GET ${one.base}/suppressions`);
    t.match(items, [{ identity: channel, address: user[channel], source: 'callback' }]);
    const came = inboundBody(channel, 'came', atMs + 5_000, 2, user[channel]);
    t.match(await post(came, proofOf(channel, Buffer.from(came))), { status: 200 });
    t.same((await one.api.must(`GET ${one.base}/suppressions`)).items, []);
  }
});
