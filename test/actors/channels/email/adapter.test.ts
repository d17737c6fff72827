// The email adapter against a scripted relay: the conformance suite, the mail as a reader sees it,
// and what must never get into its headers.

import { generateKeyPairSync } from 'node:crypto';
import { simpleParser } from 'mailparser';
import t from 'tap';
import { createEmail } from '../../../../actors/channels/email/adapter.ts';
import { composeMail } from '../../../../actors/channels/email/message.ts';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import type {
  DkimConfig,
  MailKey,
  ProviderConfig,
  SmtpConfig,
} from '../../../../actors/channels/port/provider-config.ts';
import { verifyDkim } from '../../../../sandbox/email/dkim-verify.ts';
import { type ChannelSubject, channelConformance } from '../../../conformance/channel.ts';
import { type SmtpBehavior, smtpStandIn } from '../smtp-stand-in.ts';
import { acceptedMs, anAttempt, closedPort, fixedClock } from '../stand-ins.ts';

const to = 'person@example.net';
const behaviors: Record<string, SmtpBehavior> = {
  accept: {},
  hang: { final: 'hang' },
  cut: { final: 'cut' },
  'no such user, with its code': { rcpt: '550 5.1.1 no such user' },
  'no such user, in words': { rcpt: '550 Unknown user' },
  '550 in other words': { rcpt: '550 not now' },
  'no such domain': { rcpt: '550 5.1.2 bad destination system' },
  'a disabled mailbox': { rcpt: '550 5.2.1 disabled' },
  'a full mailbox': { rcpt: '552 5.2.2 mailbox full' },
  'a full mailbox, for now': { rcpt: '452 4.2.2 over quota' },
  greylisting: { rcpt: '451 4.7.1 greylisted, try again later' },
  throttling: { rcpt: '421 4.7.28 unusual rate' },
  'too many, in words': { mail: '450 too many messages' },
  busy: { rcpt: '421 4.3.2 busy' },
  policy: { rcpt: '550 5.7.1 blocked by policy' },
  'a mailbox that gets too much': { rcpt: '550-5.2.1 The user is receiving mail at a rate that' },
  'a blocklist': { rcpt: '554 5.7.1 Client host [192.0.2.1] blocked using zen.spamhaus.org' },
  'a limit with a 5xx': { rcpt: '550 5.7.0 too many emails per second' },
  'a mailbox unknown to Microsoft': {
    rcpt: '550 5.4.1 Recipient address rejected: Access denied. [a.prod.outlook.com]',
  },
  'a sender without DMARC': { final: '550 5.7.26 unauthenticated' },
  'refused content': { final: '554 5.6.0 bad content' },
  'too large': { final: '552 5.3.4 too big' },
  routing: { rcpt: '550 5.4.6 loop' },
  'a refused sender': { mail: '550 5.7.1 not your domain' },
  'a relay that wants a login': { mail: '530 5.7.0 authentication required' },
  'a relay that takes nobody': { greeting: '554 5.7.1 no' },
  'a relay that is full': { greeting: '421 4.3.2 come back later' },
  'a connection lost before the message': { rcpt: 'cut' },
  'a connection lost at DATA': { data: 'cut' },
  echo: { rcpt: `550 5.7.1 <${to}>: no mail for person@example.net from shop@example.com` },
};

function config(smtp: SmtpConfig | undefined, mode: 'live' | 'sandbox' = 'live'): ProviderConfig {
  return {
    mode,
    urls: {},
    vapidSubject: 'mailto:a@example.com',
    publicUrl: 'https://engage.example.com',
    ...(smtp && { smtp }),
  };
}

const outbound = createOutbound({ allowPrivateNetworks: false });
t.teardown(() => outbound.close(0));
const clock = fixedClock(acceptedMs);
const email = (smtp: SmtpConfig | undefined) =>
  createEmail({ config: config(smtp), outbound, clock });
const html = '<p>Hello <b>wörld</b>, it has shipped.</p>';
const attempt = () => anAttempt({ channel: 'email', endpoint: to, content: { body: html } });

