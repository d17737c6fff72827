// A tenant's own mail server: where it may connect, how it logs in, and what copies do.

import { SMTPServer } from 'smtp-server';
import t, { type Test } from 'tap';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import type { ProviderConfig } from '../../../../actors/channels/port/provider-config.ts';
import { createAccessTokens } from '../../../../actors/channels/relays/smtp/access-tokens.ts';
import { openSmtp } from '../../../../actors/channels/relays/smtp/account.ts';
import { smtp } from '../../../../actors/channels/relays/smtp/kind.ts';
import { smtpService } from '../../../../actors/channels/relays/smtp/provider.ts';
import { withSandbox } from '../../../sandbox/with-sandbox.ts';
import { certificate } from '../certificate.ts';
import { providerConfig } from '../http-rig.ts';
import { type SmtpBehavior, smtpStandIn } from '../smtp-stand-in.ts';
import { acceptedMs, fixedClock } from '../stand-ins.ts';
import { anOpenRelay, messageOf, relayMail } from './mail.ts';

const to = 'ada@example.net';
/** No DNS of the machine knows it. */
const host = 'mail.shop.test';

interface Over {
  readonly config?: Record<string, unknown>;
  readonly provider?: Partial<ProviderConfig>;
  readonly addresses?: readonly string[];
  readonly allowPrivateNetworks?: boolean;
}

/** An account at `host`, which is at these addresses. */
function open(t: Test, { config, provider, addresses, allowPrivateNetworks = true }: Over = {}) {
  const outbound = createOutbound({ allowPrivateNetworks });
  const asked: string[] = [];
  const resolver = {
    async resolve4(name: string) {
      asked.push(name);
      return [...(addresses ?? ['127.0.0.1'])];
    },
    resolve6: () => Promise.reject(new Error('no such record')),
  };
  const clock = fixedClock(acceptedMs);
  const account = openSmtp(
    anOpenRelay('smtp', smtp.configSchema.parse({ host, ...config })),
    { config: { ...providerConfig({}), ...provider }, outbound, clock },
    resolver,
  );
  t.teardown(async () => {
    await account.close();
    await outbound.close(0);
  });
  return { account, asked, clock };
}

async function withServer(t: Test, behavior: SmtpBehavior = {}, over: Over = {}) {
  const server = await smtpStandIn(behavior);
  t.teardown(() => server.close());
  return { server, ...open(t, { ...over, config: { port: server.port, ...over.config } }) };
}

t.test('the mail goes to the address that the guard resolved, once to each person', async (t) => {
  const { server, account, asked } = await withServer(t);
  const mail = relayMail(to, { cc: ['Ada@example.net', 'b@example.net'], bcc: ['c@example.net'] });
  t.match(await account.send(mail), {
    outcome: 'accepted',
    providerMessageId: mail.mail.messageId,
  });
  t.same(asked, [host]);
  t.same(
    server.commands.filter((line) => /^(MAIL|RCPT)/.test(line)),
    [
      'MAIL FROM:<bounce@bounces.example.com>',
      `RCPT TO:<${to}>`,
      'RCPT TO:<b@example.net>',
      'RCPT TO:<c@example.net>',
    ],
  );
  t.equal(server.messages[0], messageOf(mail));
});

t.test('a refused copy does not refuse the mail; a refused recipient does, unsent', async (t) => {
  for (const extensions of [['PIPELINING'], ['8BITMIME']]) {
    const refusing = (address: string) => ({
      extensions,
      rcptOf: (line: string) => (line.includes(address) ? '550 5.1.1 no such user' : '250 ok'),
    });
    const { server, account } = await withServer(t, refusing('b@'), { config: { connections: 1 } });
    const mail = relayMail(to, { cc: ['b@example.net'], bcc: ['c@example.net'] });
    t.match(await account.send(mail), { outcome: 'accepted' });
    t.equal(server.messages.length, 1);
    server.meet(refusing('ada@'));
    t.match(await account.send(mail), { outcome: 'dead' });
    t.equal(server.messages.length, 1, 'nobody got a mail that its recipient did not get');
    server.meet({ extensions });
    t.match(await account.send(mail), { outcome: 'accepted' });
    t.equal(server.messages.length, 2);
    t.equal(server.connections(), 1);
  }
});

