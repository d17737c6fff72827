import fc from 'fast-check';
import t from 'tap';
import { newsIn } from '../../../http/bounces/returned-mail.ts';
import { tries } from '../../support/tries.ts';
import { complaint, deliveryReport, failure, outOfOffice } from './reports.ts';

const read = async (text: string) => (await newsIn(Buffer.from(text, 'latin1')))?.news;
const dead = (reason: string) => ({ kind: 'failed', reason, effect: 'dead' });
const bounced = (reason: string) => ({ kind: 'failed', reason, effect: 'none' });
const soft = (reason: string) => ({ ...bounced(reason), isSoft: true });

t.test('a failure ends the device only where it speaks of the mailbox', async (t) => {
  const cases: [status: string, diagnostic: string | undefined, expected: object][] = [
    ['5.1.1', undefined, dead('mailbox_not_found')],
    ['5.1.1', 'smtp; 550 5.7.1 blocked', bounced('sender_blocked')],
    ['5.1.1', 'smtp; 550 qwerty', dead('mailbox_not_found')],
    ['5.1.2', undefined, dead('domain_not_found')],
    ['5.1.3', undefined, dead('bad_address')],
    ['5.1.6', undefined, dead('mailbox_moved')],
    ['5.1.10', undefined, dead('domain_takes_no_mail')],
    ['5.2.1', 'smtp; 550 5.2.1 disabled', dead('mailbox_disabled')],
    ['5.0.0', 'smtp; 550-5.1.1 The email account does not exist', dead('mailbox_not_found')],
    ['5.0.0', 'smtp; 550 user unknown', dead('mailbox_not_found')],
    ['', 'smtp; 550 5.1.1 no such user', dead('mailbox_not_found')],
    ['5.1.1 (bad destination mailbox)', undefined, dead('mailbox_not_found')],
    ['5.1.8', undefined, bounced('sender_refused')],
    ['5.2.2', undefined, soft('mailbox_full')],
    ['5.3.4', undefined, bounced('message_too_large')],
    ['5.4.6', undefined, bounced('routing')],
    ['5.6.1', undefined, bounced('content_refused')],
    ['5.7.1', 'smtp; 550 5.7.1 user unknown', dead('mailbox_not_found')],
    ['5.7.26', undefined, bounced('sender_not_authenticated')],
    ['4.4.7', 'smtp; 451 4.4.7 delivery time expired', soft('deferred')],
    ['5.0.0', 'X-Postfix; host 10.5.1.1 said nothing', bounced('refused')],
    ['nonsense', undefined, bounced('refused')],
  ];
  for (const [status, diagnostic, expected] of cases)
    t.same(await read(failure(status, diagnostic)), expected, `${status} ${diagnostic}`);
});

t.test('a report says whom it is about, as the mail was sent', async (t) => {
  const about = async (text: string) => (await newsIn(Buffer.from(text, 'latin1')))?.about;
  const failed = { Action: 'failed', Status: '5.1.1' };
  t.same(await about(failure('5.1.1')), ['ann@example.net']);
  t.same(await about(complaint()), ['ann@example.net']);
  t.same(
    await about(
      deliveryReport([
        {
          'Original-Recipient': 'rfc822;bob@example.org',
          'Final-Recipient': 'RFC822; <forwarded@example.net>',
          ...failed,
        },
        { 'Final-Recipient': 'rfc822; ann@example.net', ...failed },
        { 'Final-Recipient': 'rfc822; no address at all', ...failed },
      ]),
    ),
    ['bob@example.org', 'ann@example.net'],
  );
});

t.test('the last reply decides, before the status of the server that reports', async (t) => {
  const cases: [status: string, diagnostic: string, expected: object][] = [
    [
      '5.1.1',
      'smtp; 550 5.1.1 <ann@example.net> - 192.0.2.1 has sent to too many recipients this hour',
      bounced('throttled'),
    ],
    [
      '5.2.1',
      'smtp; 550-5.2.1 The user you are trying to contact is receiving mail at a rate that',
      soft('recipient_quota'),
    ],
    [
      '5.0.0',
      'smtp; 550-Verification failed for <bounce@example.com>\r\n 550-No Such User Here\r\n 550 Sender verify failed',
      bounced('sender_refused'),
    ],
    ['5.2.1', 'smtp; 521 5.2.1 :  (CON:B1)', bounced('sender_blocked')],
    ['5.1.1', 'smtp; 550 5.7.1 refused', bounced('policy')],
    ['5.1.1', 'smtp; 450 4.1.1 user unknown', soft('deferred')],
    [
      '5.4.1',
      'smtp; 550 5.4.1 Recipient address rejected: Access denied',
      dead('mailbox_not_found'),
    ],
    ['5.7.1', 'smtp; 550 5.7.1 <ann@example.net>... User unknown', dead('mailbox_not_found')],
    [
      '5.0.0',
      'smtp; 550 <ann@example.net>: Recipient address rejected.',
      dead('mailbox_not_found'),
    ],
    ['5.0.0', 'smtp; 550 sorry, no mailbox here by that name (#5.1.1)', dead('mailbox_not_found')],
    ['5.0.0', '550 5.1.1 <ann@example.net>... User unknown', dead('mailbox_not_found')],
    [
      '5.0.0',
      "smtp; 5.3.0 - Other mail system problem 550-'Unknown user ann' (delivery attempts: 0)",
      dead('mailbox_not_found'),
    ],
    [
      '5.0.0',
      "smtp; 5.1.0 - Unknown address error 550-'5.7.1 Access denied' (delivery attempts: 0)",
      bounced('policy'),
    ],
    ['5.5.0', 'smtp; 552 5.2.2 mailbox full', soft('mailbox_full')],
  ];
  for (const [status, diagnostic, expected] of cases)
    t.same(await read(failure(status, diagnostic)), expected, `${status} ${diagnostic}`);
});

