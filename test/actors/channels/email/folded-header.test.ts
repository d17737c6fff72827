// nodemailer's folding is the judge.

import fc from 'fast-check';
import { foldLines } from 'nodemailer/lib/mime-funcs';
import t from 'tap';
import { foldedHeader } from '../../../../actors/channels/email/folded-header.ts';
import { tries } from '../../../support/tries.ts';

const word = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }).map((text) => text.replace(/\s/g, '_')),
  fc.integer({ min: 60, max: 160 }).map((length) => 'x'.repeat(length)),
);
const header = fc
  .array(fc.tuple(word, fc.constantFrom(' ', ' ', '  ', ', ')), { maxLength: 30 })
  .map((words) => `List-Unsubscribe: ${words.map((pair) => pair.join('')).join('')}`);

t.test('a header is folded where nodemailer folds it', async (t) => {
  fc.assert(
    fc.property(header, (text) => {
      t.equal(foldedHeader(text), foldLines(text, 76));
    }),
    { numRuns: tries(2000) },
  );
});
