// Opening aes128gcm against the web-push library's encryption, for arbitrary payloads and damage.

import fc from 'fast-check';
import t from 'tap';
import webpush from 'web-push';
import { openForSubscription, sandboxSubscription } from '../../sandbox/webpush/webpush-keys.ts';
import { tries } from '../support/tries.ts';

const seeded = { seed: 8291, numRuns: tries(40) };

function encrypted(id: string, payload: Buffer): Buffer {
  const { body } = webpush.generateRequestDetails(
    sandboxSubscription('http://127.0.0.1:1', id),
    payload,
  );
  return body as unknown as Buffer;
}

t.test('every payload comes back as it went in', async (test) => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[\w-]{1,64}$/),
      fc.uint8Array({ minLength: 1, maxLength: 3993 }),
      (id, bytes) => {
        const payload = Buffer.from(bytes);
        return openForSubscription(id, encrypted(id, payload))?.equals(payload) === true;
      },
    ),
    seeded,
  );
  test.pass();
});

t.test(
  'a changed byte, a cut body or another key opens nothing and throws nothing',
  async (test) => {
    const body = encrypted('a', Buffer.from('hello'));
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Buffer.from(body);
        // Bytes 16 to 19 are the record size: any that still holds the record whole is the same
        // message.
        if (at >= 16 && at < 20) return true;
        changed.writeUInt8(changed.readUInt8(at) ^ flip, at);
        return (
          openForSubscription('a', changed) === undefined &&
          openForSubscription('a', body.subarray(0, at)) === undefined
        );
      }),
      { ...seeded, numRuns: tries(200) },
    );
    test.equal(openForSubscription('b', body), undefined);
  },
);
