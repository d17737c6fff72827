// In how many parts a text message travels, which is what its sender pays for. Pure. Easily got
// wrong: one sign outside the GSM alphabet (a curly quote will do) makes the whole text UCS-2,
// whose parts hold less than half; and a sign of the alphabet's extension takes two places. Source:
// 3GPP TS 23.038 6.2.1, TS 23.040 9.2.3.24.

const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const places = new Map([
  ...[...basic].map((sign) => [sign, 1] as const),
  ...[...'\f^{}\\[~]|€'].map((sign) => [sign, 2] as const),
]);

/** How a text travels. An empty one takes one part. */
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

/**
 * Parts that no sign is torn between: alone a part holds more, for it needs no header that says
 * where it belongs.
 */
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
