// Client tokens: only what was given out is taken, to the last bit.

import fc from 'fast-check';
import t from 'tap';
import {
  clientTokenOf,
  isClientTokenForm,
  subscriberOfToken,
} from '../../../../actors/people/identity/client-token.ts';
import { formatId } from '../../../../engine/base/id.ts';

const key = new Uint8Array(32).fill(5);
const ids = fc
  .record({
    ordinal: fc.integer({ min: 1, max: 0xffffffff }),
    atMs: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
    high16: fc.integer({ min: 0, max: 0xffff }),
    low32: fc.integer({ min: 0, max: 0xffffffff }),
  })
  .map((parts) => formatId('sub', parts));

t.test('a token names the person it was made for, under its own key alone', async (t) => {
  fc.assert(
    fc.property(ids, fc.uint8Array({ minLength: 32, maxLength: 32 }), (id, other) => {
      const token = clientTokenOf(key, id);
      return (
        isClientTokenForm(token) &&
        token.length === 67 &&
        subscriberOfToken(key, token) === id &&
        subscriberOfToken(other, token) === undefined
      );
    }),
    { seed: 3, numRuns: 500 },
  );
  t.pass('500 people');
});

t.test('no bit of a token may be another', async (t) => {
  const token = clientTokenOf(
    key,
    formatId('sub', { ordinal: 8269, atMs: 1e12, high16: 7, low32: 12 }),
  );
  const bytes = Buffer.from(token.slice(3), 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
    t.equal(subscriberOfToken(key, `ct_${changed.toString('base64url')}`), undefined, `bit ${bit}`);
  }
});

t.test('what has not the form is no token, however close', async (t) => {
  const token = clientTokenOf(
    key,
    formatId('sub', { ordinal: 8269, atMs: 1e12, high16: 7, low32: 12 }),
  );
  for (const text of [
    '',
    'ct_',
    token.slice(0, -1),
    `${token}A`,
    `${token}=`,
    ` ${token}`,
    `${token}\n`,
    token.slice(3),
    token.toUpperCase(),
    `ek_${token.slice(3)}`,
    `${token.slice(0, -1)}+`,
    `${token.slice(0, -1)}/`,
    'ct_'.padEnd(67, 'é'),
  ]) {
    t.equal(isClientTokenForm(text) && subscriberOfToken(key, text) !== undefined, false, text);
  }
});
