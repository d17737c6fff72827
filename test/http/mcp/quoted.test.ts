// A text of a tool carries what people wrote as JSON strings, whatever they wrote.

import fc from 'fast-check';
import t from 'tap';
import { counted, quoted } from '../../../http/mcp/quoted.ts';
import { tries } from '../../support/tries.ts';

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

t.test('any text becomes one JSON string that hides nothing and reads back', async (t) => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\u202e', '\u{e0041}', '\u2028', 'a') }),
  );
  fc.assert(
    fc.property(anything, (text) => {
      const shown = quoted(text);
      return (
        JSON.parse(shown) === text && !unseen.test(shown) && /^"(?:[^"\\]|\\.)*"$/u.test(shown)
      );
    }),
    { numRuns: tries(500) },
  );
  t.equal(quoted('a "b"\n\u{e0041}'), '"a \\"b\\"\\n\\udb40\\udc41"');
});

t.test('any data becomes one line of JSON that reads back', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const shown = quoted(value);
      t.same(JSON.parse(shown), JSON.parse(JSON.stringify(value)));
      return !unseen.test(shown);
    }),
  );
  t.equal(quoted(undefined), 'null');
});

t.test('counts read as a person would write them', async (t) => {
  t.same(
    [counted(1, 'person', 'people'), counted(0, 'person', 'people'), counted(2, 'step')],
    ['1 person', '0 people', '2 steps'],
  );
});
