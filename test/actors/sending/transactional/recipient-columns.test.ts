import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import type { BatchRecipient } from '../../../../actors/sending/transactional/protocol.ts';
import {
  packRecipients,
  unpackRecipients,
} from '../../../../actors/sending/transactional/recipient-columns.ts';
import { tries } from '../../../support/tries.ts';

const variables = fc.oneof(
  { weight: 4, arbitrary: fc.record({ name: fc.string(), amount: fc.anything() }) },
  { weight: 1, arbitrary: fc.record({ amount: fc.string(), name: fc.string() }) },
  { weight: 1, arbitrary: fc.dictionary(fc.string(), fc.string()) },
);
const recipient = fc.record(
  {
    to: fc.oneof(
      { weight: 8, arbitrary: fc.record({ externalUserId: fc.string() }) },
      { weight: 1, arbitrary: fc.record({ id: fc.string() }) },
      fc.constant({ externalUserId: 'a', isPrefixed: true as const }),
    ),
    variables: variables as fc.Arbitrary<Record<string, unknown>>,
    fingerprint: fc.constant([4_294_967_295, 7] as const),
    body: fc.string(),
    key: fc.string(),
  },
  { requiredKeys: ['to'], noNullPrototype: true },
);
/** Mostly of one form. */
const some = fc.oneof(
  fc.array(recipient, { maxLength: 4 }),
  fc.array(
    fc.record({ to: fc.record({ externalUserId: fc.string() }), variables: variables as never }),
    { minLength: 1, maxLength: 4 },
  ),
  fc.tuple(recipient, fc.nat({ max: 4 })).map(([one, more]) => Array(more).fill(one)),
) as fc.Arbitrary<readonly BatchRecipient[]>;

t.test('recipients come out of their columns as they went in', (t) => {
  let packed = 0;
  fc.assert(
    fc.property(some, (recipients) => {
      const columns = packRecipients(recipients);
      if (columns !== recipients) packed++;
      const after = unpackRecipients(columns);
      // As another thread gets them.
      deepStrictEqual(structuredClone(after), structuredClone(recipients));
    }),
    { numRuns: tries(2_000) },
  );
  t.ok(packed > tries(2_000) / 10, `${packed} batches had columns`);
  t.end();
});

t.test('a name that no assignment makes keeps a batch as it is', (t) => {
  const variables = JSON.parse('{"__proto__": "x"}');
  const recipients = [{ to: { externalUserId: 'ana' }, variables }];
  t.equal(packRecipients(recipients), recipients);
  t.end();
});
