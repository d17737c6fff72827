import fc from 'fast-check';
import t from 'tap';
import { quotedPrintable } from '../../../../actors/channels/email/quoted-printable.ts';
import { tries } from '../../../support/tries.ts';

/** Decodes as RFC 2045 describes. */
function read(encoded: string): string {
  const bytes = encoded
    .replace(/[ \t]+(?=\r\n|$)/g, '')
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

const piece = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 120 }),
  fc.constantFrom(
    '=',
    ' ',
    '\t',
    '==',
    '=3D',
    ' \r\n',
    '\t\r\n',
    '\r\n',
    '=\r\n',
    '.',
    'ü',
    '✓',
    'x'.repeat(74),
  ),
);
const anyText = fc
  .array(piece, { maxLength: 30 })
  .map((pieces) => pieces.join('').replace(/\r\n|\r|\n/g, '\r\n'));

t.test(
  'what was written is read again, from lines of at most 76 printable characters',
  async (t) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const encoded = quotedPrintable(text);
        t.equal(read(encoded), text);
        for (const line of encoded.split('\r\n')) {
          t.ok(line.length <= 76, line);
          t.match(line, /^[\t -~]*$/);
          t.notMatch(line, /[ \t]$/);
        }
      }),
      { numRuns: tries(2000) },
    );
  },
);
