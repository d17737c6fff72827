import { join } from 'node:path';
import t from 'tap';
import { root } from '../support/places.ts';

const { headline, keyOf, shortened } = await import(join(root, 'sandbox/inbox/row-words.js'));

t.test('a headline ends between words', async (t) => {
  t.equal(headline('Your parcel has left', 40), 'Your parcel has left');
  t.equal(headline('Your parcel has left, Grace', 21), 'Your parcel has left …');
  t.equal(headline('Your parcel has  left', 19), 'Your parcel has …');
  t.equal(headline('あ'.repeat(50), 10), `${'あ'.repeat(9)} …`);
  t.equal(headline('😀'.repeat(50), 11).includes('\ufffd'), false);
  t.ok(headline('😀'.repeat(50), 11).isWellFormed());
});

t.test('attempts of a call share a row, other messages do not', async (t) => {
  const attempt = { id: 1, channel: 'email', sendId: 'ntf_1', to: 'ada@example.com' };
  t.equal(keyOf(attempt), keyOf({ ...attempt, id: 2, deviceId: 'dev_1' }));
  t.not(keyOf(attempt), keyOf({ ...attempt, to: 'bob@example.com' }));
  t.not(keyOf(attempt), keyOf({ ...attempt, channel: 'sms' }));
  t.not(keyOf({ ...attempt, sendId: undefined }), keyOf({ ...attempt, id: 2, sendId: undefined }));
});

t.test('a long token is shortened to its two ends, and an address is shown whole', async (t) => {
  t.equal(shortened('c0ffee00'.repeat(8)), 'c0ffee00c0…ffee00');
  t.equal(shortened('somebody.with.a.long.name@a-long-domain.example.com').length, 51);
  t.equal(shortened('+14155550123'), '+14155550123');
});
