import fc from 'fast-check';
import t from 'tap';
import { newsIn } from '../../../http/bounces/returned-mail.ts';
import { tries } from '../../support/tries.ts';
import { complaint, deliveryReport, failure, outOfOffice } from './reports.ts';

const read = (text: string) => newsIn(Buffer.from(text, 'latin1'));
const dead = (reason: string) => ({ kind: 'failed', reason, effect: 'dead' });
const bounced = (reason: string) => ({ kind: 'failed', reason, effect: 'none' });

t.test('a failure ends the device only where it speaks of the mailbox', async (t) => {
  const cases: [status: string, diagnostic: string | undefined, expected: object][] = [
    ['5.1.1', undefined, dead('mailbox_not_found')],
    ['5.1.1', 'smtp; 550 5.7.1 blocked', dead('mailbox_not_found')],
    ['5.1.2', undefined, dead('domain_not_found')],
    ['5.1.3', undefined, dead('bad_address')],
    ['5.1.6', undefined, dead('mailbox_moved')],
    ['5.1.10', undefined, dead('domain_takes_no_mail')],
    ['5.2.1', 'smtp; 550 5.2.1 disabled', dead('mailbox_disabled')],
    ['5.0.0', 'smtp; 550-5.1.1 The email account does not exist', dead('mailbox_not_found')],
    ['5.0.0', 'smtp; 550 user unknown', dead('mailbox_not_found')],
    ['', 'smtp; 550 5.1.1 no such user', dead('mailbox_not_found')],
    ['5.1.1 (bad destination mailbox)', undefined, dead('mailbox_not_found')],
    ['5.1.8', undefined, bounced('refused')],
    ['5.2.2', undefined, bounced('mailbox_full')],
    ['5.3.4', undefined, bounced('message_too_large')],
    ['5.4.6', undefined, bounced('routing')],
    ['5.6.1', undefined, bounced('content_refused')],
    ['5.7.1', 'smtp; 550 5.7.1 user unknown to our policy', bounced('policy')],
    ['5.7.26', undefined, bounced('sender_not_authenticated')],
    ['4.4.7', 'smtp; 451 4.4.7 delivery time expired', bounced('deferred')],
    ['5.0.0', 'X-Postfix; host 10.5.1.1 said nothing', bounced('refused')],
    ['nonsense', undefined, bounced('refused')],
  ];
  for (const [status, diagnostic, expected] of cases)
    t.same(await read(failure(status, diagnostic)), expected, `${status} ${diagnostic}`);
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
    `content-type:${'\r\n '.repeat(40_000)}multipart/report\r\n\r\n`,
  ];
  for (const mail of mails) {
    const before = process.cpuUsage();
    await read(mail);
    const { user, system } = process.cpuUsage(before);
    t.ok((user + system) / 1000 < 1_000, `${mail.slice(0, 80)}: ${(user + system) / 1000} ms`);
  }
});
