import fc from 'fast-check';
import t from 'tap';
import { inNfc, isNfc, repeatedInNfc } from '../../../engine/base/nfc.ts';
import { tries } from '../../support/tries.ts';

const apart = 'họ_tên'.normalize('NFD');

t.test('a text in NFC is itself, and a key that is there twice is found', async (t) => {
  t.equal(inNfc('first_name é'), 'first_name é');
  t.equal(inNfc(apart), 'họ_tên');
  t.equal(inNfc('\u0958\u212a'), '\u0915\u093cK');
  t.equal(repeatedInNfc({ first_name: 1, họ_tên: 2 }), undefined);
  t.equal(repeatedInNfc({ họ_tên: 1, [apart]: 2 }), apart);
});

t.test('bytes are in NFC if their text is', async () => {
  const letter = fc.oneof(
    fc.constantFrom(
      'a',
      'e',
      '\u0323',
      '\u0301',
      '\u0302',
      'ệ',
      'é',
      '가',
      '\u1100',
      '\u1161',
      'ที่',
    ),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(letter, { maxLength: 6 }), fc.nat({ max: 3 }), (letters, before) => {
      const text = Buffer.from(letters.join('')).toString(); // without halves of pairs
      const bytes = Buffer.from('x'.repeat(before) + text);
      const normal = text.normalize('NFC');
      return inNfc(text) === normal && isNfc(bytes, before, bytes.length) === (text === normal);
    }),
    { seed: 37, numRuns: tries(5_000) },
  );
});
