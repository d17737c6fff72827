// Two lanes and their bounds: by number, by weight, and neither lane can shut the other out.

import t from 'tap';
import { Mailbox } from '../../../engine/actor/mailbox.ts';
import type { Envelope, Lane } from '../../../engine/actor/message.ts';

const envelope = (lane: Lane, name: string, weight = 0, bytes?: Uint8Array): Envelope => ({
  to: 1,
  lane,
  deadlineMs: 0,
  message: { kind: name },
  bytes,
  weight,
  answer: undefined,
});

t.test('express goes first, and one bulk message after every eight', async (t) => {
  const mailbox = new Mailbox({ messagesMax: 100, bytesMax: 1_000 });
  for (let i = 0; i < 3; i++) mailbox.push(envelope('bulk', 'bulk'));
  for (let i = 0; i < 20; i++) mailbox.push(envelope('express', 'express'));
  const order = Array.from({ length: 23 }, () => mailbox.shift()?.message.kind[0]).join('');
  t.equal(order, 'eeeeeeeebeeeeeeeebeeeeb');
  t.equal(mailbox.shift(), undefined);
});

t.test(
  'it refuses beyond its bounds, the bulk lane at three quarters, and forgets what has left',
  async (t) => {
    const mailbox = new Mailbox({ messagesMax: 8, bytesMax: 1_000 });
    t.equal(
      Array.from({ length: 8 }, () => mailbox.push(envelope('bulk', 'b'))).filter(Boolean).length,
      6,
    );
    t.equal(
      Array.from({ length: 4 }, () => mailbox.push(envelope('express', 'e'))).filter(Boolean)
        .length,
      2,
    );
    while (mailbox.shift() !== undefined);
    t.ok(mailbox.push(envelope('express', 'e', 600, new Uint8Array(300))));
    t.equal(mailbox.bytes, 900);
    t.notOk(
      mailbox.push(envelope('express', 'e', 101)),
      'what a message weighs counts like its bytes',
    );
    t.ok(mailbox.push(envelope('express', 'e', 100)));
    mailbox.pushAlways(envelope('express', 'outcome', 5_000));
    while (mailbox.shift() !== undefined);
    t.same([mailbox.size, mailbox.bytes], [0, 0]);
  },
);
