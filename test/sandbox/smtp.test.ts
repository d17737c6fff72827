// The mail stand-in by nodemailer: acceptance, each recipient's refusal at its stage, and a mail as
// its reader sees it.

import { generateKeyPairSync } from 'node:crypto';
import { createConnection } from 'node:net';
import { createTransport } from 'nodemailer';
import t, { type Test } from 'tap';
import { returnAddresses } from '../../actors/channels/email/return-path.ts';
import { fault } from '../../actors/faults.ts';
import { HmacSha256 } from '../../engine/base/hmac.ts';
import { formatId } from '../../engine/base/id.ts';
import { startBounceListener } from '../../http/bounces/bounce-listener.ts';
import { type Rig, withSandbox } from './with-sandbox.ts';

async function rig(
  test: Test,
): Promise<Rig & { mail(to: string | string[], more?: object): Promise<string> }> {
  const sandbox = await withSandbox(test);
  const transport = createTransport(sandbox.smtpUrl);
  test.teardown(() => transport.close());
  return {
    ...sandbox,
    mail: async (to, more = {}) =>
      (
        await transport.sendMail({
          from: 'Acme <hello@acme.test>',
          to,
          subject: 'Hello',
          text: 'Hi',
          ...more,
        })
      ).response,
  };
}

t.test(
  'a mail is accepted and read with its subject, both bodies, headers and ids',
  async (test) => {
    const { mail, messages, call } = await rig(test);
    const response = await mail('ada@example.com', {
      subject: 'Größer & schöner',
      html: '<p style="color:red">Hi <b>Ada</b></p>',
      headers: { 'X-Engage-Send-Id': 'ntf_1', 'X-Engage-Device-Id': 'dev_1' },
    });
    test.match(response, /^250 2\.0\.0 OK: queued as /);
    const [message] = await messages();
    test.match(message, {
      channel: 'email',
      to: 'ada@example.com',
      title: 'Größer & schöner',
      text: 'Hi',
      sender: '"Acme" <hello@acme.test>',
      sendId: 'ntf_1',
      deviceId: 'dev_1',
      status: 250,
    });
    const detail = (await call('GET', `/control/messages/${message.id}`)).json;
    test.match(
      detail.exchange.request,
      'MAIL FROM:<hello@acme.test>\nRCPT TO:<ada@example.com>\nDATA',
    );
    test.match(detail.exchange.requestBody, /^Subject: =\?UTF-8/m);
    test.ok(detail.details.some(([name]: [string]) => name === 'MIME-Version'));
    test.match(detail, { preheader: 'Hi Ada', colors: 'light' });
    const html = await call('GET', detail.htmlPath);
    test.match(html.text, 'Hi <b>Ada</b>');
    test.match(html.text, '<meta name="color-scheme" content="light">');
    test.match(html.headers['content-security-policy'], /default-src 'none'.*sandbox/);
    test.notMatch(
      html.headers['content-security-policy'],
      /script-src|allow-scripts|allow-same-origin/,
    );
  },
);

t.test('every recipient of a mail gets a message of their own', async (test) => {
  const { mail, messages } = await rig(test);
  await mail(['a@example.com', 'b@example.com']);
  test.same((await messages()).map(({ to }) => to).sort(), ['a@example.com', 'b@example.com']);
});

/**
 * How a mail was refused: `550 5.1.1 …` and the command it answered; `undefined` for an accepted
 * one.
 */
function refusalOf(
  sending: Promise<string>,
): Promise<{ response?: string; command?: string } | undefined> {
  return sending.then(
    () => undefined,
    ({ response, command }) => ({ response, command }),
  );
}

t.test('each recipient name gets its refusal', async (test) => {
  const { mail } = await rig(test);
  const expected: [local: string, reply: string][] = [
    ['nouser-1', '550 5.1.1 '],
    ['full-1', '452 4.2.2 '],
    ['policy-1', '550 5.7.1 '],
    ['busy-1', '421 4.3.2 '],
    ['toobig-1', '552 5.3.4 '],
  ];
  for (const [local, reply] of expected) {
    const refusal = await refusalOf(mail(`${local}@example.com`));
    test.ok(refusal?.response?.startsWith(reply), `${local}: ${refusal?.response}`);
  }
});

t.test(
  'a greylisted address is accepted at the third try, each address on its own',
  async (test) => {
    const { mail } = await rig(test);
    for (const to of ['greylist-a@example.com', 'greylist-b@example.com']) {
      test.match(await refusalOf(mail(to)), { response: /^451 4\.7\.1/ });
      test.match(await refusalOf(mail(to)), { response: /^451 4\.7\.1/ });
      test.match(await mail(to), /^250/);
    }
  },
);

t.test('a dropped mail was read whole and got no reply', async (test) => {
  const { mail, messages } = await rig(test);
  test.equal(
    (await refusalOf(mail('drop-1@example.com', { subject: 'Lost' })))?.response,
    undefined,
  );
  test.match((await messages())[0], { outcome: 'unanswered', title: 'Lost', fault: 'drop*' });
});

