import fc from 'fast-check';
import t from 'tap';
import { MailSenders } from '../../../../actors/sending/mailboxes/mail-senders.ts';

const ses = { domain: 'shop.example', relay: 'rel_1' };
const postmark = { domain: 'shop.example', relay: 'rel_2' };
const people = 1_000_000;
const mailSendersMax = 255;

function* range(from: number, to: number): Generator<number> {
  for (let person = from; person < to; person++) yield person;
}

t.test('a million mails by one relay keep no byte of a person, by two at most one', (t) => {
  const senders = new MailSenders();
  senders.note(range(0, people), ses);
  t.equal(senders.byteLength, 0);
  senders.note(range(people / 2, people), postmark);
  t.ok(senders.byteLength <= people / 2 + 4_096, `${senders.byteLength} bytes`);
  t.same(senders.of(0), ses);
  t.same(senders.of(people - 1), postmark);
  const every = new MailSenders();
  every.note(range(0, people), ses);
  for (const person of range(0, people)) if (person % 2 === 0) every.note([person], postmark);
  t.ok(every.byteLength <= people + 4_096, 'also if they take turns');
  t.end();
});

t.test('each mail keeps its sender, through checkpoints, whatever came between', (t) => {
  const sender = fc.record({
    domain: fc.constantFrom('', 'a.example', 'b.example'),
    relay: fc.constantFrom('server', 'rel_1', 'rel_2'),
  });
  const noted = fc.array(fc.tuple(fc.nat(10_000), sender), { maxLength: 60 });
  fc.assert(
    fc.property(noted, fc.nat(60), (all, checkpoint) => {
      let senders = new MailSenders();
      const truth = new Map<number, object>();
      all.forEach(([person, one], at) => {
        if (at === checkpoint) senders = MailSenders.restore(structuredClone(senders.snapshot()));
        senders.note([person], one);
        truth.set(person, one);
      });
      for (const [person, one] of truth) t.same(senders.of(person), one);
    }),
  );
  t.equal(new MailSenders().of(7), undefined);
  t.end();
});

t.test('of two who are one person the newer mail counts', (t) => {
  const senders = new MailSenders();
  senders.note([1], ses);
  senders.note([2], postmark);
  senders.merge(2, 1, false);
  t.same(senders.of(1), ses);
  senders.note([2], postmark);
  senders.merge(2, 1, true);
  t.same(senders.of(1), postmark);
  t.end();
});

t.test('of more senders than a byte counts, the last ones are forgotten', (t) => {
  const senders = new MailSenders();
  for (const person of range(0, mailSendersMax + 5))
    senders.note([person], { domain: 'a.example', relay: `rel_${person}` });
  t.match(senders.of(mailSendersMax - 1), { relay: `rel_${mailSendersMax - 1}` });
  t.equal(senders.of(mailSendersMax), undefined);
  t.end();
});