const subject: ChannelSubject = {
  name: 'email',
  attempt,
  async open({ timeoutMs, down, bare }) {
    const relay = await smtpStandIn();
    const url = down ? `smtp://127.0.0.1:${await closedPort()}` : relay.url;
    const timeouts = { connectMs: timeoutMs, replyMs: timeoutMs, finalMs: timeoutMs };
    const adapter = email(bare ? undefined : { url, timeouts });
    return {
      adapter,
      credentials: undefined,
      meet: (key) => relay.meet(behaviors[key] ?? {}),
      calls: () => relay.messages.length,
      release: () => relay.release(),
      shutDown: () => adapter.close(),
      async close() {
        await relay.close();
        await adapter.close();
      },
    };
  },
  outcomes: {
    'no such user, with its code': { outcome: 'dead', reason: 'mailbox_not_found' },
    'no such user, in words': { outcome: 'dead', reason: 'mailbox_not_found' },
    '550 in other words': { outcome: 'permanent', reason: 'refused' },
    'no such domain': { outcome: 'dead', reason: 'domain_not_found' },
    'a disabled mailbox': { outcome: 'dead', reason: 'mailbox_disabled' },
    'a full mailbox': { outcome: 'retry', reason: 'mailbox_full' },
    'a full mailbox, for now': { outcome: 'retry', reason: 'mailbox_full' },
    greylisting: { outcome: 'retry', reason: 'deferred' },
    throttling: { outcome: 'rate', reason: 'throttled' },
    'too many, in words': { outcome: 'rate', reason: 'throttled' },
    busy: { outcome: 'retry', reason: 'relay_busy' },
    policy: { outcome: 'permanent', reason: 'policy' },
    'a mailbox that gets too much': { outcome: 'retry', reason: 'recipient_quota' },
    'a blocklist': { outcome: 'permanent', reason: 'sender_blocked' },
    'a limit with a 5xx': { outcome: 'rate', reason: 'throttled' },
    'a mailbox unknown to Microsoft': { outcome: 'dead', reason: 'mailbox_not_found' },
    'a sender without DMARC': { outcome: 'permanent', reason: 'sender_not_authenticated' },
    'refused content': { outcome: 'permanent', reason: 'content_refused' },
    'too large': { outcome: 'permanent', reason: 'message_too_large' },
    routing: { outcome: 'permanent', reason: 'routing' },
    'a refused sender': { outcome: 'config', reason: 'sender_refused' },
    'a relay that wants a login': { outcome: 'config', reason: 'relay_authentication' },
    'a relay that takes nobody': { outcome: 'config', reason: 'relay_refused' },
    'a relay that is full': { outcome: 'retry', reason: 'relay_busy' },
    'a connection lost before the message': { outcome: 'retry', reason: 'connection_lost' },
    'a connection lost at DATA': { outcome: 'retry', reason: 'connection_lost' },
  },
  tooLarge: () => ({ ...attempt(), content: { body: 'x'.repeat(520 * 1024), options: {} } }),
  tooLargeReason: 'message_too_large',
  secrets: [to, 'shop@example.com'],
};

await channelConformance(t, subject);

/** Sends one attempt and returns the mail that the relay received. */
async function sent(over: Parameters<typeof anAttempt>[0], smtp: Partial<SmtpConfig> = {}) {
  const relay = await smtpStandIn();
  const adapter = email({ url: relay.url, ...smtp });
  const outcome = await adapter.send(
    anAttempt({ channel: 'email', endpoint: to, ...over }),
    undefined,
  );
  await adapter.close();
  await relay.close();
  return { outcome, raw: relay.messages[0] ?? '', commands: relay.commands };
}

