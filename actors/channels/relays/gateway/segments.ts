// A text message's segments, which set its price. Pure. One character outside the GSM alphabet
// makes all of it UCS-2, with less than half the room. Source: 3GPP TS 23.038 6.2.1 and 6.2.1.1,
// TS 23.040 9.2.3.24.1 (six octets of header in each segment of several).

const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Behind an escape, so of two places. */
const extension = new Set('\f^{}\\[~]|€');

export interface TextSize {
  readonly alphabet: 'gsm7' | 'ucs2';
  /** An empty text has one. */
  readonly segments: number;
}

export function textSize(text: string): TextSize {
  const widths: number[] = [];
  for (const sign of text) {
    if (basic.has(sign)) widths.push(1);
    else if (extension.has(sign)) widths.push(2);
    else return { alphabet: 'ucs2', segments: partsOf([...text].map(unitsOf), 70, 67) };
  }
  return { alphabet: 'gsm7', segments: partsOf(widths, 160, 153) };
}

function unitsOf(sign: string): number {
  return sign.length;
}

/** No character is split over two segments. */
function partsOf(widths: readonly number[], alone: number, joined: number): number {
  let total = 0;
  for (const width of widths) total += width;
  if (total <= alone) return 1;
  let parts = 1;
  let room = joined;
  for (const width of widths) {
    if (width > room) {
      parts++;
      room = joined;
    }
    room -= width;
  }
  return parts;
}
