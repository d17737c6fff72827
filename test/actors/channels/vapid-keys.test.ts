import { createECDH } from 'node:crypto';
import t from 'tap';
import { checkCredential } from '../../../actors/channels/credentials.ts';
import { makeVapidKeys, vapidFault } from '../../../actors/channels/webpush/vapid-keys.ts';

t.test('the halves of a new pair belong together, and have their full length', async (t) => {
  for (let round = 0; round < 50; round++) {
    const { publicKey, privateKey } = await makeVapidKeys();
    const ecdh = createECDH('prime256v1');
    ecdh.setPrivateKey(Buffer.from(privateKey, 'base64url'));
    t.equal(ecdh.getPublicKey().toString('base64url'), publicKey);
    t.equal(Buffer.from(publicKey, 'base64url').length, 65);
    t.equal(Buffer.from(privateKey, 'base64url').length, 32);
  }
});

t.test('a pair that signs is taken, with and without padding and subject', async (t) => {
  const pair = await makeVapidKeys();
  const padded = { publicKey: `${pair.publicKey}=`, privateKey: `${pair.privateKey}=` };
  for (const keys of [pair, padded, { ...pair, subject: 'mailto:push@shop.example' }]) {
    t.notMatch(checkCredential('webpush', keys), { code: 'invalid' });
    t.equal(await vapidFault(keys), undefined);
  }
});

t.test(
  'a subject that is no address, and a key that cannot sign, are refused by name',
  async (t) => {
    const pair = await makeVapidKeys();
    const subject = 'https://[not-an-address';
    t.notMatch(checkCredential('webpush', { ...pair, subject }), { code: 'invalid' });
    t.match(await vapidFault({ ...pair, subject }), { code: 'invalid', field: 'subject' });
    t.match(await vapidFault({ ...pair, subject: 'mailto:ops@mac.local' }), {
      message:
        "subject: Apple's web push refuses a contact at mac.local, which only a private network can have",
      field: 'subject',
    });
    t.match(await vapidFault({ ...pair, privateKey: 'AA' }), { field: 'privateKey' });
  },
);