t.test('what a program on the reporting server says ends no device', async (t) => {
  const cases: [status: string, diagnostic: string, expected: object][] = [
    ['5.1.1', 'x-unix; procmail: No such user', bounced('mailbox_not_found')],
    ['5.1.1', 'X-Postfix; unknown user: "ann"', bounced('mailbox_not_found')],
    ['5.1.1', 'X-Notes; User ann not listed in Domino Directory', bounced('mailbox_not_found')],
    ['5.2.1', 'x-dovecot; account disabled', bounced('mailbox_disabled')],
    [
      '5.4.4',
      'X-Postfix; Host or domain name not found. Name service error for name=example.invalid type=A: Host not found',
      dead('domain_not_found'),
    ],
    [
      '5.4.4',
      'X-Postfix; Name service error for name=example.net type=MX: Malformed or unexpected name server reply',
      bounced('routing'),
    ],
    [
      '5.0.0',
      'X-Postfix; host mx.example.net[192.0.2.1] said: 550 5.1.1 User unknown (in reply to RCPT TO command)',
      dead('mailbox_not_found'),
    ],
    [
      '5.0.0',
      'X-Postfix; host mx.example.net[192.0.2.1] said: 554 5.7.1 blocked using zen.spamhaus.org',
      bounced('sender_blocked'),
    ],
  ];
  for (const [status, diagnostic, expected] of cases)
    t.same(await read(failure(status, diagnostic)), expected, `${status} ${diagnostic}`);
});

t.test('a failure mail without a report is read by the reply that it quotes', async (t) => {
  const copy =
    '--- Below this line is a copy of the message.\r\n\r\nSubject: 550 5.1.1 user unknown\r\n';
  const mail = (text: string, from = 'MAILER-DAEMON@mx.example.net') =>
    read(`From: ${from}\r\nSubject: failure notice\r\n\r\n${text}\r\n\r\n${copy}`);
  const qmail = (text: string) =>
    mail(`Hi. This is the qmail-send program.\r\n\r\n<ann@example.net>:\r\n${text}`);
  t.same(await qmail('Sorry, no mailbox here by that name. (#5.1.1)'), dead('mailbox_not_found'));
  t.same(
    await qmail(
      '192.0.2.1 does not like recipient.\r\nRemote host said: 550 User unknown\r\nGiving up.',
    ),
    dead('mailbox_not_found'),
  );
  t.same(
    await qmail(
      'Connected to 192.0.2.1 but sender was rejected.\r\nRemote host said: 550 No such user here',
    ),
    bounced('sender_refused'),
  );
  t.same(await qmail('Remote host said: 552 mailbox full'), soft('mailbox_full'));
  t.same(
    await mail(
      '  ann@example.net\r\n    SMTP error from remote mail server after RCPT TO:<ann@example.net>:\r\n    host mx.example.net [192.0.2.1]: 550 5.1.1 User unknown',
    ),
    dead('mailbox_not_found'),
  );
  t.same(
    await mail(
      "Remote Server returned '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'",
    ),
    dead('mailbox_not_found'),
  );
  t.same(
    await mail(
      '>>> RCPT To:<ann@example.net>\r\n<<< 550 User unknown\r\n421 example.net... Deferred: Connection timed out',
    ),
    dead('mailbox_not_found'),
  );
  t.same(
    await mail(
      '<ann@example.net>: 550 user unknown 5.1.1\r\n\r\n<bob@example.net>: 552 5.2.2 full',
    ),
    soft('mailbox_full'),
  );
  t.equal(await mail('The recipient is unknown to me.'), undefined, 'no reply is quoted');
  t.equal(await mail('Nothing but a copy'), undefined, 'the copy is not read');
  t.equal(
    await mail('Remote host said: 550 User unknown', 'ann@example.net'),
    undefined,
    'a person',
  );
});

