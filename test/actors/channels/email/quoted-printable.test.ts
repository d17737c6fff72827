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
    '🙂',
    '\r',
    '\n',
    '日本語'.repeat(20),
    'x'.repeat(74),
  ),
);
const anyText = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

t.test(
  'what was written is read again, from lines of at most 76 printable characters',
  async (t) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const encoded = quotedPrintable(text);
        t.equal(read(encoded), text.replace(/\r\n|\r|\n/g, '\r\n'));
        for (const line of encoded.split('\r\n')) {
          t.ok(line.length <= 76, line);
          t.match(line, /^[\t -~]*$/);
          t.notMatch(line, /[ \t]$/);
          t.notMatch(line, /=(?:C[2-9A-F]|D[0-9A-F]|E[0-9A-F](?:=[89AB][0-9A-F])?)=$/);
          t.notMatch(line, /=F[0-4](?:=[89AB][0-9A-F]){0,2}=$/);
        }
      }),
      { numRuns: tries(2000) },
    );
  },
);
