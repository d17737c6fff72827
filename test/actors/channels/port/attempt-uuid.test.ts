import fc from 'fast-check';
import t from 'tap';
import { attemptUuid, sendOfUuid } from '../../../../actors/channels/port/attempt-uuid.ts';
import type { Ordinal } from '../../../../engine/base/brand.ts';
import { formatId, type IdPrefix } from '../../../../engine/base/id.ts';
import { tries } from '../../../support/tries.ts';

const uint32 = fc.nat(0xffff_ffff);
const id = (prefix: IdPrefix, atMsMax = 2 ** 42 - 1) =>
  fc
    .record({ ordinal: uint32, atMs: fc.maxSafeNat(), high16: fc.nat(0xffff), low32: uint32 })
    .map((parts) => ({
      ordinal: parts.ordinal as Ordinal,
      text: formatId(prefix, {
        ...parts,
        ordinal: parts.ordinal as Ordinal,
        atMs: parts.atMs % (atMsMax + 1),
      }),
    }));
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

t.test('it is a UUID, the same at every try, and leads back to its send', async () => {
  fc.assert(
    fc.property(id('ntf'), id('dev'), (send, device) => {
      const made = attemptUuid(send.text, device.text);
      return (
        uuid.test(made) &&
        made === attemptUuid(send.text, device.text) &&
        sendOfUuid(made, send.ordinal) === send.text &&
        sendOfUuid(made.toUpperCase(), send.ordinal) === send.text
      );
    }),
    { numRuns: tries(1_000) },
  );
});

t.test('no two devices of a send have one, nor the same device of two sends', async (t) => {
  const seen = new Set<string>();
  let made = 0;
  for (let send = 0; send < 100; send++) {
    for (let device = 0; device < 100; device++) {
      const parts = { ordinal: 1 as Ordinal, atMs: 1_790_000_000_000, high16: 0 };
      const sendId = formatId('ntf', { ...parts, low32: send });
      seen.add(attemptUuid(sendId, formatId('dev', { ...parts, low32: device })));
      made++;
    }
  }
  t.equal(seen.size, made);
});

t.test('the same send number of two apps has two', async (t) => {
  const parts = { atMs: 1_790_000_000_000, high16: 0, low32: 7 };
  const of = (ordinal: number) =>
    attemptUuid(formatId('ntf', { ...parts, ordinal: ordinal as Ordinal }), 'dev_1');
  t.not(of(1), of(2));
});

t.test('an id of another make has one, too', async (t) => {
  const late = formatId('ntf', { ordinal: 1 as Ordinal, atMs: 2 ** 42, high16: 0, low32: 0 });
  for (const sendId of ['ntf_preview', '', late]) {
    t.match(attemptUuid(sendId, 'dev_1'), uuid, sendId);
    t.not(attemptUuid(sendId, 'dev_1'), attemptUuid(sendId, 'dev_2'), sendId);
  }
});

t.test('what is no UUID of ours leads nowhere', async (t) => {
  for (const text of ['', 'x', '123e4567-e89b-12d3-a456-426614174000', `${'0'.repeat(32)}`]) {
    t.equal(sendOfUuid(text, 1 as Ordinal), undefined, text);
  }
});
