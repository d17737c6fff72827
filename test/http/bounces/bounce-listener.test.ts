import { connect } from 'node:net';
import nodemailer from 'nodemailer';
import t, { type Test } from 'tap';
import {
  mailHash,
  platformReturn,
  returnAddresses,
} from '../../../actors/channels/email/return-path.ts';
import { fault, notFound } from '../../../actors/faults.ts';
import type { Answer, Message } from '../../../engine/actor/message.ts';
import { HmacSha256 } from '../../../engine/base/hmac.ts';
import { formatId } from '../../../engine/base/id.ts';
import { startBounceListener } from '../../../http/bounces/bounce-listener.ts';
import { complaint, failure, outOfOffice } from './reports.ts';

const key = new HmacSha256(new Uint8Array(32).fill(1));
const domain = 'bounces.example.com';
const app = 4097;
const sendId = formatId('ntf', { ordinal: app, atMs: 1_767_225_600_000, high16: 7, low32: 9 });
const deviceId = formatId('dev', { ordinal: app, atMs: 1_767_000_000_000, high16: 1, low32: 77 });
const addressFor = (purpose: 'bounce' | 'unsub', signing = key) =>
  returnAddresses({ sendId, deviceId, person: 5 }, domain, signing)?.[purpose] as string;

/** A listener over an actor that answers what the test says, and a way to mail to it. */
async function listening(t: Test, answer: (message: Message) => Answer | Promise<Answer>) {
  const asked: unknown[] = [];
  const counts: unknown[] = [];
  const listener = await startBounceListener({
    router: {
      async ask(to, message) {
        asked.push({ to, ...message });
        return answer(message);
      },
    },
    domain,
    macs: [new HmacSha256(new Uint8Array(32).fill(2)), key],
    host: '127.0.0.1',
    port: 0,
    count: (one) => counts.push(one),
  });
  t.teardown(() => listener.close());
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port: listener.port });
  /** The code of the last reply. */
  const mail = async (to: string | string[], raw: string | Buffer): Promise<number> => {
    try {
      const sent = await transport.sendMail({ envelope: { from: '', to }, raw });
      return Number(sent.response.slice(0, 3));
    } catch (error) {
      return (error as { responseCode: number }).responseCode;
    }
  };
  return { asked, counts, mail, port: listener.port };
}

const taken: Answer = { ok: true, value: { taken: 1, repeated: 0, ignored: 0 } };
const told = { to: app, kind: 'callback.email', by: -1, sendId, person: 5, deviceMark: 77 };

t.test(
  'a bounce and a complaint reach the app, about the mail that the address names',
  async (t) => {
    const { asked, counts, mail } = await listening(t, () => taken);
    t.equal(await mail(addressFor('bounce'), failure('5.1.1')), 250);
    t.equal(await mail(addressFor('bounce'), complaint()), 250);
    const about = ['ann@example.net'];
    t.same(asked, [
      { ...told, about, news: { kind: 'failed', reason: 'mailbox_not_found', effect: 'dead' } },
      { ...told, about, news: { kind: 'complained' } },
    ]);
    t.equal(counts.length, 2);
  },
);

t.test('what says nothing we know is taken and told nobody', async (t) => {
  const { asked, counts, mail } = await listening(t, () => taken);
  t.equal(await mail(addressFor('bounce'), outOfOffice), 250);
  t.same(asked, []);
  t.same(counts, [{ taken: 0, repeated: 0, ignored: 1 }]);
});

t.test('an address that we did not sign is refused, so it relays for nobody', async (t) => {
  const { asked, mail } = await listening(t, () => taken);
  const ours = addressFor('bounce');
  for (const address of [
    'postmaster@bounces.example.com',
    'someone@example.net',
    ours.replace('@', '@relay.'),
    addressFor('bounce', new HmacSha256(new Uint8Array(32).fill(3))),
    ours.replace('bounce+', 'unsub+'),
  ])
    t.equal(await mail(address, failure('5.1.1')), 550, address);
  t.same(asked, []);
});

