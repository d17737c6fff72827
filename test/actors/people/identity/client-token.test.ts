// Client tokens: only what was given out is taken, to the last bit.

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import {
  clientTokenOf,
  isClientTokenForm,
  readClientToken,
} from '../../../../actors/people/identity/client-token.ts';
import { formatId } from '../../../../engine/base/id.ts';
import { tries } from '../../../support/tries.ts';

const key = new Uint8Array(32).fill(5);
const ids = fc
  .record({
    ordinal: fc.integer({ min: 1, max: 0xffffffff }),
    atMs: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
    high16: fc.integer({ min: 0, max: 0xffff }),
    low32: fc.integer({ min: 0, max: 0xffffffff }),
  })
  .map((parts) => formatId('sub', parts));
const numbers = fc.integer({ min: 0, max: 0xffffffff });
const tokens = fc.record({
  subscriberId: ids,
  session: fc.record({ generation: numbers, number: numbers, proof: numbers }),
});
const one = {
  subscriberId: formatId('sub', { ordinal: 8269, atMs: 1e12, high16: 7, low32: 12 }),
  session: { generation: 1, number: 77, proof: 2 },
};

t.test('a token names the person it was made for, under its own key alone', async (t) => {
  fc.assert(
    fc.property(tokens, fc.uint8Array({ minLength: 32, maxLength: 32 }), (named, other) => {
      const token = clientTokenOf(key, named);
      return (
        isClientTokenForm(token) &&
        token.length === 83 &&
        JSON.stringify(readClientToken(key, token)) === JSON.stringify(named) &&
        readClientToken(other, token) === undefined
      );
    }),
    { seed: 3, numRuns: tries(500) },
  );
  t.pass('500 people');
});

t.test('no bit of a token may be another', async (t) => {
  const token = clientTokenOf(key, one);
  const bytes = Buffer.from(token.slice(3), 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
    t.equal(readClientToken(key, `ct_${changed.toString('base64url')}`), undefined, `bit ${bit}`);
  }
});

t.test('what has not the form is no token, however close', async (t) => {
  const token = clientTokenOf(key, one);
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
    'ct_'.padEnd(83, 'é'),
    token.slice(0, 67),
  ]) {
    t.equal(isClientTokenForm(text) && readClientToken(key, text) !== undefined, false, text);
  }
});

t.test('a token from before there were sessions is session 0 of generation 0', async (t) => {
  const id = Buffer.from(clientTokenOf(key, one).slice(3), 'base64url').subarray(0, 16);
  const signed = createHmac('sha256', key).update('engage client token 1:').update(id).digest();
  const token = `ct_${Buffer.concat([id, signed]).toString('base64url')}`;
  t.ok(isClientTokenForm(token));
  t.same(readClientToken(key, token), {
    subscriberId: one.subscriberId,
    session: { generation: 0, number: 0, proof: 0 },
  });
});
