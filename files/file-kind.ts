// What the first bytes of a file tell: its encoding, or that it is no text.

/** Files that people drop here instead of a text, each with its own sentence in `words.ts`. */
export type NoText = 'workbook' | 'oldWorkbook' | 'packed' | 'pdf' | 'binary';

type FileKind =
  | { readonly encoding: string | undefined; readonly hasMark: boolean }
  | { readonly noText: NoText };

/** So many bytes are enough. */
export const headBytes = 4_096;

const marks: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

const signatures: readonly (readonly [NoText, readonly number[]])[] = [
  ['workbook', [0x50, 0x4b, 0x03, 0x04]],
  ['oldWorkbook', [0xd0, 0xcf, 0x11, 0xe0]],
  ['packed', [0x1f, 0x8b]],
  ['pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
];

/** `encoding` is `undefined` where only the letters can tell. */
export function fileKind(head: Uint8Array): FileKind {
  const begins = (bytes: readonly number[]) => bytes.every((byte, at) => head[at] === byte);
  const signature = signatures.find(([, bytes]) => begins(bytes));
  if (signature !== undefined) return { noText: signature[0] };
  const mark = marks.find(([, bytes]) => begins(bytes));
  if (mark !== undefined) return { encoding: mark[0], hasMark: true };
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even + odd === 0) return { encoding: undefined, hasMark: false };
  // In UTF-16 every second byte of digits, commas and Latin letters is zero.
  if (odd > even * 8 && odd * 10 > head.length) return { encoding: 'utf-16le', hasMark: false };
  if (even > odd * 8 && even * 10 > head.length) return { encoding: 'utf-16be', hasMark: false };
  return { noText: 'binary' };
}
