import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { MailMac, macRoomBytes } from '../../../../actors/channels/email/mail-mac.ts';

t.test('it is HMAC-SHA256', async () => {
  const bytes = (max: number) => fc.uint8Array({ maxLength: max });
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), bytes(300), (key, text) => {
      const mac = new MailMac(key);
      const expected = createHmac('sha256', key).update(text).digest('binary');
      for (let again = 0; again < 2; again++) {
        const room = Buffer.concat([Buffer.alloc(macRoomBytes, again), text]);
        t.equal(mac.sign(room), expected);
      }
    }),
    { numRuns: 500 },
  );
});
