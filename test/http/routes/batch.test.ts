// The batch at the edge: what is asked of the app's actor, in how many turns, and what a
// recipient's fingerprint covers.

import fc from 'fast-check';
import t from 'tap';
import { fault } from '../../../actors/faults.ts';
import type {
  BatchRecipient,
  RecipientColumns,
  RecipientResult,
} from '../../../actors/sending/transactional/protocol.ts';
import { unpackRecipients } from '../../../actors/sending/transactional/recipient-columns.ts';
import { canonicalJson } from '../../../http/call/idempotency.ts';
import { exampleIds } from '../../../http/call/schemas/example-ids.ts';
import { BatchPrints } from '../../../http/routes/notifications/batch-recipient.ts';
import { tries } from '../../support/tries.ts';
import { type Asked, app, fakeFront } from './fake-front.ts';

const line = `POST /v1/apps/${exampleIds.app}/notifications/batch`;
const queued: RecipientResult = { outcome: 'queued', id: exampleIds.send };
const askedFor = ({ message }: Pick<Asked, 'message'>) =>
  unpackRecipients(message['recipients'] as readonly BatchRecipient[] | RecipientColumns);
const people = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ externalUserId: `user-${i}` }));

/** An actor that takes `atOnce` recipients a turn. */
function inTurns(atOnce: number) {
  return (message: Asked['message']) => {
    const { length } = askedFor({ message });
    const results = Array<RecipientResult>(Math.min(atOnce, length)).fill(queued);
    return { results, claimed: length > atOnce ? ['claimed'] : [] };
  };
}

t.test('only good recipients are asked for, and results come back at their places', async (t) => {
  const front = fakeFront(inTurns(1_000));
  const got = await front.call(line, {
    key: 'send',
    body: {
      body: 'x',
      recipients: [7, { externalUserId: 'a' }, {}, { externalUserId: 'b', body: 'own', more: 1 }],
    },
  });
  t.equal(got.status, 202);
  t.match(got.json, { queued: 2, replayed: 0, rejected: 2 });
  t.match((got.json as { results: unknown }).results, [
    { index: 0, outcome: 'invalid' },
    { index: 1, externalUserId: 'a', outcome: 'queued', id: exampleIds.send },
    { index: 2, outcome: 'invalid', field: 'subscriberId' },
    { index: 3, externalUserId: 'b', outcome: 'queued' },
  ]);
  t.equal(front.asked.length, 1);
  t.equal(front.asked[0]?.to, app);
  t.same(front.asked.map(askedFor)[0], [
    { to: { externalUserId: 'a' } },
    { to: { externalUserId: 'b' }, body: 'own' },
  ]);
  t.equal(front.asked[0]?.message['key'], null);
});

t.test(
  'a batch without a good recipient is still asked for: the app must answer for itself',
  async (t) => {
    const front = fakeFront(inTurns(1_000));
    const got = await front.call(line, { body: { body: 'x', recipients: [{}] } });
    t.match(got.json, { queued: 0, rejected: 1 });
    t.same(front.asked.map(askedFor), [[]]);
  },
);

t.test(
  'what a turn leaves is asked for in the next, with the keys that were claimed',
  async (t) => {
    const front = fakeFront(inTurns(3));
    const got = await front.call(line, {
      body: { body: 'x', recipients: people(8), idempotencyKey: 'k' },
    });
    t.match(got.json, { queued: 8, rejected: 0 });
    t.same(
      front.asked.map((asked) => askedFor(asked).length),
      [8, 5, 2],
    );
    t.same(
      front.asked.map(({ message }) => message['claimed']),
      [[], ['claimed'], ['claimed']],
    );
    t.ok(front.asked.flatMap(askedFor).every(({ fingerprint }) => fingerprint?.length === 2));
  },
);

t.test(
  'a turn refused after the first leaves its recipients failed, the first refuses the batch',
  async (t) => {
    let turns = 0;
    const full = fault('daily_cap', 'used up', { retryAfterSeconds: 9 });
    const front = fakeFront((message) => {
      if (turns++ > 0) throw { fault: full };
      return inTurns(2)(message);
    });
    const got = await front.call(line, { body: { body: 'x', recipients: people(4) } });
    t.match(got.json, {
      queued: 2,
      rejected: 2,
      results: [{}, {}, { outcome: 'failed', error: 'used up' }, { index: 3, outcome: 'failed' }],
    });
    const refused = await front.call(line, { body: { body: 'x', recipients: people(4) } });
    t.match([refused.status, refused.json], [429, { code: 'daily_cap' }]);
  },
);

t.test(
  'the lane is charged a unit a recipient when the body is read, and nothing is asked without room',
  async (t) => {
    const front = fakeFront(inTurns(1_000));
    front.addKey('few', { rateLimits: { transactional: 5, standard: null } });
    const send = (count: number) =>
      front.call(line, { key: 'few', body: { body: 'x', recipients: people(count) } });
    t.match([(await send(6)).status, front.asked.length], [429, 0]);
    const taken = await send(5);
    t.match([taken.status, taken.headers['x-ratelimit-remaining']], [202, '0']);
    const refused = await send(1);
    t.equal(refused.status, 429);
    t.ok(Number(refused.headers['retry-after']) >= 1);
    front.pass(60_000);
    t.equal((await send(5)).status, 202, 'a minute later');
  },
);

t.test('a fingerprint covers the request as it is once merged, and nothing else', async (t) => {
  const scalar = fc.oneof(fc.string({ maxLength: 3 }), fc.nat({ max: 3 }));
  const variables = fc.dictionary(fc.constantFrom('a', 'b', 'c'), scalar);
  const words = {
    title: fc.constantFrom('x', 'y'),
    body: fc.constantFrom('x', 'y'),
    data: fc.dictionary(fc.constantFrom('k', 'l'), scalar),
    variables,
  };
  const shared = fc.record({ ...words, payload: variables, sound: scalar }, { requiredKeys: [] });
  const own = fc.record(
    { ...words, externalUserId: fc.string(), idempotencyKey: fc.string(), sound: scalar },
    { requiredKeys: [] },
  );
  /** Member by member, the slow way. */
  const merged = (batch: Record<string, unknown>, recipient: Record<string, unknown>) => {
    const request: Record<string, unknown> = { ...batch };
    for (const name of ['title', 'body', 'data'])
      if (name in recipient) request[name] = recipient[name];
    if ('variables' in recipient)
      request['variables'] = { ...(batch['variables'] ?? {}), ...(recipient['variables'] ?? {}) };
    return request;
  };
  fc.assert(
    fc.property(shared, own, shared, own, (batch, one, other, two) => {
      const a = new BatchPrints({ ...batch, idempotencyKey: 'k', recipients: [one] }).of(one);
      const b = new BatchPrints({ recipients: [two], ...other }).of(two);
      const isSame = canonicalJson(merged(batch, one)) === canonicalJson(merged(other, two));
      if ((canonicalJson(a) === canonicalJson(b)) !== isSame)
        throw new Error(isSame ? 'two fingerprints of one request' : 'one of two');
    }),
    { numRuns: tries(2_000) },
  );
  t.pass();
});
