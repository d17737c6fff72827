// The sms adapter: the conformance suite against a scripted carrier, the form of a message, and the
// same adapter against the sandbox's own stand-in.

import t, { type Test } from 'tap';
import {
  type CarrierAccount,
  sandboxAccount,
} from '../../../../actors/channels/carrier/account.ts';
import { carrierMeaning } from '../../../../actors/channels/carrier/errors.ts';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import type { RenderedContent } from '../../../../actors/channels/port/attempt.ts';
import { payloadOf } from '../../../../actors/channels/providers.ts';
import { createSms } from '../../../../actors/channels/sms/adapter.ts';
import { startSandbox } from '../../../../sandbox/sandbox.ts';
import { channelConformance } from '../../../conformance/channel.ts';
import {
  account,
  carrierAt,
  carrierError,
  carrierSubject,
  codes,
  configOf,
  formOf,
  number,
} from '../carrier-subject.ts';
import { acceptedMs, anAttempt, everyOption, fixedClock } from '../stand-ins.ts';

const sid = `SM${'1'.repeat(32)}`;
const smsTo = (over: Parameters<typeof anAttempt>[0] = {}) =>
  anAttempt({ channel: 'sms', endpoint: number, ...over });

await channelConformance(
  t,
  carrierSubject(
    'sms',
    createSms,
    { sid, status: 'queued', error_code: null },
    {
      attempt: () => smsTo(),
      tooLarge: () => smsTo({ content: { body: 'x'.repeat(1600) } }),
      tooLargeReason: 'text_too_long',
    },
  ),
);

t.test('every code of the table is tried above', async (t) => {
  const known = Array.from({ length: 70_000 }, (_, code) => code).filter(
    (code) => carrierMeaning(code, 'sms', 1, false) !== undefined,
  );
  t.same(codes.map(([code]) => code).sort(), known.sort());
});

const scripted = (t: Test, over?: Parameters<typeof configOf>[1]) =>
  carrierAt(t, createSms, sid, over);

const callback =
  'https://engage.example.com/v1/webhooks/twilio/sms-status?app=app_00000000000000000000000001' +
  '&send=ntf_00000000000000000000000001&device=dev_00000000000000000000000001';

t.test('the request of a message, whole', async (t) => {
  const { carrier, adapter } = await scripted(t);
  const attempt = smsTo({
    content: { ...everyOption, buttons: [{ label: 'View', url: 'https://shop.example.com' }] },
  });
  t.same(await adapter.send(attempt, account), { outcome: 'accepted', providerMessageId: sid });
  const [call] = carrier.calls;
  t.equal(call?.method, 'POST');
  t.equal(call?.path, `/2010-04-01/Accounts/${account.accountSid}/Messages.json`);
  t.equal(call?.headers['content-type'], 'application/x-www-form-urlencoded');
  t.equal(
    call?.headers.authorization,
    `Basic ${Buffer.from(`${account.accountSid}:${account.authToken}`).toString('base64')}`,
  );
  t.same(formOf(call?.body), [
    ['To', number],
    [
      'Body',
      'Your order\nIt has shipped.\nView: https://shop.example.com\nhttps://shop.example.com/orders/1',
    ],
    ['MediaUrl', 'https://cdn.example.com/a.png'],
    ['ValidityPeriod', '3600'],
    ['From', '+14155550100'],
    ['StatusCallback', callback],
  ]);
  const preview = payloadOf(attempt, acceptedMs);
  const own = formOf(call?.body).filter(([name]) => !['From', 'StatusCallback'].includes(name));
  t.same(preview, { payload: Object.fromEntries(own) }, 'and a preview shows it');
});

t.test('what becomes of content and options', async (t) => {
  const { carrier, adapter } = await scripted(t);
  const image = 'https://cdn.example.com/a.png';
  const deepLink = 'https://shop.example.com/1';
  const options = {};
  type Content = Partial<RenderedContent>;
  const cases: [what: string, content: Content, to: string, form: Record<string, string>][] = [
    ['a title', {}, number, { Body: 'Your order\nIt has shipped.' }],
    ['an empty title', { title: '' }, number, { Body: 'It has shipped.' }],
    [
      'signs of a form',
      { title: '', body: 'a&b=c+d %20 é 😀' },
      number,
      { Body: 'a&b=c+d %20 é 😀' },
    ],
    [
      'a link into an app',
      { deepLink: 'shop://1' },
      number,
      { Body: 'Your order\nIt has shipped.' },
    ],
    [
      'a link that the text has',
      { body: `See ${deepLink}.`, deepLink },
      number,
      { Body: `Your order\nSee ${deepLink}.` },
    ],
    ['a picture in Canada', { image }, '+16135550123', { MediaUrl: image }],
    ['a picture in Jamaica', { image }, '+18765550123', {}],
    ['a picture in Thailand', { image }, '+66812345678', {}],
    ['a picture that is no address', { image: 'data:image/png;base64,AA' }, number, {}],
    ['now or never', { options: { ttlSeconds: 0 } }, number, { ValidityPeriod: '1' }],
    ['a second', { options: { ttlSeconds: 1 } }, number, { ValidityPeriod: '1' }],
    ['ten hours', { options: { ttlSeconds: 36_000 } }, number, { ValidityPeriod: '36000' }],
    ['a second more', { options: { ttlSeconds: 36_001 } }, number, { ValidityPeriod: '36000' }],
    ['no end', { options }, number, {}],
  ];
  for (const [what, content, to, wanted] of cases) {
    carrier.calls.length = 0;
    t.match(await adapter.send(smsTo({ endpoint: to, content }), account), { outcome: 'accepted' });
    const {
      From: _from,
      StatusCallback: _callback,
      ...form
    } = Object.fromEntries(formOf(carrier.calls[0]?.body));
    const body = wanted['Body'] ?? 'Your order\nIt has shipped.';
    t.same(form, { To: to, Body: body, ...wanted }, what);
  }
});

