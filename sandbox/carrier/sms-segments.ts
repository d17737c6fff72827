// A text message's segments, which set its price. Pure. One character outside the GSM alphabet,
// such as a curly quote, makes all of it UCS-2, with less than half per segment. The alphabet's
// extension takes two places. Source: 3GPP TS 23.038 6.2.1, TS 23.040 9.2.3.24.

const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const places = new Map([
  ...[...basic].map((sign) => [sign, 1] as const),
  ...[...'\f^{}\\[~]|€'].map((sign) => [sign, 2] as const),
]);

/** An empty text has one. */
export function segmentsOf(text: string): {
  readonly alphabet: 'GSM-7' | 'UCS-2';
  readonly segments: number;
} {
  const widths = [...text].map((sign) => places.get(sign));
  if (!widths.includes(undefined)) {
    return { alphabet: 'GSM-7', segments: partsOf(widths as number[], 160, 153) };
  }
  const units = [...text].map((sign) => sign.length);
  return { alphabet: 'UCS-2', segments: partsOf(units, 70, 67) };
}

/** Never splits a character. A single segment has more room, without a header. */
function partsOf(widths: readonly number[], alone: number, joined: number): number {
  if (widths.reduce((sum, width) => sum + width, 0) <= alone) return 1;
  let parts = 1;
  let used = 0;
  for (const width of widths) {
    if (used + width > joined) {
      parts++;
      used = 0;
    }
    used += width;
  }
  return parts;
}
