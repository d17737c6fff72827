// What a mail service tells, over HTTP: whom it is taken from, and what becomes of the send.

import { createHmac } from 'node:crypto';
import t from 'tap';
import { mailMark } from '../../actors/channels/email/mail-mark.ts';
import { until } from '../support/server.ts';
import { chapter } from './chapter.ts';

const one = await chapter(t);
const { api, base, server } = one;
const eventsPassword = 'a-password-of-this-relay';

/** A relay that takes no mails, so that the sandbox's own does. */
const { id: relay } = await api.must(`POST ${base}/relays`, {
  ...{ kind: 'postmark', name: 'Postmark', enabled: false },
  config: { serverToken: 'x'.repeat(36), eventsPassword },
});

async function mailed(externalUserId: string) {
  const devices = [{ channel: 'email', endpoint: `${externalUserId}@example.com` }];
  await api.must(`POST ${base}/subscribers`, { externalUserId, devices });
  const request = { externalUserId, channels: ['email'], title: 'Hi', body: '<p>Hi</p>' };
  const { id: sendId } = await api.must(`POST ${base}/notifications`, request);
  const read = () => api.must(`GET ${base}/notifications/${sendId}`);
  await until(
    async () => (await read()).status === 'delivered',
    () => 'the send is not delivered',
  );
  const { outcomes } = await read();
  return {
    sendId,
    to: `${externalUserId}@example.com`,
    mark: mailMark({ sendId, ...outcomes[0] }),
  };
}

async function tell(mail: { mark: string; to: string }, more: object, password = eventsPassword) {
  const authorization = `Basic ${Buffer.from(`engage:${password}`).toString('base64')}`;
  const at = new Date().toISOString();
  const response = await fetch(`${server.url}/v1/webhooks/relay/${relay}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({
      ...{ Metadata: { engage: mail.mark }, Recipient: mail.to, Email: mail.to },
      ...{ DeliveredAt: at, BouncedAt: at, ...more },
    }),
  });
  return { status: response.status, body: await response.json() };
}

const hardBounce = {
  ...{ RecordType: 'Bounce', Type: 'HardBounce' },
  Details: 'smtp;550 5.1.1 The email account that you tried to reach does not exist',
};

t.test('a bounce that the service reports bounces the send and disables the device', async (t) => {
  const mail = await mailed('gone');
  t.match(await tell(mail, hardBounce), { status: 200, body: { taken: 1 } });
  t.match(await tell(mail, hardBounce), { status: 200, body: { repeated: 1 } });
  const send = await api.must(`GET ${base}/notifications/${mail.sendId}`);
  t.match(send, { status: 'bounced' });
  const { items } = await api.must(`GET ${base}/subscribers?externalUserId=gone`);
  t.match(items[0].devices, [{ enabled: false, disabledReason: 'mailbox_not_found' }]);
});

t.test('a complaint ends marketing alone', async (t) => {
  const mail = await mailed('angry');
  t.match(await tell(mail, { RecordType: 'SpamComplaint' }), { body: { taken: 1 } });
  const { items } = await api.must(`GET ${base}/suppressions`);
  t.match(items, [{ address: mail.to, reason: 'complaint', scope: 'marketing' }]);
});

t.test('a forged call changes nothing', async (t) => {
  const mail = await mailed('safe');
  const forged = await tell(mail, hardBounce, 'another-password');
  t.match(forged, { status: 403, body: { code: 'invalid_signature' } });
  t.match(await api.must(`GET ${base}/notifications/${mail.sendId}`), { status: 'delivered' });
  const unknown = await fetch(`${server.url}/v1/webhooks/relay/rel_nothing`, { method: 'POST' });
  t.equal(unknown.status, 404);
});

t.test('a relay tells nothing of the mails of an app that is not its own', async (t) => {
  const mail = await mailed('elsewhere');
  const { id: other } = await api.must('POST /v1/apps', { name: 'Other' });
  const { id: foreign } = await api.must(`POST /v1/apps/${other}/relays`, {
    ...{ kind: 'postmark', name: 'Other', enabled: false },
    config: { serverToken: 'x'.repeat(36), eventsPassword },
  });
  const authorization = `Basic ${Buffer.from(`engage:${eventsPassword}`).toString('base64')}`;
  const response = await fetch(`${server.url}/v1/webhooks/relay/${foreign}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({
      ...{ ...hardBounce, Metadata: { engage: mail.mark }, Email: mail.to },
      BouncedAt: new Date().toISOString(),
    }),
  });
  t.same(await response.json(), { taken: 0, repeated: 0, ignored: 1 });
  t.match(await api.must(`GET ${base}/notifications/${mail.sendId}`), { status: 'delivered' });
});

t.test('a token of Mailgun tells of the mail that it came with, and of no other', async (t) => {
  const signingKey = 'a-webhook-signing-key';
  const { id: mailgun } = await api.must(`POST ${base}/relays`, {
    ...{ kind: 'mailgun', name: 'Mailgun', enabled: false },
    config: { apiKey: 'key-of-the-test-0', domain: 'mg.example.com', signingKey },
  });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const token = 'captured'.padEnd(50, '0');
  const signature = createHmac('sha256', signingKey).update(`${timestamp}${token}`).digest('hex');
  const tellMailgun = async ({ mark, to: recipient }: { mark: string; to: string }) => {
    const response = await fetch(`${server.url}/v1/webhooks/relay/${mailgun}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        signature: { timestamp, token, signature },
        'event-data': {
          ...{ event: 'failed', severity: 'permanent', reason: 'bounce', recipient },
          'delivery-status': { code: 550, 'enhanced-code': '5.1.1', message: 'user unknown' },
          'user-variables': { engage: mark },
        },
      }),
    });
    return { status: response.status, body: await response.json() };
  };
  const [own, other] = [await mailed('mailgun-gone'), await mailed('mailgun-safe')];
  t.match(await tellMailgun(own), { status: 200, body: { taken: 1 } });
  t.match(await tellMailgun(own), { status: 200, body: { repeated: 1 } });
  t.match(await tellMailgun(other), { status: 403, body: { code: 'invalid_signature' } });
  t.match(await api.must(`GET ${base}/notifications/${own.sendId}`), { status: 'bounced' });
  t.match(await api.must(`GET ${base}/notifications/${other.sendId}`), { status: 'delivered' });
});

t.test('the first proven call marks the relay as reporting', async (t) => {
  const { events } = await api.must(`GET ${base}/relays/${relay}`);
  t.ok(events, JSON.stringify(events));
});