t.test('private addresses and other ports are refused before anything is sent', async (t) => {
  const { server, account } = await withServer(t, {}, { allowPrivateNetworks: false });
  t.match(await account.send(relayMail(to)), { outcome: 'config', reason: 'port_not_allowed' });
  const cases = [
    { addresses: ['127.0.0.1'] },
    { addresses: ['10.1.2.3'] },
    { addresses: ['8.8.8.8', '192.168.0.1'] },
    { config: { host: '127.0.0.1' } },
    { config: { host: '169.254.169.254' } },
    { config: { host: 'LOCALHOST' } },
    { config: { host: 'db.internal' } },
  ];
  for (const one of cases) {
    const { account } = open(t, { ...one, allowPrivateNetworks: false });
    const told = JSON.stringify(one);
    t.match(
      await account.send(relayMail(to)),
      { outcome: 'config', reason: 'private_address' },
      told,
    );
    t.match(await account.check(), { checked: true, ok: false, reason: 'private_address' }, told);
  }
  const unknown = open(t, { addresses: [], allowPrivateNetworks: false });
  t.match(await unknown.account.send(relayMail(to)), { outcome: 'retry', reason: 'dns' });
  t.equal(server.connections(), 0);
});

t.test('the certificate must be that of the name, also where the guard resolves it', async (t) => {
  for (const implicitTls of [true, false]) {
    const seen: string[] = [];
    const server = new SMTPServer({
      ...certificate,
      secure: implicitTls,
      onAuth: ({ username = '' }, _session, done) => {
        seen.push(username);
        done(null, { user: username });
      },
      onData: (stream, _session, done) => stream.resume().on('end', () => done()),
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const address = server.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const login = { user: 'shop', password: 'a password' };
    const provider = { smtp: { url: 'smtp://x', certificateAuthorities: certificate.cert } };
    const config = { port, implicitTls, ...login };
    const other = open(t, { config, provider });
    t.match(await other.account.send(relayMail(to)), { outcome: 'config', reason: 'relay_tls' });
    t.same(seen, [], 'the password stays here');
    const own = open(t, { config: { ...config, host: 'localhost' }, provider });
    t.match(await own.account.send(relayMail(to)), { outcome: 'accepted' });
    t.same(seen, ['shop']);
  }
});

t.test('a password goes in clear text to this machine alone', async (t) => {
  const login = { user: 'shop', password: 'a password' };
  for (const name of [host, '127.example.com']) {
    const { server, account } = await withServer(
      t,
      { extensions: ['AUTH PLAIN'] },
      { config: { host: name, ...login } },
    );
    t.match(await account.send(relayMail(to)), { outcome: 'config', reason: 'tls_required' });
    t.notOk(server.commands.some((line) => line.startsWith('AUTH')));
  }
});

t.test('what the server says never shows the login', async (t) => {
  const login = { user: 'shop-user', password: 'hunter2hunter2' };
  const echo = `535 5.7.8 no: hunter2hunter2 ${Buffer.from(login.password).toString('base64')}`;
  const behavior = { extensions: ['AUTH PLAIN'], auth: echo };
  const { account } = await withServer(t, behavior, { config: { host: 'localhost', ...login } });
  const outcome = await account.send(relayMail(to));
  t.match(outcome, { outcome: 'config', reason: 'relay_authentication' });
  t.notMatch(JSON.stringify(outcome), /hunter2|aHVudGVy/);
  t.notMatch(JSON.stringify(await account.check()), /hunter2|aHVudGVy/);
});

t.test('a recalled mail is not sent', async (t) => {
  const { server, account } = await withServer(t);
  await account.send(relayMail(to), () => false);
  t.equal(server.messages.length, 0);
});

t.test('a mail without a reply is ambiguous', async (t) => {
  const { account } = await withServer(t, { final: 'cut' });
  t.match(await account.send(relayMail(to)), { outcome: 'ambiguous' });
});

t.test('OAUTHBEARER is used where it alone is offered', async (t) => {
  const sandbox = await withSandbox(t);
  const user = 'a,b=c@example.com';
  const { server, account } = await withServer(
    t,
    { extensions: ['AUTH OAUTHBEARER'] },
    {
      config: { host: 'localhost', user, oauth },
      provider: { urls: sandbox.providerUrls },
    },
  );
  t.match(await account.send(relayMail(to)), { outcome: 'accepted' });
  const said = server.commands.find((line) => line.startsWith('AUTH OAUTHBEARER'));
  const words = Buffer.from(said?.split(' ')[2] ?? '', 'base64').toString();
  t.match(words.split('\x01'), [
    'n,a=a=2Cb=3Dc@example.com,',
    'host=localhost',
    `port=${server.port}`,
    /^auth=Bearer mail\.sandbox\./,
    '',
    '',
  ]);
});

const oauth = {
  tokenUrl: 'https://login.example.com/token',
  clientId: 'client',
  clientSecret: 'client-secret',
};

async function inSandbox(t: Test, config: Record<string, unknown>) {
  const sandbox = await withSandbox(t);
  const { smtpUrl, providerUrls: urls } = sandbox;
  const provider = { mode: 'sandbox', smtp: { url: smtpUrl }, urls } as const;
  const opened = open(t, { config, provider, allowPrivateNetworks: false });
  const logins = async (change?: object) =>
    (await sandbox.call(change ? 'POST' : 'GET', '/control/email/logins', change)).json;
  return { ...sandbox, ...opened, logins };
}

t.test('in sandbox mode all mail goes to the sandbox, whatever the host says', async (t) => {
  const { account, asked, messages, logins } = await inSandbox(t, {
    host: 'smtp.example.com',
    user: 'shop',
    password: 'a-password',
  });
  t.match(await account.check(), { ok: true });
  t.match(await account.send(relayMail(to, { cc: ['b@example.net'] })), { outcome: 'accepted' });
  t.same(asked, []);
  t.same((await messages()).map(({ to }) => to).sort(), [to, 'b@example.net']);
  await logins({ user: 'shop' });
  t.match(await account.check(), { ok: false, reason: 'relay_authentication' });
  await logins({ user: 'shop', revoked: false });
  t.match(await account.check(), { ok: true });
});

t.test('one token serves all connections, until it ends or is refused', async (t) => {
  for (const grant of [{}, { refreshToken: 'refresh', scope: 'https://mail.google.com/' }]) {
    const { account, clock, logins, messages } = await inSandbox(t, {
      user: 'shop@example.com',
      oauth: { ...oauth, ...grant },
      messagesPerConnection: 1,
    });
    clock.nowMs = Date.now();
    const sendAll = async () => {
      const mails = Array.from({ length: 20 }, (_, n) => relayMail(`p${n}@example.net`, {}, n + 1));
      const outcomes = await Promise.all(mails.map((mail) => account.send(mail)));
      t.ok(outcomes.every(({ outcome }) => outcome === 'accepted'));
    };
    await sendAll();
    t.match(await logins(), { tokensIssued: 1, refused: 0 });
    clock.nowMs += 50 * 60_000;
    await sendAll();
    t.match(await logins(), { tokensIssued: 1 });
    clock.nowMs += 6 * 60_000;
    await sendAll();
    t.match(await logins(), { tokensIssued: 2, refused: 0 }, 'renewed before it ended');
    await logins({ endTokens: true });
    await sendAll();
    t.match(await logins(), { tokensIssued: 3 }, 'renewed after the server refused it');
    t.equal((await messages('?limit=200')).length, 80);
    await logins({ user: 'shop@example.com' });
    t.match(await account.check(), { ok: false, reason: 'relay_authentication' });
    const { tokensIssued } = await logins();
    t.ok(tokensIssued <= 4, 'a new token that is refused is not renewed again');
  }
});

t.test('a client that the token endpoint refuses is the account’s fault', async (t) => {
  const { account } = await inSandbox(t, {
    user: 'shop@example.com',
    oauth: { ...oauth, clientId: 'revoked-client' },
  });
  const outcome = await account.send(relayMail(to));
  t.match(outcome, { outcome: 'config', reason: 'oauth_refused', detail: /invalid_client/ });
  t.match(await account.check(), { ok: false, reason: 'oauth_refused' });
});

t.test('the token endpoint of a tenant passes the guard', async (t) => {
  const outbound = createOutbound({ allowPrivateNetworks: false });
  t.teardown(() => outbound.close(0));
  const inside = { ...oauth, tokenUrl: 'https://169.254.169.254/token' };
  const tokens = createAccessTokens({ outbound, clock: fixedClock(0), oauth: inside });
  t.match(await tokens.get(), { outcome: 'config', reason: 'private_address' });
  const ftp = { host, user: 'a', oauth: { ...oauth, tokenUrl: 'ftp://login.example.com/token' } };
  t.equal(smtp.configSchema.safeParse(ftp).success, false);
});

t.test('a configuration names one way to log in, and whom', async (t) => {
  const judge = (config: object) => smtp.configSchema.safeParse({ host, ...config }).success;
  t.ok(judge({}));
  t.ok(judge({ user: 'a', password: 'b' }));
  t.ok(judge({ user: 'a', oauth }));
  t.notOk(judge({ user: 'a', password: 'b', oauth }));
  t.notOk(judge({ password: 'b' }));
  t.notOk(judge({ oauth }));
  t.ok(judge({ user: 'a', password: null, oauth }), 'a password is taken back');
  t.equal(await smtpService.open(), openSmtp);
});
