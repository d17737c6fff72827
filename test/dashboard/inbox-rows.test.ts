import t from 'tap';
import { attemptKey, groupedByCall, headline, shortened } from '../../dashboard/inbox/row-words.ts';

t.test('a headline ends between words', async (t) => {
  t.equal(headline('Your parcel has left', 40), 'Your parcel has left');
  t.equal(headline('Your parcel has left, Grace', 21), 'Your parcel has left …');
  t.equal(headline('Your parcel has  left', 19), 'Your parcel has …');
  t.equal(headline('あ'.repeat(50), 10), `${'あ'.repeat(9)} …`);
  t.equal(headline('😀'.repeat(50), 11).includes('\ufffd'), false);
  t.notMatch(headline('😀'.repeat(50), 11), /\p{Surrogate}/u, 'no half of a character');
});

t.test('attempts of a call share a row, other messages do not', async (t) => {
  const attempt = { id: 1, channel: 'email', sendId: 'ntf_1', to: 'ada@example.com' };
  const { sendId: _sendId, ...alone } = attempt;
  t.equal(attemptKey(attempt), attemptKey({ ...attempt, id: 2 }));
  t.not(attemptKey(attempt), attemptKey({ ...attempt, to: 'bob@example.com' }));
  t.not(attemptKey(attempt), attemptKey({ ...attempt, channel: 'sms' }));
  t.not(attemptKey(alone), attemptKey({ ...alone, id: 2 }));
});

t.test('a call stands where its newest attempt does', async (t) => {
  const message = {
    channel: 'fcm',
    look: 'phone',
    to: 'ada',
    at: '',
    outcome: 'accepted',
  } as const;
  const sends = [
    { ...message, id: 4, sendId: 'ntf_1' },
    { ...message, id: 3, sendId: 'ntf_2' },
    { ...message, id: 2, sendId: 'ntf_1' },
    { ...message, id: 1 },
  ];
  t.strictSame(
    groupedByCall(sends).map((attempts) => attempts.map(({ id }) => id)),
    [[4, 2], [3], [1]],
  );
});

t.test('a long token is shortened to its two ends, and an address is shown whole', async (t) => {
  t.equal(shortened('c0ffee00'.repeat(8)), 'c0ffee00c0…ffee00');
  t.equal(shortened('somebody.with.a.long.name@a-long-domain.example.com').length, 51);
  t.equal(shortened('+14155550123'), '+14155550123');
});
