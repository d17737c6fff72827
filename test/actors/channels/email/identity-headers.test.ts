import { generateKeyPairSync } from 'node:crypto';
import t from 'tap';
import { createDkimSigner } from '../../../../actors/channels/email/dkim.ts';
import { identityHeaders } from '../../../../actors/channels/email/identity-headers.ts';
import type { Attempt } from '../../../../actors/channels/port/attempt.ts';

const unsubscribeUrl = 'https://engage.example/u/x';
const attempt = (lane: 'bulk' | 'express', email: object = {}): Attempt => ({
  sendId: 'ntf_1',
  deviceId: 'dev_1',
  appId: 'app_1',
  appName: 'Shop',
  channel: 'email',
  lane,
  attempt: 1,
  endpoint: 'ada@example.com',
  registeredMs: 0,
  acceptedMs: 0,
  content: { body: 'Hi', options: {} },
  email: { unsubscribeUrl, ...email },
});
const of = (one: Attempt, from = 'hello@shop.example') =>
  Object.fromEntries(identityHeaders(one, from));

t.test('marketing names its campaign or journey, and its list', async (t) => {
  const campaign = of(attempt('bulk', { campaignId: 'cmp_1', topic: 'news' }));
  t.match(campaign, { 'Feedback-ID': /^cmp_1:app_1:marketing:[0-9a-f]{12}$/ });
  t.equal(campaign['List-ID'], '<news.app_1.shop.example>');
  t.notOk('X-Entity-Ref-ID' in campaign);
  const journey = of(attempt('bulk', { journeyId: 'jrn_1' }));
  t.match(journey, { 'Feedback-ID': /^jrn_1:app_1:marketing:/, 'List-ID': '<app_1.shop.example>' });
  const test = of(attempt('express', { isTest: true }));
  t.match(test, { 'Feedback-ID': /^app_1:marketing:/, 'List-ID': '<app_1.shop.example>' });
});

t.test('a receipt is told apart from others and is of no list', async (t) => {
  const receipt = of(attempt('express'));
  t.match(receipt['Feedback-ID'], /^app_1:transactional:[0-9a-f]{12}$/);
  t.equal(receipt['X-Entity-Ref-ID'], 'ntf_1.dev_1');
  t.notOk('List-ID' in receipt);
});

t.test('the sender is the same for a domain, and another for another', async (t) => {
  const sender = (from: string) => of(attempt('express'), from)['Feedback-ID']?.split(':').at(-1);
  t.equal(sender('a@shop.example'), sender('b@shop.example'));
  t.not(sender('a@shop.example'), sender('a@mail.shop.example'));
});

t.test('the signature covers them', async (t) => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const sign = createDkimSigner({
    domain: 'shop.example',
    selector: 's',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  });
  const lines = (one: Attempt) => [
    'From: hello@shop.example',
    ...identityHeaders(one, 'hello@shop.example').map((h) => h.join(': ')),
  ];
  const marketing = sign(lines(attempt('bulk')), ['Hi\r\n']).replace(/\s+/g, '');
  t.match(marketing, /h=from:list-id:feedback-id;/);
  const receipt = sign(lines(attempt('express')), ['Hi\r\n']).replace(/\s+/g, '');
  t.match(receipt, /h=from:feedback-id:x-entity-ref-id;/);
});