t.test('a reader finds everything the content and the envelope say', async (t) => {
  const { raw, commands, outcome } = await sent({
    content: {
      title: 'Grüße – your order',
      body: html,
      image: 'https://cdn.example.com/a.png?x=1&y=2',
      deepLink: 'https://shop.example.com/orders/1',
      buttons: [{ label: 'Track <it>', url: 'https://shop.example.com/track' }],
      options: { priority: 'high' },
    },
    email: {
      fromName: 'Müller & Söhne',
      replyTo: 'help@example.com',
      unsubscribeText: 'Abbestellen',
      unsubscribe: 'both',
    },
  });
  const attempt = anAttempt();
  const messageId = `${attempt.sendId}.${attempt.deviceId}@example.com`;
  t.match(outcome, { outcome: 'accepted', providerMessageId: messageId });
  const mail = await simpleParser(raw);
  t.equal(mail.subject, 'Grüße – your order');
  t.same(mail.from?.value, [{ address: 'shop@example.com', name: 'Müller & Söhne' }]);
  t.same(mail.replyTo?.value, [{ address: 'help@example.com', name: '' }]);
  t.equal(mail.messageId, `<${messageId}>`);
  t.equal(mail.date?.getTime(), acceptedMs);
  t.equal(mail.headers.get('x-engage-send-id'), attempt.sendId);
  t.equal(mail.headers.get('x-engage-device-id'), attempt.deviceId);
  t.match(raw, /^List-Unsubscribe: <https:\/\/engage\.example\.com\/u\/token>\r$/m);
  t.match(raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  t.match(raw, /^X-Priority: 1\r$/m);
  const shown = String(mail.html);
  t.ok(shown.includes(html), 'the body as it was given');
  t.ok(shown.includes('src="https://cdn.example.com/a.png?x=1&amp;y=2"'));
  t.ok(shown.includes('href="https://shop.example.com/orders/1"'));
  t.ok(shown.includes('Track &lt;it&gt;'));
  t.ok(shown.includes('Abbestellen'));
  t.match(
    mail.text,
    /Hello wörld, it has shipped\.[\s\S]*Open \(https:\/\/shop\.example\.com\/orders\/1\)/,
  );
  t.match(mail.text, /Abbestellen \(https:\/\/engage\.example\.com\/u\/token\)/);
  t.ok(commands.includes(`RCPT TO:<${to}>`));
  t.ok(
    commands.some(
      (line) =>
        line.startsWith('MAIL FROM:<shop@example.com> SIZE=') ||
        line === 'MAIL FROM:<shop@example.com>',
    ),
  );
  const wrong = raw.split('\r\n').filter((line) => !/^[\t\x20-\x7e]{0,998}$/.test(line));
  t.same(wrong, [], 'every line is ASCII and short');
});

t.test('a retry is the same bytes', async (t) => {
  const first = await sent({ content: { body: html } });
  const second = await sent({ attempt: 2, content: { body: html } });
  t.equal(first.raw, second.raw);
});

t.test('a whole document keeps its shape', async (t) => {
  const body = '<html><head><title>x</title></head><body class="a"><p>Hi</p></body></html>';
  const { raw } = await sent({ content: { body, unsubscribe: 'both' } });
  const shown = String((await simpleParser(raw)).html).trim();
  t.match(
    shown,
    /^<html><head><title>x<\/title><\/head><body class="a"><p>Hi<\/p>[\s\S]*Unsubscribe<\/a><\/p>\n<\/body><\/html>$/,
  );
});

t.test('the return path is where bounces go', async (t) => {
  const { commands } = await sent({
    email: { returnPath: 'bounce+ntf_1.dev_1.mac@bounces.example.com' },
  });
  t.ok(
    commands.some((line) =>
      line.startsWith('MAIL FROM:<bounce+ntf_1.dev_1.mac@bounces.example.com>'),
    ),
  );
});

t.test('nothing gets into the headers but what belongs there', async (t) => {
  const attacks = {
    title: { content: { title: 'Hi\r\nBcc: victim@example.com' } },
    'title with a bare line feed': { content: { title: 'Hi\nBcc: victim@example.com' } },
    'title with a line separator': { content: { title: 'Hi\u2028Bcc: victim@example.com' } },
    'title with NUL': { content: { title: 'Hi\u0000' } },
    'sender name': { email: { fromName: 'Shop\r\nBcc: victim@example.com' } },
    'sender address': { email: { fromAddress: 'shop@example.com\r\nBcc: victim@example.com' } },
    'two sender addresses': { email: { fromAddress: 'shop@example.com, victim@example.com' } },
    'reply-to': { email: { replyTo: 'a@example.com\r\nBcc: victim@example.com' } },
    recipient: { endpoint: 'a@example.com>\r\nRCPT TO:<victim@example.com' },
    'two recipients': { endpoint: 'a@example.com,victim@example.com' },
    'return path': {
      email: { returnPath: 'a@example.com> SIZE=1\r\nRCPT TO:<victim@example.com' },
    },
    'unsubscribe link': {
      email: { unsubscribeUrl: 'https://x.example.com/\r\nBcc: victim@example.com' },
    },
  };
  for (const [name, over] of Object.entries(attacks)) {
    const { raw, outcome } = await sent(over);
    t.equal(raw, '', `${name}: nothing was sent`);
    t.ok(['permanent', 'config'].includes(outcome.outcome), name);
  }
  const { raw } = await sent({
    content: { title: '=?utf-8?Q?Bcc:_x@example.com?=' },
    email: { fromName: 'A" <victim@example.com>, "B' },
  });
  const mail = await simpleParser(raw);
  t.equal(mail.subject, '=?utf-8?Q?Bcc:_x@example.com?=', 'an encoded word in a title stays text');
  t.same(
    mail.from?.value.map((one) => one.address),
    ['shop@example.com'],
  );
});

t.test('the plain text has the address of every button, whatever opens it', async (t) => {
  const body = [
    '<p><a href="mailto:help@shop.example.com">help@shop.example.com</a>',
    '<a href="tel:+14155550123">+14155550123</a> <a href="mailto:a@example.com">Write</a>',
    '<a href="#top">Top</a> <a href="javascript:x()">Run</a></p>',
  ].join(' ');
  const { raw } = await sent({
    content: {
      body,
      deepLink: 'shop://orders/5?a=1&b=2',
      buttons: [
        { label: 'Call', url: 'tel:+14155550123' },
        { label: 'Open 5', url: 'https://x.example.com/5' },
      ],
    },
  });
  const { text } = await simpleParser(raw);
  t.match(text, 'Open (shop://orders/5?a=1&b=2)');
  t.match(text, 'Call (tel:+14155550123)');
  t.match(text, 'Open 5 (https://x.example.com/5)');
  t.match(
    text,
    'help@shop.example.com +14155550123 Write (mailto:a@example.com) Top Run',
    'an address that is read already is not said twice, and what leads nowhere is not said',
  );
});

t.test('a link that could run is left out', async (t) => {
  const buttons = [
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
  ];
  const { raw } = await sent({ content: { buttons: buttons.map((url) => ({ label: 'x', url })) } });
  const shown = String((await simpleParser(raw)).html);
  t.equal(shown.match(/<a /g), null);
});

t.test('a mail offers to unsubscribe where message, app and lane say so', async (t) => {
  const ways = [undefined, 'none', 'footer', 'header', 'both'] as const;
  for (const lane of ['express', 'bulk'] as const)
    for (const ofMessage of ways)
      for (const ofApp of ways)
        for (const isTest of [false, true]) {
          const attempt = anAttempt({
            channel: 'email',
            endpoint: to,
            lane,
            content: ofMessage === undefined ? {} : { unsubscribe: ofMessage },
            email: {
              ...(ofApp === undefined ? {} : { unsubscribe: ofApp }),
              ...(isTest ? { isTest } : {}),
            },
          });
          const mail = composeMail(attempt, undefined);
          if ('outcome' in mail) throw new Error(mail.reason);
          const isMarketing = lane === 'bulk' || isTest;
          const chosen = ofMessage ?? ofApp ?? (isMarketing ? 'both' : 'none');
          const names = mail.headers.map(([name]) => name);
          const what = `${lane}, ${ofMessage}, ${ofApp}, ${isTest}`;
          const hasHeader = isMarketing || chosen === 'header' || chosen === 'both';
          const hasFooter = chosen === 'footer' || chosen === 'both';
          t.equal(names.includes('List-Unsubscribe'), hasHeader, what);
          t.equal(names.includes('List-Unsubscribe-Post'), hasHeader, what);
          t.equal(mail.html.includes('/u/token'), hasFooter, what);
          t.equal(mail.text.includes('/u/token'), hasFooter, what);
        }
});

t.test('an attempt without a sender is not sent', async (t) => {
  const relay = await smtpStandIn();
  t.teardown(() => relay.close());
  const plain = anAttempt({ channel: 'email', endpoint: to });
  const bare = { ...plain, email: { unsubscribeUrl: 'https://engage.example.com/u/1' } };
  const adapter = email({ url: relay.url });
  t.match(await adapter.send(bare, undefined), {
    outcome: 'config',
    reason: 'sender_not_configured',
  });
  await adapter.close();
});

t.test('a mail is signed with the key of its own domain, or with none', async (t) => {
  const relay = await smtpStandIn();
  t.teardown(() => relay.close());
  const keys: Record<string, string> = {};
  const keyOf = (domain: string): DkimConfig => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const p = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    keys[`s._domainkey.${domain}`] = `v=DKIM1; p=${p}`;
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    return { domain, selector: 's', privateKey: pem };
  };
  const adapter = email({ url: relay.url, dkim: keyOf('mail.example.org') });
  t.teardown(() => adapter.close());
  const signaturesOf = async (fromAddress: string, key: MailKey | undefined) => {
    const { email: envelope, ...attempt } = anAttempt({ channel: 'email', endpoint: to });
    const unsubscribeUrl = 'https://engage.example.com/u/1';
    const from = { ...envelope, unsubscribeUrl, fromAddress };
    t.match(await adapter.send({ ...attempt, email: from }, key), { outcome: 'accepted' });
    const mail = relay.messages.pop()?.replace(/\r\n\.\./g, '\r\n.') ?? '';
    return verifyDkim(mail, (name) => (keys[name] === undefined ? [] : [keys[name]]));
  };
  const shop = keyOf('shop.example');
  const passes = (domain: string) => [{ domain, result: 'pass', aligned: true }];
  t.match(await signaturesOf('a@shop.example', shop), passes('shop.example'));
  t.match(await signaturesOf('a@SHOP.example', shop), passes('shop.example'), 'any case');
  t.match(await signaturesOf('a@mail.example.org', 'platform'), passes('mail.example.org'));
  for (const other of ['a@other.example', 'a@www.shop.example', 'a@xshop.example'])
    t.same(await signaturesOf(other, shop), [], other);
  t.same(await signaturesOf('a@shop.example', 'platform'), [], 'not with the platform key');
  t.same(await signaturesOf('a@mail.example.org', undefined), [], 'nor without leave');
  const next = keyOf('shop.example');
  t.match(await signaturesOf('a@shop.example', next), passes('shop.example'), 'a key made later');
});
