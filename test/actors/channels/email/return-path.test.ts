import fc from 'fast-check';
import t from 'tap';
import { emailAddress } from '../../../../actors/channels/email/address.ts';
import {
  markOfDevice,
  readReturnAddress,
  returnAddresses,
} from '../../../../actors/channels/email/return-path.ts';
import { HmacSha256 } from '../../../../engine/base/hmac.ts';
import { formatId } from '../../../../engine/base/id.ts';

const key = new HmacSha256(new Uint8Array(32).fill(1));
const domain = 'bounces.example.com';
const uint = (bits: number) => fc.integer({ min: 0, max: 2 ** bits - 1 });
const anyMail = fc
  .record({ app: uint(32), atMs: uint(42), high16: uint(16), low32: uint(32) })
  .chain((send) =>
    fc.record({
      sendId: fc.constant(formatId('ntf', { ...send, ordinal: send.app })),
      app: fc.constant(send.app),
      person: uint(32),
      deviceId: fc
        .record({ atMs: uint(48), high16: uint(16), low32: uint(32) })
        .map((device) => formatId('dev', { ordinal: send.app, ...device })),
    }),
  );

t.test('every address leads back to its mail, in any case of letters', async () => {
  fc.assert(
    fc.property(anyMail, fc.constantFrom('bounce', 'unsub'), (mail, purpose) => {
      const { app, sendId, person, deviceId } = mail;
      const address = returnAddresses(mail, domain, key)?.[purpose] as string;
      const expected = { purpose, app, sendId, person, deviceMark: markOfDevice(deviceId) };
      t.same(readReturnAddress(address, domain, [key]), expected);
      t.same(
        readReturnAddress(address.toUpperCase(), domain, [new HmacSha256(new Uint8Array(32)), key]),
        expected,
      );
      t.ok(address.indexOf('@') <= 64, 'a local part has 64 octets at most');
      t.match(emailAddress(address), { value: address }, 'it is an address that we send from');
    }),
  );
});

t.test('an address with any letter changed is not ours', async () => {
  const letters = [...'0123456789abcdefghjkmnpqrstvwxyz'];
  fc.assert(
    fc.property(anyMail, uint(16), fc.constantFrom(...letters), (mail, at, letter) => {
      const address = returnAddresses(mail, domain, key)?.bounce as string;
      const place = 'bounce+'.length + (at % 53);
      if (address[place] === letter || address[place] === '.') return;
      const forged = address.slice(0, place) + letter + address.slice(place + 1);
      t.equal(readReturnAddress(forged, domain, [key]), undefined, forged);
    }),
  );
});

t.test('an address of another purpose, domain or key is not ours', async (t) => {
  const mail = fc.sample(anyMail, 1)[0] as NonNullable<Parameters<typeof returnAddresses>[0]>;
  const address = returnAddresses(mail, domain, key)?.bounce as string;
  for (const other of [
    address.replace('bounce', 'unsub'),
    address.replace('bounce+', ''),
    address.replace('bounce', 'postmaster'),
    address.replace('@', '@mail.'),
    address.replace('@', '%example.net@'),
    `${address}.evil.test`,
    `"${address.replace('@', '"@')}`,
    ` ${address}`,
    `${address}\r\n`,
    'bounce+@bounces.example.com',
    '',
  ])
    t.equal(readReturnAddress(other, domain, [key]), undefined, JSON.stringify(other));
  t.equal(readReturnAddress(address, domain, [new HmacSha256(new Uint8Array(32))]), undefined);
  t.equal(readReturnAddress(address, domain, []), undefined);
});

t.test('ids that are not of our making have no address', async (t) => {
  const mail = { sendId: 'ntf_preview', deviceId: 'dev_preview', person: 1 };
  t.equal(returnAddresses(mail, domain, key), undefined);
});
