// Compares previews with the requests that adapters really send to their stand-ins.

import { createECDH, type ECDH, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import t from 'tap';
import { createApns } from '../../../../actors/channels/apns/adapter.ts';
import { createEmail } from '../../../../actors/channels/email/adapter.ts';
import { createFcm } from '../../../../actors/channels/fcm/adapter.ts';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import type { RenderedContent } from '../../../../actors/channels/port/attempt.ts';
import type { ProviderConfig } from '../../../../actors/channels/port/provider-config.ts';
import { payloadOf } from '../../../../actors/channels/providers.ts';
import { createSms } from '../../../../actors/channels/sms/adapter.ts';
import { createVoice } from '../../../../actors/channels/voice/adapter.ts';
import { createWebPush } from '../../../../actors/channels/webpush/adapter.ts';
import { tries } from '../../../support/tries.ts';
import { http2StandIn } from '../http2-stand-in.ts';
import { smtpStandIn } from '../smtp-stand-in.ts';
import { acceptedMs, anAttempt, fixedClock, httpStandIn } from '../stand-ins.ts';

// It has no types of its own.
const ece: {
  decrypt(
    body: Buffer,
    options: { version: 'aes128gcm'; privateKey: ECDH; authSecret: Buffer },
  ): Buffer;
} = createRequire(import.meta.url)('http_ece');

const provider = await httpStandIn({ status: 201, body: '{}' });
const apple = await http2StandIn({ status: 200 });
const relay = await smtpStandIn();
const outbound = createOutbound({ allowPrivateNetworks: true });
const config: ProviderConfig = {
  mode: 'sandbox',
  urls: { FCM: provider.url, APNS: apple.url, CARRIER: provider.url },
  webPushUrl: provider.url,
  smtp: { url: relay.url },
  vapidSubject: 'mailto:operator@example.com',
  publicUrl: 'http://127.0.0.1',
};
const adapterContext = { config, outbound, clock: fixedClock(acceptedMs) };
const mails = createEmail(adapterContext);
const pushes = createApns(adapterContext);
t.teardown(async () => {
  await mails.close();
  await pushes.close();
  await apple.close();
  await outbound.close(0);
  await provider.close();
  await relay.close();
});

const text = fc.string({ maxLength: 40, unit: 'grapheme' }).filter((one) => !/\p{Cc}/u.test(one));
const content: fc.Arbitrary<RenderedContent> = fc.record(
  {
    title: text,
    body: fc.oneof(text, fc.constant('<p>Hi</p>'), fc.constant('x'.repeat(4_200))),
    image: fc.constant('https://cdn.example.com/a.png'),
    deepLink: fc.constantFrom('shop://new', 'https://shop.example.com/'),
    buttons: fc.constant([{ id: 'go', label: 'Go', url: 'https://shop.example.com/1' }]),
    data: fc.constantFrom({ screen: 'new' }, { from: 'reserved' }),
    options: fc.record(
      {
        badgeCount: fc.nat(9),
        sound: fc.constantFrom('none', 'ding'),
        ttlSeconds: fc.nat(100),
        collapseKey: text,
        androidChannelId: fc.constant('news'),
        priority: fc.constantFrom('normal', 'high'),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['body', 'options'] },
);

t.test(
  'the payload of a push is what FCM receives, or the reason why it receives nothing',
  async (t) => {
    const adapter = createFcm(adapterContext);
    await fc.assert(
      fc.asyncProperty(content, async (content) => {
        const attempt = anAttempt({ content });
        provider.calls.length = 0;
        const outcome = await adapter.send(attempt, undefined);
        const made = payloadOf(attempt, acceptedMs);
        const [call] = provider.calls;
        if (call === undefined) t.same(made, outcome);
        else t.same(made, { payload: JSON.parse(call.body.toString()) });
      }),
      { numRuns: tries(100) },
    );
  },
);

t.test('the payload of a push is what APNs receives, or why it receives nothing', async (t) => {
  await fc.assert(
    fc.asyncProperty(content, async (content) => {
      const attempt = anAttempt({ channel: 'apns', endpoint: 'ab'.repeat(32), content });
      apple.calls.length = 0;
      const outcome = await pushes.send(attempt, undefined);
      const made = payloadOf(attempt, acceptedMs);
      const [call] = apple.calls;
      if (call === undefined) t.same(made, outcome);
      else t.same(made, { payload: JSON.parse(call.body.toString()) });
    }),
    { numRuns: tries(100) },
  );
});

t.test('that of a web push is what the service worker reads once it is decrypted', async (t) => {
  const adapter = createWebPush(adapterContext);
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const authSecret = randomBytes(16);
  const keys = {
    p256dh: browser.getPublicKey('base64url'),
    auth: authSecret.toString('base64url'),
  };
  await fc.assert(
    fc.asyncProperty(content, async (content) => {
      const endpoint = { endpoint: 'https://push.example.com/1', keys };
      const attempt = anAttempt({ channel: 'webpush', endpoint, content });
      provider.calls.length = 0;
      const outcome = await adapter.send(attempt, undefined);
      const made = payloadOf(attempt, acceptedMs);
      const [call] = provider.calls;
      if (call === undefined) return t.same(made, outcome);
      const read = ece.decrypt(call.body, {
        version: 'aes128gcm',
        privateKey: browser,
        authSecret,
      });
      return t.same(made, { payload: JSON.parse(read.toString()) });
    }),
    { numRuns: tries(100) },
  );
});

t.test('that of a mail is what its reader finds in it', async (t) => {
  await fc.assert(
    fc.asyncProperty(content, async (content) => {
      const attempt = anAttempt({ channel: 'email', endpoint: 'ada@example.net', content });
      relay.messages.length = 0;
      const outcome = await mails.send(attempt, undefined);
      const made = payloadOf(attempt, acceptedMs);
      if (made === undefined || !('payload' in made)) return t.same(made, outcome);
      const { payload } = made as { payload: Record<string, never> };
      const mail = await simpleParser(relay.messages[0]?.replaceAll('\r\n..', '\r\n.') ?? '');
      t.equal(mail.subject ?? '', payload['subject']);
      t.equal(mail.from?.value[0]?.address, payload['fromAddress']);
      // Mail has CRLF line ends, and the parser ends a part with one.
      const lines = (one: unknown) => String(one).replaceAll('\r\n', '\n').trimEnd();
      t.equal(lines(mail.html), lines(payload['html']));
      t.equal(lines(mail.text), lines(payload['text']));
      for (const [name, value] of Object.entries<string>(payload['headers'] ?? {})) {
        const line = mail.headerLines.find(({ key }) => key === name.toLowerCase())?.line;
        t.equal(line?.replaceAll(/\r?\n\s+/g, ' '), `${name}: ${value}`);
      }
      return true;
    }),
    { numRuns: tries(60) },
  );
});

t.test("that of a text or a call is the carrier's form, less sender and callback", async (t) => {
  for (const [channel, create] of [
    ['sms', createSms],
    ['voice', createVoice],
  ] as const) {
    const adapter = create(adapterContext);
    await fc.assert(
      fc.asyncProperty(content, async (content) => {
        const attempt = anAttempt({ channel, endpoint: '+14155550123', content });
        provider.calls.length = 0;
        const outcome = await adapter.send(attempt, undefined);
        const made = payloadOf(attempt, acceptedMs);
        const [call] = provider.calls;
        if (call === undefined) return t.same(made, outcome);
        const form = [...new URLSearchParams(call.body.toString())];
        const own = form.filter(([name]) => !/^(From|StatusCallback.*)$/.test(name));
        return t.same(made, { payload: Object.fromEntries(own) });
      }),
      { numRuns: tries(100) },
    );
  }
});

t.test(
  "the operator's own sender is not made up, and what belongs to a send is left out",
  async (t) => {
    const { fromAddress: _none, ...email } = anAttempt().email ?? { unsubscribeUrl: '' };
    const attempt = { ...anAttempt({ channel: 'email', endpoint: 'ada@example.net' }), email };
    const made = payloadOf(attempt, acceptedMs);
    t.same(Object.keys((made as { payload: object }).payload).sort(), [
      'fromName',
      'headers',
      'html',
      'subject',
      'text',
      'to',
    ]);
  },
);