t.test('a text may have 1,600 characters with its title and link, and is not cut', async (t) => {
  const { carrier, adapter } = await scripted(t);
  const rest = 'Your order\n'.length;
  for (const [length, outcome] of [
    [1599, 'accepted'],
    [1600, 'accepted'],
    [1601, 'permanent'],
  ] as const) {
    carrier.calls.length = 0;
    const attempt = smsTo({ content: { body: 'é'.repeat(length - rest) } });
    const made = await adapter.send(attempt, account);
    t.equal(made.outcome, outcome, String(length));
    t.equal(carrier.calls.length, outcome === 'accepted' ? 1 : 0);
    if (outcome === 'permanent') {
      const detail = '1601 characters, 1600 are allowed';
      t.same(made, { outcome, reason: 'text_too_long', detail });
      t.same(payloadOf(attempt, acceptedMs), made, 'and a preview says so');
    }
  }
  const long = smsTo({
    content: { title: '', body: 'x'.repeat(1590), deepLink: 'https://a.example' },
  });
  t.match(await adapter.send(long, account), { reason: 'text_too_long' });
});

t.test('which sender and which account a message uses', async (t) => {
  const { carrier, adapter } = await scripted(t);
  const service = `MG${'b'.repeat(32)}`;
  const key = { apiKeySid: `SK${'c'.repeat(32)}`, apiKeySecret: 'secret-of-the-key' };
  const { from: _from, ...bare } = account;
  const basic = (user: string, password: string) =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const own = basic(account.accountSid, account.authToken);
  const cases: [string, CarrierAccount, [string, string], string][] = [
    ['a name', { ...bare, from: 'Shop' }, ['From', 'Shop'], own],
    ['a service', { ...bare, messagingServiceSid: service }, ['MessagingServiceSid', service], own],
    ['both', { ...account, messagingServiceSid: service }, ['MessagingServiceSid', service], own],
    [
      'an API key',
      { ...account, ...key },
      ['From', '+14155550100'],
      basic(key.apiKeySid, key.apiKeySecret),
    ],
  ];
  for (const [what, credentials, sender, authorization] of cases) {
    carrier.calls.length = 0;
    await adapter.send(smsTo(), credentials);
    const [call] = carrier.calls;
    t.match(formOf(call?.body)[2], sender, what);
    t.equal(call?.headers.authorization, authorization, what);
  }
  carrier.calls.length = 0;
  t.match(await adapter.send(smsTo(), { ...bare, voiceFrom: '+14155550100' }), {
    outcome: 'config',
    reason: 'sender_missing',
  });
  t.equal(carrier.calls.length, 0);
});

t.test('a callback address that the carrier would refuse is left out', async (t) => {
  for (const [publicUrl, isSent] of [
    ['https://engage.example.com', true],
    ['http://203.0.113.7:8400', true],
    ['http://127.0.0.1:8400', false],
    ['http://localhost:8400', false],
    ['http://[::1]:8400', false],
    ['https://my_host.example.com', false],
  ] as const) {
    const { carrier, adapter } = await scripted(t, { publicUrl });
    await adapter.send(smsTo(), account);
    const form = new URLSearchParams(String(carrier.calls[0]?.body));
    t.equal(form.has('StatusCallback'), isSent, publicUrl);
  }
  const { carrier, adapter } = await scripted(t, {
    publicUrl: 'http://127.0.0.1:8400',
    mode: 'sandbox',
  });
  await adapter.send(smsTo(), undefined);
  const form = new URLSearchParams(String(carrier.calls[0]?.body));
  t.match(form.get('StatusCallback'), /^http:\/\/127\.0\.0\.1:8400\/v1\/webhooks\/twilio\/sms-/);
});

