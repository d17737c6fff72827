import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { HmacSha256, hmacRoomBytes } from '../../../engine/base/hmac.ts';
import { tries } from '../../support/tries.ts';

t.test('it is HMAC-SHA256', async () => {
  const bytes = (max: number) => fc.uint8Array({ maxLength: max });
  fc.assert(
    fc.property(bytes(130), bytes(300), (key, text) => {
      const mac = new HmacSha256(key);
      for (const encoding of ['binary', 'hex', 'base64'] as const) {
        const room = Buffer.concat([Buffer.alloc(hmacRoomBytes, encoding), text]);
        t.equal(mac.sign(room, encoding), createHmac('sha256', key).update(text).digest(encoding));
      }
    }),
    { numRuns: tries(500) },
  );
});
