// What adapters share in reading responses: delays, masking the provider's words, the rest of a
// message's life, and recent successes.

import fc from 'fast-check';
import t from 'tap';
import {
  failure,
  retryAfterMs,
  secondsLeft,
  unreached,
} from '../../../../actors/channels/port/answers.ts';
import { RecentSuccess } from '../../../../actors/channels/port/bounded-cache.ts';
import { parseObject } from '../../../../actors/channels/port/json.ts';
import { tries } from '../../../support/tries.ts';
import { acceptedMs, anAttempt } from '../stand-ins.ts';

t.test('Retry-After is read in both forms and clamped to 1 s … 1 h', async (t) => {
  const date = (offsetMs: number) => new Date(acceptedMs + offsetMs).toUTCString();
  const examples: [string | undefined, number | undefined][] = [
    ['0', undefined],
    ['1', 1_000],
    [' 30 ', 30_000],
    ['900', 900_000],
    ['3601', 3_600_000],
    ['999999999', 3_600_000],
    [date(60_000), 60_000],
    [date(-60_000), undefined],
    [date(86_400_000), 3_600_000],
    ['', undefined],
    ['soon', undefined],
    [undefined, undefined],
  ];
  for (const [header, wanted] of examples)
    t.equal(retryAfterMs(header, acceptedMs), wanted, header ?? 'absent');
  t.equal(retryAfterMs(['7', '8'], acceptedMs), 7_000, 'the first of several');
});

t.test(
  'a detail is one line of at most 500 characters without what identifies anybody',
  async (t) => {
    const detailOf = (words: string, secrets: readonly string[] = []) =>
      failure('retry', 'busy', words, secrets).detail ?? '';
    t.equal(detailOf('no mail for <a.b@example.com>'), 'no mail for <…>');
    t.equal(detailOf('call +1 415 555 0123 back'), 'call … back');
    t.equal(detailOf(`token ${'x'.repeat(60)} is bad`), 'token … is bad');
    t.equal(detailOf('my hunter2! failed', ['hunter2!']), 'my … failed');
    t.equal(detailOf('550 5.1.1 line\r\n two\u0000'), '550 5.1.1 line  two');
    t.equal(detailOf('a b '.repeat(500)).length <= 500, true);
    fc.assert(
      fc.property(fc.string({ maxLength: 3000 }), (words) => {
        const detail = detailOf(words);
        return detail.length <= 500 && !/[\p{Cc}\u2028\u2029]/u.test(detail);
      }),
      { seed: 500, numRuns: tries(500) },
    );
    const startMs = performance.now();
    for (const evil of ['@'.repeat(100_000), '1 '.repeat(50_000), 'a'.repeat(100_000)])
      detailOf(evil);
    t.ok(performance.now() - startMs < 200);
  },
);

t.test('a body that is no JSON object has no members', async (t) => {
  for (const body of ['', 'null', '[1]', '"x"', '<html>', '{"a":'])
    t.same(parseObject(body), {}, body);
  t.same(parseObject('{"a":1}'), { a: 1 });
});

t.test('what is left of a life counts from acceptance; 0 means now or never', async (t) => {
  const left = (ttlSeconds: number | undefined, laterMs: number) =>
    secondsLeft(
      anAttempt({ content: { options: ttlSeconds === undefined ? {} : { ttlSeconds } } }),
      acceptedMs + laterMs,
    );
  t.equal(left(undefined, 1e12), undefined);
  t.equal(left(0, 60_000), 0);
  t.equal(left(60, 0), 60);
  t.equal(left(60, 59_500), 1);
  t.equal(left(60, 60_000), 'expired');
});

t.test('a success proves something for ten minutes, for its own credential', async (t) => {
  const successes = new RecentSuccess();
  successes.note('a', 0);
  t.equal(successes.has('a', 599_999), true);
  t.equal(successes.has('a', 600_000), false);
  t.equal(successes.has('b', 0), false);
  for (let i = 0; i < 5_000; i++) successes.note(`many-${i}`, 1);
  t.equal(successes.has('a', 2), false, 'the oldest made room');
});

t.test(
  'a call without an answer is repeated only when nothing was sent, or said to be unknown',
  async (t) => {
    t.same(unreached({ kind: 'unsent', reason: 'connect' }), {
      outcome: 'retry',
      reason: 'connection_refused',
    });
    t.same(unreached({ kind: 'unsent', reason: 'timeout' }), {
      outcome: 'retry',
      reason: 'timeout',
    });
    t.same(unreached({ kind: 'unsent', reason: 'invalid_request' }), {
      outcome: 'permanent',
      reason: 'invalid_request',
    });
    t.same(unreached({ kind: 'unanswered', reason: 'timeout' }), {
      outcome: 'ambiguous',
      reason: 'timeout',
    });
    t.same(unreached({ kind: 'refused', reason: 'private_address' }), {
      outcome: 'permanent',
      reason: 'private_address',
    });
  },
);