t.test('a report that says only that it failed is read by its text', async (t) => {
  const report = deliveryReport([{ Action: 'failed', Status: '5.0.0' }]);
  const quoting = (reply: string) =>
    read(report.replace('This is about your mail.', `mx said: ${reply}`));
  t.same(await quoting('550 5.1.1 User unknown'), dead('mailbox_not_found'));
  t.same(await quoting('554 5.7.1 blocked using zen.spamhaus.org'), bounced('sender_blocked'));
  t.same(await read(report), bounced('refused'));
});

t.test('what is no failure is taken for what it is', async (t) => {
  const action = (Action: string) => deliveryReport([{ Action, Status: '5.1.1' }]);
  t.equal(await read(action('delayed')), undefined);
  t.same(await read(action('delivered')), { kind: 'arrived' });
  t.same(await read(action('relayed')), { kind: 'taken' });
  t.same(await read(action('expanded')), { kind: 'taken' });
  t.match(await read(action('FAILED (5.1.1)')), dead('mailbox_not_found'));
  t.equal(await read(action('')), undefined);
  t.equal(await read(outOfOffice), undefined);
  t.equal(await read(''), undefined);
});

t.test('of a report about several people a failure counts where all failed', async (t) => {
  const failed = { Action: 'failed', Status: '5.1.1' };
  const fine = { Action: 'delivered', Status: '2.0.0' };
  t.equal(await read(deliveryReport([failed, fine])), undefined);
  t.match(await read(deliveryReport([failed, failed])), dead('mailbox_not_found'));
  const full = { Action: 'failed', Status: '5.2.2' };
  t.match(await read(deliveryReport([failed, full])), soft('mailbox_full'));
  t.match(await read(deliveryReport([full, failed])), soft('mailbox_full'));
  t.equal(await read(deliveryReport([])), undefined);
});

t.test('complaints are those that say that a mail is unwanted', async (t) => {
  for (const type of ['abuse', 'Abuse', 'fraud', 'opt-out'])
    t.same(await read(complaint(type)), { kind: 'complained' }, type);
  for (const type of ['not-spam', 'virus', 'other', 'abuse-not', '', 'auth-failure'])
    t.equal(await read(complaint(type)), undefined, type);
});

t.test('the kind of UTF-8 reports is read, and one whose end is missing', async (t) => {
  const group = { Action: 'failed', Status: '5.1.1' };
  const type = 'message/global-delivery-status';
  t.match(await read(deliveryReport([group], { type })), { effect: 'dead' });
  const long = deliveryReport([group], { returned: 'x'.repeat(500_000) });
  t.match(await read(long.slice(0, 100_000)), { effect: 'dead' });
});

t.test('whatever comes is read without failing', async () => {
  const whole = failure('5.1.1', 'smtp; 550 5.1.1 no such user');
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length), fc.nat(200), fc.string(), async (at, cut, junk) => {
      await read(whole.slice(0, at) + junk + whole.slice(at + cut));
    }),
    { numRuns: tries(200) },
  );
});

t.test('mails that are made to keep a reader busy are read quickly', async (t) => {
  const report = 'Content-Type: multipart/report; boundary=b\r\n';
  const nested = Array.from(
    { length: 3000 },
    (_, i) => `Content-Type: multipart/mixed; boundary="b${i}"\r\n\r\n--b${i}\r\n`,
  ).join('');
  const mails = [
    `${report}To: ${'a@b,'.repeat(30_000)}\r\n\r\n--b\r\n`,
    `${report}Subject: ${'=?utf-8?B?aaaa?= '.repeat(7_000)}\r\n\r\n--b\r\n`,
    `${report}${'x: y\r\n'.repeat(20_000)}\r\n--b\r\n`,
    `${report}\r\n--b\r\n${nested}`,
    `${report}\r\n${'--b\r\nContent-Type: message/delivery-status\r\n\r\nx\r\n'.repeat(3_000)}`,
    `From: MAILER-DAEMON\r\n\r\n${'550 5.1.1 user unknown\r\n\r\n'.repeat(3_000)}`,
    `From: MAILER-DAEMON\r\n\r\n${'connected to '.repeat(8_000)}`,
    `From: MAILER-DAEMON\r\n\r\nsaid: 550 ${'user '.repeat(20_000)}`,
    `content-type:${'\r\n '.repeat(40_000)}multipart/report\r\n\r\n`,
  ];
  for (const mail of mails) {
    const before = process.cpuUsage();
    await read(mail);
    const { user, system } = process.cpuUsage(before);
    t.ok((user + system) / 1000 < 1_000, `${mail.slice(0, 80)}: ${(user + system) / 1000} ms`);
  }
});
