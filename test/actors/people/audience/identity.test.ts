// The normal forms of addresses, and the keys under which people opt out.

import { createECDH, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { catalog, channelsOf } from '../../../../actors/channels/catalog.ts';
import { channelIds } from '../../../../actors/channels/channel-ids.ts';
import {
  identityKey,
  normalizeEndpoint,
  parseIdentityKey,
} from '../../../../actors/people/audience/identity.ts';
import { tries } from '../../../support/tries.ts';

const endpointOf = (channel: (typeof channelIds)[number], raw: unknown) => {
  const result = normalizeEndpoint(channel, raw);
  return 'endpoint' in result ? result.endpoint : undefined;
};

t.test('phone numbers become E.164, however they are written', async (t) => {
  for (const raw of [
    '+14155550123',
    '+1 415 555 0123',
    '+1 (415) 555-0123',
    ' +1.415.555.0123 ',
    '0014155550123',
  ]) {
    t.equal(endpointOf('sms', raw), '+14155550123', raw);
  }
  t.equal(endpointOf('kakao', '+82 10-1234-5678'), '+821012345678');
  for (const raw of [
    '4155550123',
    '+0155501234',
    '+1415555',
    '+1415555012345',
    '+',
    '',
    '+1415555O123',
    '+99912345678',
  ]) {
    t.equal(endpointOf('sms', raw), undefined, raw);
  }
});

t.test('a number is one identity on all five phone channels, and on no other', async (t) => {
  const keys = channelIds.map((id) => [id, identityKey(id, '+14155550123')] as const);
  const phone = keys.filter(([, key]) => key === 'phone:+14155550123').map(([id]) => id);
  t.same(phone, ['sms', 'voice', 'whatsapp', 'rcs', 'kakao']);
  t.same(channelsOf('phone'), phone);
  t.same(parseIdentityKey('phone:+14155550123'), { identity: 'phone', address: '+14155550123' });
  t.equal(parseIdentityKey('fax:+1'), undefined);
});

t.test('emails keep the case of their local part and are one identity without it', async (t) => {
  const result = normalizeEndpoint('email', ' John.Doe+x@EXAMPLE.com ');
  t.match(result, {
    endpoint: 'John.Doe+x@example.com',
    key: 'john.doe+x@example.com',
    identity: 'email:john.doe+x@example.com',
  });
  t.equal(identityKey('email', 'JOHN.DOE+X@example.COM'), 'email:john.doe+x@example.com');
  t.equal(endpointOf('email', 'a@bücher.example'), 'a@xn--bcher-kva.example');
  t.equal(
    endpointOf('email', "o'neil!#$%&*/=?^_`{|}~-@example.co.uk"),
    "o'neil!#$%&*/=?^_`{|}~-@example.co.uk",
  );
});

t.test('what is no email address is refused', async (t) => {
  const wrong =
    `a a@ @example.com a@b a@b. a@.b a@b..c .a@b.example a.@b.example a..b@b.example a@-b.example a@b-.example
    a@127.0.0.1 a@[127.0.0.1] "a"@b.example a@b.example,c@d.example <a@b.example> a@b@c.example ü@b.example a@b.1
    a@b.example> a@b.example; a@b%2eexample`.split(/\s+/);
  for (const raw of [
    ...wrong,
    'a b@c.example',
    'a@b .example',
    `${'x'.repeat(65)}@b.example`,
    `a@${'x'.repeat(64)}.example`,
  ]) {
    t.equal(endpointOf('email', raw), undefined, raw.slice(0, 40));
  }
  t.equal(endpointOf('email', `a@${'x.'.repeat(130)}example`), undefined, 'too long');
});

t.test('no control character passes anywhere', async (t) => {
  const good: Record<string, string> = {
    fcm: 'abc:def',
    apns: 'ab'.repeat(32),
    email: 'a@example.com',
    sms: '+14155550123',
    telegram: '12345',
    line: `U${'0a'.repeat(16)}`,
    zalo: '12345',
    viber: 'abcd==',
  };
  for (const channel of channelIds) {
    const text = good[channel];
    if (text === undefined) continue;
    t.equal(endpointOf(channel, text), text, channel);
    for (const control of ['\r\n', '\n', '\r', '\u0000', '\t', '\u007f', '\u0085', '\u2028']) {
      t.equal(endpointOf(channel, text + control), undefined, `${channel}, at the end`);
      t.equal(endpointOf(channel, control + text), undefined, `${channel}, at the start`);
      t.equal(endpointOf(channel, text.slice(0, 2) + control + text.slice(2)), undefined, channel);
    }
    t.equal(
      catalog[channel].endpoint.safeParse(text).success,
      true,
      `${channel}: the schema agrees`,
    );
    t.equal(catalog[channel].endpoint.safeParse(`${text} x y`).success, false, channel);
  }
});

t.test('ids of chat services have their forms', async (t) => {
  t.equal(endpointOf('apns', 'AB'.repeat(32)), 'ab'.repeat(32));
  t.equal(endpointOf('apns', 'a'.repeat(65)), undefined);
  t.equal(endpointOf('apns', 'ab'.repeat(101)), undefined);
  t.equal(endpointOf('telegram', '-1001234567890'), '-1001234567890');
  t.equal(endpointOf('telegram', '007'), '7', 'leading zeros are not another chat');
  t.equal(identityKey('telegram', '@SomeName'), 'telegram:@somename');
  for (const raw of ['9223372036854775808', '0', '--1', '@ab', '@1abcd', 'x']) {
    t.equal(endpointOf('telegram', raw), undefined, raw);
  }
  t.equal(endpointOf('line', `X${'0a'.repeat(16)}`), undefined);
  t.equal(endpointOf('zalo', '1'.repeat(21)), undefined);
  t.equal(endpointOf('viber', 'x'.repeat(65)), undefined);
  t.equal(endpointOf('fcm', 'with space'), undefined);
  t.equal(endpointOf('fcm', 'x'.repeat(4096)), 'x'.repeat(4096));
  t.match(normalizeEndpoint('fcm', 'x'.repeat(4097)), {
    problem: 'must be an FCM registration token of at most 4096 characters',
  });
  t.match(normalizeEndpoint('fcm', ''), { problem: /registration token/ });
  t.match(normalizeEndpoint('fcm', 7), { problem: /^must be a string/ });
  t.equal(identityKey('fcm', 'abc'), undefined, 'a push token is nothing to opt out with');
});

t.test('a subscription is checked to the last byte and keeps only what is needed', async (t) => {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const keys = {
    p256dh: browser.getPublicKey('base64url'),
    auth: randomBytes(16).toString('base64url'),
  };
  const endpoint = 'https://fcm.googleapis.com/fcm/send/abc';
  const good = { endpoint, expirationTime: null, keys: { ...keys, other: 1 }, other: 1 };
  t.same(normalizeEndpoint('webpush', good), { endpoint: { endpoint, keys }, key: endpoint });
  const padded = { p256dh: browser.getPublicKey('base64'), auth: `${keys.auth}==` };
  t.match(normalizeEndpoint('webpush', { endpoint, keys: padded }), { endpoint: { keys } });
  const offCurve = Buffer.alloc(65, 1);
  offCurve[0] = 4;
  const wrong: [string, unknown, RegExp][] = [
    ['nothing', undefined, /^must be the browser's subscription object/],
    ['text', 'https://x', /^must be the browser's subscription object/],
    ['no keys', { endpoint }, /^keys/],
    ['short secret', { endpoint, keys: { ...keys, auth: 'AAAA' } }, /^keys\.auth must be 16 bytes/],
    ['short key', { endpoint, keys: { ...keys, p256dh: 'AAAA' } }, /^keys\.p256dh must be/],
    [
      'a point off the curve',
      { endpoint, keys: { ...keys, p256dh: offCurve.toString('base64url') } },
      /^keys\.p256dh/,
    ],
    ['http', { endpoint: 'http://x.example/', keys }, /^endpoint must be the https/],
    ['a password', { endpoint: 'https://u:p@x.example/', keys }, /^endpoint must be the https/],
    ['javascript', { endpoint: 'javascript:alert(1)', keys }, /^endpoint must be the https/],
    ['a line break', { endpoint: 'https://x.example/\r\na', keys }, /^endpoint must be the https/],
  ];
  for (const [name, raw, problem] of wrong)
    t.match(normalizeEndpoint('webpush', raw), { problem }, name);
  const local = { endpoint: 'http://127.0.0.1:8402/webpush/s/1', keys };
  t.match(normalizeEndpoint('webpush', local, { allowHttp: true }), { key: local.endpoint });
});

t.test('live, a subscription is of a push service that browsers use', async (t) => {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const keys = {
    p256dh: browser.getPublicKey('base64url'),
    auth: randomBytes(16).toString('base64url'),
  };
  const at = (endpoint: string, allowHttp = false) =>
    normalizeEndpoint('webpush', { endpoint, keys }, { allowHttp });
  for (const endpoint of [
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:443/wp/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
    'https://jmt17.google.com/fcm/send/abc:APA91',
    'https://jmt8.google.com/fcm/send/abc:APA91',
    'https://wns2-by3p.notify.windows.com/w/?token=abc',
  ]) {
    t.match(at(endpoint), { key: new URL(endpoint).href }, endpoint);
  }
  const problem = 'endpoint must be the https address of a push service that browsers use';
  for (const endpoint of [
    'https://10.0.0.1/x',
    'https://[::1]/x',
    'https://localhost/x',
    'https://evil.example.com/x',
    'https://fcm.googleapis.com.evil.example.com/x',
    'https://evil-fcm.googleapis.com/x',
    'https://google.com/fcm/send/x',
    'https://ajmt17.google.com/fcm/send/x',
    'https://jmt.google.com/fcm/send/x',
    'https://jmt17.google.com.evil.example.com/x',
    'https://evilpush.apple.com/x',
    'https://xnotify.windows.com/x',
    'https://fcm.googleapis.com:9999/x',
    'https://fcm.googleapis.com./x',
    'http://fcm.googleapis.com/x',
  ]) {
    t.same(at(endpoint), { problem }, endpoint);
    t.match(
      at(endpoint, true),
      { key: endpoint },
      `${endpoint} where private networks are allowed`,
    );
  }
});

t.test('normalizing twice is normalizing once, and every check is quick', async (t) => {
  const texts = fc.oneof(
    fc.string({ maxLength: 80 }),
    fc.emailAddress(),
    fc.stringMatching(/^\+[1-9][0-9]{6,14}$/),
    fc.stringMatching(/^@?[A-Za-z0-9_]{1,40}$/),
  );
  fc.assert(
    fc.property(fc.constantFrom(...channelIds), texts, (channel, raw) => {
      const once = normalizeEndpoint(channel, raw);
      if ('problem' in once) return true;
      const twice = normalizeEndpoint(channel, once.endpoint);
      return JSON.stringify(once) === JSON.stringify(twice);
    }),
    { seed: 164, numRuns: tries(3000) },
  );
  const startMs = performance.now();
  for (const evil of [
    'a'.repeat(65_536),
    `${'a.'.repeat(32_768)}@b`,
    `a@${'b.'.repeat(32_768)}`,
    '+1'.repeat(32_768),
    ' '.repeat(65_536),
  ]) {
    for (const channel of channelIds) normalizeEndpoint(channel, evil);
  }
  t.ok(performance.now() - startMs < 500, 'sixty-five checks of 64 KiB');
});