t.test('a connection that guesses addresses is closed', async (t) => {
  const { port } = await listening(t, () => taken);
  const socket = connect(port, '127.0.0.1');
  const guesses = 'RCPT TO:<x@bounces.example.com>\r\n'.repeat(50);
  let heard = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    if (heard === '') socket.write(`EHLO guess\r\nMAIL FROM:<>\r\n${guesses}`);
    heard += text;
  });
  await new Promise((resolve) => socket.once('close', resolve));
  t.equal(heard.match(/^550 /gm)?.length, 10);
  t.match(heard, /^421 /m);
});

t.test('it is said to be taken once that is durable, and not before', async (t) => {
  let commit: (answer: Answer) => void = () => {};
  const { asked, mail } = await listening(t, () => new Promise((resolve) => (commit = resolve)));
  let code = 0;
  const mailed = mail(addressFor('bounce'), failure('5.1.1')).then((said) => (code = said));
  while (asked.length === 0) await new Promise(setImmediate);
  await new Promise(setImmediate);
  t.equal(code, 0);
  commit(taken);
  await mailed;
  t.equal(code, 250);
});

t.test(
  'what cannot be taken now is told again later; an app that is gone needs nothing',
  async (t) => {
    let refusal = fault('overloaded', 'later');
    const { mail } = await listening(t, () => ({ ok: false, fault: refusal }));
    for (const purpose of ['bounce', 'unsub'] as const) {
      refusal = fault('overloaded', 'later');
      t.equal(await mail(addressFor(purpose), failure('5.1.1')), 451);
      refusal = notFound('app');
      t.equal(await mail(addressFor(purpose), failure('5.1.1')), 250);
    }
  },
);

t.test('a mail to the other address opts out where the mail had gone', async (t) => {
  const { asked, mail } = await listening(t, ({ kind }) =>
    kind === 'callback.email_address' ? { ok: true, value: { address: 'ann@example.net' } } : taken,
  );
  t.equal(await mail(addressFor('unsub'), 'Subject: unsubscribe\r\n\r\n'), 250);
  t.same(asked, [
    { to: app, kind: 'callback.email_address', by: -1, person: 5, deviceMark: 77 },
    {
      ...{ to: app, kind: 'suppression.add', by: -1 },
      ...{ channel: 'email', address: 'ann@example.net', source: 'unsubscribe' },
    },
  ]);
});

t.test('a mail larger than any bounce is refused, and a large one is read', async (t) => {
  const { asked, mail } = await listening(t, () => taken);
  const large = failure('5.1.1') + 'x'.repeat(78).concat('\r\n').repeat(100_000);
  t.equal(await mail(addressFor('bounce'), large), 250);
  t.equal(asked.length, 1);
  t.equal(await mail(addressFor('bounce'), large + large), 552);
  t.equal(asked.length, 1);
});

t.test('a sign-in mail that comes back, or is complained of, stops more of them', async (t) => {
  const { asked, mail } = await listening(t, () => taken);
  const hash = mailHash('Ada@example.com');
  t.equal(hash, mailHash('ada@EXAMPLE.com'));
  const address = platformReturn(hash, domain, key);
  t.equal(await mail(address, failure('5.1.1')), 250);
  t.equal(await mail(address, complaint()), 250);
  t.match(asked, [
    { kind: 'mail_stop.set', hash, reason: 'bounce' },
    { kind: 'mail_stop.set', hash, reason: 'bounce' },
  ]);
  asked.length = 0;
  t.equal(await mail(address, failure('4.2.2')), 250, 'a full mailbox is no end');
  t.equal(await mail(address, outOfOffice), 250);
  t.same(asked, []);
  const forged = platformReturn(hash, domain, new HmacSha256(new Uint8Array(32).fill(3)));
  t.equal(await mail(forged, failure('5.1.1')), 550);
});