t.test('a refusal before the data still knows its send by the return path', async (test) => {
  const { mail, messages } = await rig(test);
  const send = { ordinal: 4097, atMs: 1_767_225_600_000, high16: 7, low32: 4_000_000_009 };
  const sendId = formatId('ntf', send);
  const returned = { sendId, deviceId: formatId('dev', send), person: 4_000_000_001 };
  const from = returnAddresses(returned, 'b.acme.test', new HmacSha256(new Uint8Array(32)))
    ?.bounce as string;
  for (const [sender, id] of [
    [from, sendId],
    [from.toUpperCase(), sendId],
    ['bounce+nonsense@b.acme.test', null],
  ] as const) {
    await test.rejects(
      mail('nouser@example.com', { envelope: { from: sender, to: 'nouser@example.com' } }),
    );
    test.match((await messages())[0], { sendId: id, outcome: 'refused', status: 550 });
  }
});

t.test('rules refuse with any code, and at the greeting', async (test) => {
  const { mail, call } = await rig(test);
  await call('POST', '/control/faults', {
    channel: 'email',
    match: 'vip@',
    fault: 'status',
    value: 554,
    count: 1,
  });
  test.match(await refusalOf(mail('vip@example.com')), { response: /^554/, command: 'DATA' });
  test.match(await mail('vip@example.com'), /^250/);
  await call('POST', '/control/faults', {
    channel: 'email',
    match: '(greeting)',
    fault: 'status',
    value: 421,
    count: 1,
  });
  test.match(await refusalOf(mail('ada@example.com')), { response: /^421/ });
  test.match(await mail('ada@example.com'), /^250/);
});

t.test('pipelining and SIZE are offered, STARTTLS is not', async (test) => {
  const { smtpUrl } = await rig(test);
  const socket = createConnection(Number(new URL(smtpUrl).port), '127.0.0.1');
  const offered = await new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.startsWith('220') && !text.includes('250')) socket.write('EHLO test\r\n');
      if (/^250 /m.test(text)) resolve(text);
    });
  });
  socket.destroy();
  test.match(offered, /PIPELINING/);
  test.match(offered, /SIZE 26214400/);
  test.notMatch(offered, /STARTTLS/);
});

t.test(
  'what comes back of a mail goes to its return path, again while nobody takes it',
  async (test) => {
    const { mail, messages, call, bouncePort } = await rig(test);
    const told: unknown[] = [];
    let isBusy = true;
    const key = new HmacSha256(new Uint8Array(32));
    const listener = await startBounceListener({
      router: {
        async ask(_to, message) {
          if (isBusy) {
            isBusy = false;
            return { ok: false, fault: fault('overloaded', 'later') };
          }
          told.push((message as unknown as { news: unknown }).news);
          return { ok: true, value: { taken: 1, repeated: 0, ignored: 0 } };
        },
      },
      ...{ domain: 'b.acme.test', macs: [key], host: '127.0.0.1', port: bouncePort },
    });
    test.teardown(() => listener.close());
    const ids = { ordinal: 1, atMs: 1, high16: 1, low32: 1 };
    const mailed = { sendId: formatId('ntf', ids), deviceId: formatId('dev', ids), person: 1 };
    const from = returnAddresses(mailed, 'b.acme.test', key)?.bounce as string;
    const toldWithin = async (count: number) => {
      const untilMs = Date.now() + 20_000;
      while (told.length < count && Date.now() < untilMs)
        await call('GET', '/control/email/returns');
    };
    for (const to of ['lategone-1@example.com', 'latefull@example.com', 'complain.a@example.com']) {
      const before = told.length;
      await mail(to, { envelope: { from, to } });
      await toldWithin(before + 1);
    }
    test.same(told, [
      { kind: 'failed', reason: 'mailbox_not_found', effect: 'dead' },
      { kind: 'failed', reason: 'mailbox_full', effect: 'none', isSoft: true },
      { kind: 'complained' },
    ]);
    const [newest] = await messages();
    const { json } = await call('GET', `/control/messages/${newest.id}`);
    test.match(json, { outcome: 'accepted', note: /complaint/ });
    test.match((await call('GET', '/control/email/returns')).json, { refused: 0, unanswered: 0 });
  },
);

t.test('a signature that leaves out one-click unsubscribe is told of', async (test) => {
  const { mail, messages, call } = await rig(test);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const dkim = {
    domainName: 'acme.test',
    keySelector: 's',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
  const headers = {
    'List-Unsubscribe': '<https://acme.test/u/1>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  const noteOf = async (more: object) => {
    await mail('ada@example.com', { headers, ...more });
    const [newest] = await messages();
    return (await call('GET', `/control/messages/${newest.id}`)).json.note ?? null;
  };
  test.match(await noteOf({ dkim }), /^DKIM does not cover list-unsubscribe-post:/);
  const headerFieldNames =
    'from:to:subject:date:message-id:list-unsubscribe:list-unsubscribe-post:mime-version';
  test.equal(await noteOf({ dkim: { ...dkim, headerFieldNames } }), null);
  test.equal(await noteOf({}), null, 'what is not signed says nothing');
});
