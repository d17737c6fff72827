// The pool of SMTP conversations: what it writes, how it logs in and encrypts, and that every
// message gets exactly one result that says how far it came.

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import t, { type Test } from 'tap';
import {
  readRelayUrl,
  SmtpSender,
  type SmtpSenderConfig,
} from '../../../../actors/channels/email/smtp-sender.ts';
import { certificate } from '../certificate.ts';
import { type SmtpBehavior, smtpStandIn } from '../smtp-stand-in.ts';

const message = { from: 'a@example.com', to: 'b@example.net', data: 'Subject: x\r\n\r\nhello\r\n' };

async function rig(t: Test, behavior: SmtpBehavior = {}, config: Partial<SmtpSenderConfig> = {}) {
  const relay = await smtpStandIn(behavior);
  const sender = new SmtpSender({
    relay: { host: '127.0.0.1', port: relay.port, implicitTls: false, clientName: 'engage.test' },
    timeouts: { connectMs: 1000, replyMs: 1000, finalMs: 1000 },
    ...config,
  });
  t.teardown(async () => {
    await relay.close();
    await sender.close(0);
  });
  return { relay, sender };
}

t.test('commands go out together only where the relay pipelines', async (t) => {
  const writes: string[] = [];
  const server = createServer((socket: Socket) => {
    socket.write('220 x\r\n');
    socket.on('data', (chunk) => {
      writes.push(String(chunk));
      for (const line of String(chunk).split('\r\n').slice(0, -1)) {
        if (line.startsWith('EHLO')) socket.write('250 x\r\n');
        else if (line === 'DATA') socket.write('354 go\r\n');
        else if (/^(MAIL|RCPT|\.$)/.test(line)) socket.write('250 ok\r\n');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const sender = new SmtpSender({
    relay: { host: '127.0.0.1', port, implicitTls: false, clientName: 'me' },
  });
  t.match(await sender.send(message), { kind: 'accepted' });
  await sender.close();
  server.close();
  t.same(writes.slice(0, 5), [
    'EHLO me\r\n',
    'MAIL FROM:<a@example.com>\r\n',
    'RCPT TO:<b@example.net>\r\n',
    'DATA\r\n',
    `${message.data}.\r\n`,
  ]);
});

t.test('dots at the start of a line arrive as they were written', async (t) => {
  const { relay, sender } = await rig(t);
  const data = '.first\r\nSubject: x\r\n\r\n.\r\n..two\r\n.end\r\na.b\r\n';
  await sender.send({ ...message, data });
  t.equal(relay.messages[0]?.replace(/^\./gm, ''), data);
  await sender.send({ ...message, data: 'no line end' });
  t.equal(relay.messages[1], 'no line end\r\n');
});

t.test('one connection carries many messages, and no more than its cap', async (t) => {
  const { relay, sender } = await rig(t, {}, { connectionsMax: 1, messagesPerConnectionMax: 10 });
  const results = await Promise.all(Array.from({ length: 25 }, () => sender.send(message)));
  t.ok(results.every((result) => result.kind === 'accepted'));
  t.equal(relay.connections(), 3);
  t.equal(relay.messages.length, 25);
});

t.test('no more connections than allowed, however many messages wait', async (t) => {
  const { relay, sender } = await rig(t, {}, { connectionsMax: 4 });
  await Promise.all(Array.from({ length: 200 }, () => sender.send(message)));
  t.ok(relay.connections() <= 4);
});

t.test('a refused recipient does not disturb the next message', async (t) => {
  for (const extensions of [['PIPELINING'], ['8BITMIME']]) {
    const { relay, sender } = await rig(
      t,
      { extensions, rcpt: '550 5.1.1 no' },
      { connectionsMax: 1 },
    );
    t.match(await sender.send(message), {
      kind: 'refused',
      stage: 'rcpt',
      reply: { code: 550, enhanced: '5.1.1' },
    });
    relay.meet({ extensions });
    t.match(await sender.send(message), { kind: 'accepted' });
    t.equal(relay.connections(), 1);
    t.ok(relay.commands.includes('RSET'));
    t.equal(relay.messages.length, 1);
  }
});

t.test('a copy that is refused is left out and counted', async (t) => {
  const rcptOf = (line: string) => (line.includes('no@') ? '550 5.1.1 no' : '250 ok');
  for (const extensions of [['PIPELINING'], ['8BITMIME']]) {
    const { sender } = await rig(t, { extensions, rcptOf }, { connectionsMax: 1 });
    const to = ['b@example.net', 'no@example.net', 'c@example.net', 'no@example.org'];
    t.match(await sender.send({ ...message, to }), { kind: 'accepted', copiesRefused: 2 });
    t.match(await sender.send(message), { kind: 'accepted', copiesRefused: undefined });
    const refused = { ...message, to: ['no@example.net', 'c@example.net'] };
    t.match(await sender.send(refused), { kind: 'refused', stage: 'rcpt' });
  }
});

t.test('a relay that wants the data of a refused recipient gets none', async (t) => {
  const { relay, sender } = await rig(t, {
    rcpt: '550 5.1.1 no',
    data: '354 go',
    final: '554 no recipients',
  });
  t.match(await sender.send(message), { kind: 'refused', stage: 'rcpt' });
  t.same(relay.messages, ['']);
  relay.meet({});
  t.match(await sender.send(message), { kind: 'accepted' });
});

t.test('a quiet connection that the relay closed costs nothing but a new one', async (t) => {
  const { relay, sender } = await rig(t, {}, { connectionsMax: 1 });
  await sender.send(message);
  relay.hangUp();
  await new Promise((resolve) => setImmediate(resolve));
  t.match(await sender.send(message), { kind: 'accepted' });
  t.equal(relay.connections(), 2);
});

t.test('a kept connection that answers 421 is left for a new one', async (t) => {
  const { relay, sender } = await rig(t, {}, { connectionsMax: 1 });
  await sender.send(message);
  relay.meet({ mail: '421 4.4.2 idle too long' });
  const pending = sender.send(message);
  while (relay.commands.filter((line) => line.startsWith('MAIL')).length < 2)
    await new Promise((r) => setImmediate(r));
  relay.meet({});
  t.match(await pending, { kind: 'accepted' });
});

t.test('the result names the stage at which a conversation ended', async (t) => {
  const stages: [SmtpBehavior, object][] = [
    [{ greeting: 'cut' }, { kind: 'unsent', stage: 'greeting', reason: 'connection_lost' }],
    [{ greeting: 'hang' }, { kind: 'unsent', stage: 'greeting', reason: 'timeout' }],
    [{ greeting: '554 no' }, { kind: 'refused', stage: 'greeting', reply: { code: 554 } }],
    [
      { greeting: 'HTTP/1.1 400 Bad Request' },
      { kind: 'unsent', stage: 'greeting', reason: 'connection_lost' },
    ],
    [{ mail: 'cut' }, { kind: 'unsent', stage: 'mail', reason: 'connection_lost' }],
    [{ rcpt: 'hang' }, { kind: 'unsent', stage: 'rcpt', reason: 'timeout' }],
    [{ data: 'cut' }, { kind: 'unsent', stage: 'data', reason: 'connection_lost' }],
    [{ final: 'cut' }, { kind: 'unanswered', reason: 'connection_lost' }],
    [{ final: 'hang' }, { kind: 'unanswered', reason: 'timeout' }],
    [
      { final: '451 4.3.0 later' },
      { kind: 'refused', stage: 'final', reply: { enhanced: '4.3.0' } },
    ],
    [{ extensions: ['SIZE 10'] }, { kind: 'refused', stage: 'mail', reply: { enhanced: '5.3.4' } }],
  ];
  for (const [behavior, wanted] of stages) {
    const { relay, sender } = await rig(t, behavior, {
      timeouts: { connectMs: 200, replyMs: 100, finalMs: 100 },
    });
    t.match(await sender.send(message), wanted, JSON.stringify(behavior));
    t.ok(relay.messages.length <= 1, 'and nothing is sent twice');
  }
});

t.test('when nobody gets through, everyone waiting hears at once', async (t) => {
  const { sender } = await rig(t, { greeting: '421 4.3.2 full' });
  const results = await Promise.all(Array.from({ length: 50 }, () => sender.send(message)));
  t.ok(results.every((result) => result.kind === 'refused' && result.stage === 'greeting'));
});

t.test('a login works by PLAIN and by LOGIN, and a refusal is reported', async (t) => {
  const login = { user: 'shop', password: 's3cret' };
  for (const [mechanisms, line] of [
    ['AUTH LOGIN PLAIN', `AUTH PLAIN ${Buffer.from('\0shop\0s3cret').toString('base64')}`],
    ['AUTH LOGIN', Buffer.from('s3cret').toString('base64')],
  ] as const) {
    const { relay, sender } = await rig(t, { extensions: [mechanisms] });
    const port = relay.port;
    const relayed = { host: '127.0.0.1', port, implicitTls: false, clientName: 'me', ...login };
    const known = new SmtpSender({ relay: relayed });
    t.match(await known.send(message), { kind: 'accepted' }, mechanisms);
    t.ok(relay.commands.includes(line));
    relay.meet({ extensions: [mechanisms], auth: '535 5.7.8 wrong' });
    const refused = new SmtpSender({ relay: relayed });
    t.match(await refused.send(message), { kind: 'refused', stage: 'auth', reply: { code: 535 } });
    relay.meet({ extensions: ['SIZE'] });
    const none = new SmtpSender({ relay: relayed });
    t.match(await none.send(message), {
      kind: 'unsent',
      stage: 'auth',
      reason: 'auth_not_offered',
    });
    await Promise.all([known, refused, none, sender].map((one) => one.close()));
  }
});

t.test('TLS from the start and by STARTTLS, with the certificate checked', async (t) => {
  const got: string[] = [];
  const options = {
    ...certificate,
    authOptional: true,
    onData(stream: NodeJS.ReadableStream, session: { secure: boolean }, done: () => void) {
      stream.on('data', (chunk) => got.push(`${session.secure} ${chunk}`)).on('end', done);
    },
  };
  for (const implicitTls of [true, false]) {
    const server = new SMTPServer({ ...options, secure: implicitTls });
    server.on('error', () => {}); // the client that does not trust it hangs up in the handshake
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const relay = { host: 'localhost', port, implicitTls, clientName: 'me' };
    const trusting = new SmtpSender({
      relay: { ...relay, certificateAuthorities: certificate.cert },
    });
    t.match(await trusting.send(message), { kind: 'accepted' });
    t.match(got.pop(), /^true .*hello/s);
    const wary = new SmtpSender({ relay });
    t.match(await wary.send(message), { kind: 'unsent', stage: 'tls' });
    await Promise.all([trusting.close(), wary.close()]);
    await new Promise<void>((resolve) => server.close(resolve));
  }
});

t.test('a relay URL says where, how and how many', async (t) => {
  t.same(readRelayUrl('smtp://mail.example.com', 'me'), {
    relay: { host: 'mail.example.com', port: 587, implicitTls: false, clientName: 'me' },
  });
  t.same(readRelayUrl('smtps://us%40er:p%3Ass@[::1]:4650?connections=4&messages=7', 'me'), {
    relay: {
      host: '::1',
      port: 4650,
      implicitTls: true,
      clientName: 'me',
      user: 'us@er',
      password: 'p:ss',
    },
    connectionsMax: 4,
    messagesPerConnectionMax: 7,
  });
  for (const wrong of ['mail.example.com', 'http://mail.example.com', 'smtp://', '']) {
    t.equal(readRelayUrl(wrong, 'me'), undefined, wrong);
  }
});

t.test('closing lets messages in flight end and refuses later ones', async (t) => {
  const { relay, sender } = await rig(t, { final: 'hang' });
  const pending = sender.send(message);
  while (relay.messages.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const closing = sender.close();
  t.match(await sender.send(message), { kind: 'unsent', reason: 'closed' });
  relay.release();
  t.match(await pending, { kind: 'accepted' });
  await closing;
});
