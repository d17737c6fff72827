// A file as a part of a mail: its headers, and its bytes in base64 with lines of 76 characters. A
// file is encoded once for all who get it, and the encoded bytes are never copied into a mail.

/** A file of a mail. With `cid` it stands within the HTML part, which names it `cid:<cid>`. */
export interface MailAttachment {
  readonly filename: string;
  /** `type/subtype`, without parameters. */
  readonly contentType: string;
  readonly content: Uint8Array;
  readonly cid?: string;
  /** SHA-256 of the content, base64url; by it an encoding is used again. */
  readonly hash?: string;
}

/** A mail is a list of these: text of this mail, and encoded files that mails share. */
export type MailPiece = string | Uint8Array;

const lineChars = 76;
const bytesOfLine = (lineChars / 4) * 3;
/** A multiple of three, so that slices of base64 make one. */
const bytesOfSlice = 48 * 1024;
/** A name is split where its part of a line would be longer. */
const nameChars = 52;

/** Encoded files, the latest used ones, within a bound of bytes. */
export class EncodedFiles {
  readonly #bytesMax: number;
  readonly #encoded = new Map<string, Uint8Array>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  of({ hash, content }: Pick<MailAttachment, 'hash' | 'content'>): Uint8Array {
    if (hash === undefined) return base64Lines(content);
    const known = this.#encoded.get(hash);
    if (known !== undefined) {
      this.#encoded.delete(hash);
      this.#encoded.set(hash, known);
      return known;
    }
    const encoded = base64Lines(content);
    this.#bytes += encoded.byteLength;
    this.#encoded.set(hash, encoded);
    for (const [oldest, { byteLength }] of this.#encoded) {
      if (this.#bytes <= this.#bytesMax || oldest === hash) break;
      this.#encoded.delete(oldest);
      this.#bytes -= byteLength;
    }
    return encoded;
  }
}

/** In ASCII, each line with its CRLF. */
export function base64Lines(content: Uint8Array): Uint8Array {
  const view = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const chars = Math.ceil(view.length / 3) * 4;
  const lines = Buffer.allocUnsafeSlow(chars + Math.ceil(chars / lineChars) * 2);
  let at = 0;
  for (let from = 0; from < view.length; from += bytesOfLine) {
    const line = view.toString('base64', from, Math.min(from + bytesOfLine, view.length));
    at += lines.write(`${line}\r\n`, at, 'latin1');
  }
  return lines.subarray(0, at);
}

/** In ASCII, on one line, without a text of that size. */
export function base64Of(content: Uint8Array): Uint8Array {
  const view = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const encoded = Buffer.allocUnsafeSlow(Math.ceil(view.length / 3) * 4);
  for (let from = 0, at = 0; from < view.length; from += bytesOfSlice)
    at += encoded.write(view.toString('base64', from, from + bytesOfSlice), at, 'latin1');
  return encoded;
}

/** Pieces as one; their texts are ASCII. */
export function bytesOfPieces(pieces: readonly MailPiece[]): Uint8Array {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === 'string') whole.write(piece, at, 'latin1');
    else whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** The headers of a file's part, with the empty line behind them. */
export function attachedHead({ filename, contentType, cid }: MailAttachment): string {
  const isInline = cid !== undefined;
  return (
    `Content-Type: ${contentType}\r\n` +
    `Content-Disposition: ${isInline ? 'inline' : 'attachment'};\r\n${named('filename', filename)}\r\n` +
    (isInline ? `Content-ID: <${cid}>\r\n` : '') +
    'Content-Transfer-Encoding: base64\r\n\r\n'
  );
}

/** A parameter of a header: quoted, or by RFC 2231 in as many parts as its lines need. */
function named(name: string, value: string): string {
  // What needs no escape; some readers would decode an encoded word.
  const isPlain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(value) && !value.includes('=?');
  if (isPlain && value.length <= nameChars) return ` ${name}="${value}"`;
  const parts: string[] = [''];
  for (const character of value) {
    const escaped = percentEncoded(character);
    if ((parts.at(-1) as string).length + escaped.length > nameChars) parts.push('');
    parts[parts.length - 1] += escaped;
  }
  if (parts.length === 1) return ` ${name}*=utf-8''${parts[0]}`;
  return parts.map((part, i) => ` ${name}*${i}*=${i === 0 ? "utf-8''" : ''}${part}`).join(';\r\n');
}

/** RFC 5987: what is no `attr-char` as the bytes of its UTF-8. A lone surrogate is replaced. */
function percentEncoded(character: string): string {
  if (/^[A-Za-z0-9!#$&+.^_`|~-]$/.test(character)) return character;
  let text = '';
  for (const byte of Buffer.from(character))
    text += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  return text;
}
