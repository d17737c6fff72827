// Reads plain JSON from bytes, value by value, without making it an object first. What it does not
// know, such as an escape in a text, is no error: it returns that, and the caller parses the JSON.

export const quote = 0x22;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
/** Integers of fewer digits are exact, and no fraction of so many is out of range. */
const digitsMax = 15;
const filterEnd = Buffer.from('ilter');

export class JsonCursor {
  readonly source: Buffer;
  /** Where the next value is. */
  at = 0;
  /** The text that was read last. */
  start = 0;
  end = 0;
  isAscii = true;
  hasEscape = false;
  /** Whether a text ended as the name of a filter does, in which no member may come twice. */
  hasFilter = false;

  constructor(source: Buffer) {
    this.source = source;
  }

  /** The next byte that is no blank; -1 at the end. */
  next(): number {
    const { source } = this;
    let { at } = this;
    for (; at < source.length; at++) {
      const byte = source[at] as number;
      if (byte > 0x20 || (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) {
        this.at = at;
        return byte;
      }
    }
    this.at = at;
    return -1;
  }

  /** Reads `byte`, if it is next. */
  takes(byte: number): boolean {
    if (this.next() !== byte) return false;
    this.at++;
    return true;
  }

  /** Reads a member's name and its colon. */
  name(): boolean {
    return this.text() && this.colon();
  }

  colon(): boolean {
    return this.takes(colon);
  }

  /** Reads a text without escapes; `start` and `end` are where its bytes are. */
  text(): boolean {
    if (this.next() !== quote) return false;
    const { source } = this;
    const start = this.at + 1;
    let at = start;
    let bits = 0;
    for (; at < source.length; at++) {
      const byte = source[at] as number;
      if (byte === quote) break;
      if (byte === backslash || byte < 0x20) return false;
      bits |= byte;
    }
    if (at === source.length) return false;
    this.start = start;
    this.end = at;
    this.isAscii = bits < 0x80;
    this.hasEscape = false;
    this.#endText();
    return true;
  }

  /** Reads a text that may have escapes; whether they are right, `decoded` says. */
  anyText(): boolean {
    if (this.text()) return true;
    if (this.next() !== quote) return false;
    const { source } = this;
    const start = this.at + 1;
    let at = start;
    for (; at < source.length && source[at] !== quote; at++) if (source[at] === backslash) at++;
    if (at >= source.length) return false;
    this.start = start;
    this.end = at;
    this.isAscii = false;
    this.hasEscape = true;
    this.#endText();
    return true;
  }

  #endText(): void {
    this.at = this.end + 1;
    if (this.source[this.end - 1] === filterEnd[4] && this.#endsAsFilter()) this.hasFilter = true;
  }

  /** Whether the last text is this one. */
  is(text: Uint8Array): boolean {
    const { source, start } = this;
    if (this.end - start !== text.length) return false;
    for (let i = 0; i < text.length; i++) if (source[start + i] !== text[i]) return false;
    return true;
  }

  /** The last text as a string without its escapes; `undefined` if it is no JSON. */
  decoded(): string | undefined {
    if (!this.hasEscape) return this.string();
    try {
      return JSON.parse(this.source.toString('utf8', this.start - 1, this.end + 1)) as string;
    } catch {
      return undefined;
    }
  }

  /** The last text as a string, as it is written. */
  string(): string {
    const { source, start, end } = this;
    return source.toString(this.isAscii ? 'latin1' : 'utf8', start, end);
  }

  /** Reads `word`, such as `true`. */
  word(word: Uint8Array): boolean {
    this.next();
    const { source, at } = this;
    for (let i = 0; i < word.length; i++) if (source[at + i] !== word[i]) return false;
    this.at = at + word.length;
    return true;
  }

  /** Reads a number without an exponent; `undefined` if it is another one, or -0. */
  number(): number | undefined {
    const { source } = this;
    const start = this.at;
    let at = source[start] === minus ? start + 1 : start;
    const first = at;
    let value = 0;
    for (; isDigit(source[at]); at++) value = value * 10 + (source[at] as number) - zero;
    const digits = at - first;
    if (digits === 0 || digits > digitsMax || (source[first] === zero && digits > 1))
      return undefined;
    if (first > start) value = -value;
    if (source[at] === point) {
      const fraction = ++at;
      while (isDigit(source[at])) at++;
      if (at === fraction || at - fraction > digitsMax) return undefined;
      value = Number(source.toString('latin1', start, at));
    }
    if (source[at] === 0x65 || source[at] === 0x45 || Object.is(value, -0)) return undefined;
    this.at = at;
    return value;
  }

  /** Passes an object, of which it reads the brackets and texts alone. False if it has no end. */
  skipObject(): boolean {
    const { source } = this;
    let depth = 0;
    for (let { at } = this; at < source.length; at++) {
      const byte = source[at] as number;
      if (byte === quote) {
        for (at++; at < source.length && source[at] !== quote; at++)
          if (source[at] === backslash) at++;
      } else if (byte === openBrace || byte === openBracket) depth++;
      else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) {
        this.at = at + 1;
        return true;
      }
    }
    return false;
  }

  #endsAsFilter(): boolean {
    const from = this.end - filterEnd.length;
    if (from <= this.start) return false;
    for (let i = 0; i < filterEnd.length; i++)
      if (this.source[from + i] !== filterEnd[i]) return false;
    return ((this.source[from - 1] as number) | 0x20) === 0x66;
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= nine;
}