t.test('the sandbox sends without a credential, as an account that everybody knows', async (t) => {
  const { carrier, adapter } = await scripted(t, { mode: 'sandbox' });
  t.match(await adapter.send(smsTo(), undefined), { outcome: 'accepted' });
  t.match(carrier.calls[0]?.path, sandboxAccount.accountSid);
  t.match(formOf(carrier.calls[0]?.body)[2], ['From', '+15005550006']);
});

t.test('what the carrier said is kept with its code, so that it can be looked up', async (t) => {
  const { carrier, adapter } = await scripted(t);
  carrier.meet(carrierError(400, 21610, `Attempt to send to unsubscribed recipient ${number}`));
  t.same(await adapter.send(smsTo(), account), {
    outcome: 'opted_out',
    reason: 'opted_out',
    detail: '400, error 21610: Attempt to send to unsubscribed recipient …',
  });
  carrier.meet({ status: 502, body: 'oops' });
  t.match(await adapter.send(smsTo(), account), { reason: 'http_502', detail: '502:' });
});

t.test('a fault of the carrier is tried again once, then given up', async (t) => {
  const { carrier, adapter } = await scripted(t);
  for (const [code, reason] of [
    [30008, 'unknown_error'],
    [30410, 'provider_timeout'],
  ] as const) {
    carrier.meet(carrierError(400, code));
    t.match(await adapter.send(smsTo({ attempt: 1 }), account), { outcome: 'retry', reason });
    t.match(await adapter.send(smsTo({ attempt: 2 }), account), { outcome: 'permanent', reason });
  }
});

t.test(
  'a region that is closed to the account closes the channel only where nobody is reached',
  async (t) => {
    const { carrier, adapter, clock } = await scripted(t);
    const codes = [13225, 13227, 21215, 21219, 21408, 21608, 21612];
    const all = async () => {
      const found = new Set<string>();
      for (const code of codes) {
        carrier.meet(carrierError(400, code));
        found.add((await adapter.send(smsTo(), account)).outcome);
      }
      return [...found];
    };
    t.same(await all(), ['config']);
    carrier.meet({ status: 201, body: '{}' });
    await adapter.send(smsTo(), account);
    t.same(await all(), ['permanent']);
    carrier.meet(carrierError(401, 20003));
    t.match(await adapter.send(smsTo(), account), { outcome: 'config' }, 'this is about everybody');
    clock.nowMs += 600_001;
    t.same(await all(), ['config'], 'it was long ago');
  },
);

t.test('the numbers of the test range, at the stand-in', async (t) => {
  const sandbox = await startSandbox({ port: 0 });
  const outbound = createOutbound({ allowPrivateNetworks: false, timeoutMs: 400 });
  t.teardown(async () => {
    await outbound.close(0);
    await sandbox.close();
  });
  const config = { ...configOf(sandbox.providerUrls['CARRIER']), mode: 'sandbox' as const };
  const adapter = createSms({ config, outbound, clock: fixedClock(acceptedMs) });
  const expected: Record<string, object> = {
    '0000': { outcome: 'accepted', providerMessageId: /^SM[0-9a-f]{32}$/ },
    '0001': { outcome: 'dead', reason: 'invalid_number' },
    '0002': { outcome: 'permanent', reason: 'no_route' },
    '0003': { outcome: 'permanent', reason: 'region_not_permitted' },
    '0004': { outcome: 'opted_out' },
    '0005': { outcome: 'rate', retryAfterMs: 2000 },
    '0006': { outcome: 'retry', reason: 'unavailable' },
    '0007': { outcome: 'accepted' },
    '0008': { outcome: 'ambiguous', reason: 'connection_lost' },
    '0009': { outcome: 'dead', reason: 'not_a_mobile_number' },
    '0010': { outcome: 'config', reason: 'unauthenticated' },
    '0011': { outcome: 'accepted' },
    '0012': { outcome: 'accepted' },
    '0013': { outcome: 'accepted' },
    '0014': { outcome: 'accepted' },
    '0015': { outcome: 'accepted' },
    '0016': { outcome: 'ambiguous', reason: 'timeout' },
    '0017': { outcome: 'ambiguous', reason: 'timeout' },
    '0018': { outcome: 'ambiguous', reason: 'connection_lost' },
    '0019': { outcome: 'accepted' },
    '0020': { outcome: 'accepted' },
  };
  for (const [digits, outcome] of Object.entries(expected)) {
    const attempt = smsTo({ endpoint: `+1500555${digits}` });
    t.match(await adapter.send(attempt, undefined), outcome, digits);
  }
  const everything = smsTo({
    content: {
      image: 'https://cdn.example.com/a.png',
      deepLink: 'https://shop.example.com',
      options: { ttlSeconds: 60 },
    },
  });
  t.match(await adapter.send(everything, account), {
    outcome: 'accepted',
    providerMessageId: /^MM/,
  });
});
