// Sealing: only the right key, the right record and the unchanged bytes open a secret.

import { randomBytes } from 'node:crypto';
import t from 'tap';
import { createSealer, keyId, SealError } from '../../storage/sealed.ts';

const key = (n: number) => Buffer.alloc(32, n);
const nonce = Buffer.alloc(12, 9);
const context = { owner: 7, type: 'credential', id: 'apns|main', version: 1 };

t.test('what was sealed opens, and does not show', async (t) => {
  const sealer = createSealer([key(1)]);
  for (const text of ['', 'x', 'a secret of some length'.repeat(500)]) {
    const sealed = sealer.seal(text, context, randomBytes(12));
    t.equal(sealer.open(sealed, context).toString(), text);
    t.equal(sealed.length, Buffer.byteLength(text) + 33);
    if (text.length > 1) t.notOk(Buffer.from(sealed).includes(text.slice(0, 8)));
  }
  const bytes = randomBytes(100);
  t.ok(sealer.open(sealer.seal(bytes, context, nonce), context).equals(bytes));
});

t.test('a secret opens in its own place only', async (t) => {
  const sealer = createSealer([key(1)]);
  const sealed = sealer.seal('secret', context, nonce);
  const elsewhere = [
    { ...context, owner: 8 },
    { ...context, type: 'integration' },
    { ...context, id: 'apns' },
    { ...context, version: 2 },
  ];
  for (const place of elsewhere) t.throws(() => sealer.open(sealed, place), SealError);
});

t.test('no changed bit opens', async (t) => {
  const sealer = createSealer([key(1)]);
  const sealed = sealer.seal('secret', context, nonce);
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
    t.throws(() => sealer.open(changed, context), SealError);
  }
  for (let length = 0; length < sealed.length; length++)
    t.throws(() => sealer.open(sealed.subarray(0, length), context), SealError);
});

t.test(
  'the first key seals, every key opens, and what an old one sealed asks to be sealed again',
  async (t) => {
    const old = createSealer([key(1)]);
    const rotating = createSealer([key(2), key(1)]);
    const sealed = old.seal('secret', context, nonce);
    t.equal(rotating.open(sealed, context).toString(), 'secret');
    t.equal(old.needsRewrap(sealed), false);
    t.equal(rotating.needsRewrap(sealed), true);
    const again = rotating.seal(rotating.open(sealed, context), context, randomBytes(12));
    t.equal(rotating.needsRewrap(again), false);
    t.throws(
      () => old.open(again, context),
      new RegExp(`master key ${keyId(key(2))}, which is not among`),
    );
    t.same(rotating.keyIds, [keyId(key(2)), keyId(key(1))]);
  },
);

t.test('an error never holds the secret', async (t) => {
  const sealer = createSealer([key(1)]);
  const sealed = sealer.seal('canary-4711', context, nonce);
  try {
    sealer.open(sealed, { ...context, owner: 8 });
    t.fail('opened');
  } catch (error) {
    t.notMatch(String((error as Error).stack), /canary/);
  }
});

t.test('a wrong key or nonce length, and the same key twice, are bugs', async (t) => {
  t.throws(() => createSealer([]), /at least one/);
  t.throws(() => createSealer([Buffer.alloc(31)]), /32 bytes/);
  t.throws(() => createSealer([key(1), key(1)]), /appears twice/);
  t.throws(() => createSealer([key(1)]).seal('x', context, Buffer.alloc(11)), /twelve/);
  t.throws(() => createSealer([key(1)]).seal('x', { ...context, type: 'a|b' }, nonce), /no bar/);
});
