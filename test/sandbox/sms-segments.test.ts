import t from 'tap';
import { segmentsOf } from '../../sandbox/carrier/sms-segments.ts';

t.test('parts of a text, at, below and above each bound', async (t) => {
  const cases: [what: string, text: string, alphabet: string, segments: number][] = [
    ['nothing', '', 'GSM-7', 1],
    ['one part', 'x'.repeat(160), 'GSM-7', 1],
    ['one sign more', 'x'.repeat(161), 'GSM-7', 2],
    ['two parts', 'x'.repeat(306), 'GSM-7', 2],
    ['three', 'x'.repeat(307), 'GSM-7', 3],
    ['the longest', 'x'.repeat(1600), 'GSM-7', 11],
    ['all of the alphabet', '@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà\n\r', 'GSM-7', 1],
    ['its extension counts twice', '€'.repeat(80), 'GSM-7', 1],
    ['twice, and one more', '€'.repeat(81), 'GSM-7', 2],
    ['no sign is torn', `${'x'.repeat(152)}€${'x'.repeat(152)}`, 'GSM-7', 3],
    ['one curly quote', `${'x'.repeat(69)}’`, 'UCS-2', 1],
    ['and one sign more', `${'x'.repeat(70)}’`, 'UCS-2', 2],
    ['two of UCS-2', 'ก'.repeat(134), 'UCS-2', 2],
    ['three of UCS-2', 'ก'.repeat(135), 'UCS-2', 3],
    ['pictures count twice', '😀'.repeat(35), 'UCS-2', 1],
    ['and are not torn', '😀'.repeat(67), 'UCS-2', 3],
    ['a small cedilla is no part of it', 'ç', 'UCS-2', 1],
  ];
  for (const [what, text, alphabet, segments] of cases) {
    t.same(segmentsOf(text), { alphabet, segments }, what);
  }
});
