// Two lanes and their bounds: by number, by weight, and neither lane can shut the other out.

import fc from 'fast-check';
import t from 'tap';
import { Mailbox } from '../../../engine/actor/mailbox.ts';
import type { Envelope, Lane } from '../../../engine/actor/message.ts';
import { tries } from '../../support/tries.ts';

/** Each message is for a tenant of its own, unless told. */
let nextTenant = 1;

const envelope = (
  lane: Lane,
  name: string,
  weight = 0,
  bytes?: Uint8Array,
  to = nextTenant++,
): Envelope => ({
  to,
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

t.test('a tenant who floods a partition leaves room for the others', async (t) => {
  const mailbox = new Mailbox({ messagesMax: 4_096, bytesMax: 1_000_000 });
  const flood = (to: number, bytes: number) => {
    let pushed = 0;
    while (mailbox.push(envelope('bulk', 'e', bytes, undefined, to))) pushed++;
    return pushed;
  };
  t.equal(flood(1, 0), 1_536, 'half of the bulk lane');
  t.equal(flood(1 + 4_096, 0), 0, 'an app of the same org has no room of its own');
  t.equal(flood(2, 0), 768, 'half of what is left');
  t.ok(mailbox.push(envelope('bulk', 'e', 0, undefined, 3)));
  t.ok(mailbox.push(envelope('express', 'e', 0, undefined, 2)), 'express has more room');
  while (mailbox.shift() !== undefined);
  t.equal(flood(1, 1_000), 375, 'by bytes, too');
  t.equal(flood(2, 1_000), 188);
  t.ok(mailbox.push(envelope('bulk', 'e', 100_000, undefined, 3)));
  while (mailbox.shift() !== undefined);
  t.equal(flood(1, 1_000), 375, 'and what has left is forgotten');
});

t.test('whoever has nothing waiting finds room, whatever a few others do', async (t) => {
  const step = fc.record({ to: fc.nat(5), isExpress: fc.boolean(), takes: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 2_000 }), (steps) => {
      const mailbox = new Mailbox({ messagesMax: 1_024, bytesMax: 1_000 });
      for (const { to, isExpress, takes } of steps) {
        if (takes) mailbox.shift();
        else mailbox.push(envelope(isExpress ? 'express' : 'bulk', 'e', 0, undefined, to));
      }
      return mailbox.push(envelope('bulk', 'e', 0, undefined, 99));
    }),
    { numRuns: tries(60) },
  );
  t.pass();
});
