// Writes msgpack into one growing buffer, value by value, in the form that msgpackr gives plain
// data. For records made of many parts: packing an object first costs the object.

const firstBytes = 64 * 1024;

export class MsgpackWriter {
  #bytes = Buffer.allocUnsafeSlow(firstBytes);
  #length = 0;

  /** How many bytes were written, which is where the next value begins. */
  get length(): number {
    return this.#length;
  }

  /** The bytes so far, as a view that the next value may make stale. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Forgets what was written after `length`. */
  cutTo(length: number): void {
    this.#length = length;
  }

  nil(): void {
    this.#byte(0xc0);
  }

  /** Values that were written before. */
  written(values: Uint8Array): void {
    const { length } = values;
    this.#reserve(length);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < length; i++) bytes[at++] = values[i] as number;
    this.#length = at;
  }

  boolean(value: boolean): void {
    this.#byte(value ? 0xc3 : 0xc2);
  }

  /** As a double, whatever the value, so that it can be replaced in its place. */
  double(value: number): void {
    this.#reserve(9);
    this.#bytes[this.#length] = 0xcb;
    this.#bytes.writeDoubleBE(value, this.#length + 1);
    this.#length += 9;
  }

  /** In its shortest form. */
  number(value: number): void {
    if (value >>> 0 === value) this.#unsigned(value);
    else if (value >> 0 === value) this.#negative(value);
    else this.double(value);
  }

  string(text: string): void {
    this.#reserve(text.length * 3 + 5);
    if (text.length >= 32 || !this.#short(text)) this.#long(text);
  }

  /** A text as its UTF-8, of fewer than 65,536 bytes. */
  text(utf8: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.#reserve(length + 3);
    const bytes = this.#bytes;
    let at = this.#length;
    if (length < 32) bytes[at++] = 0xa0 | length;
    else {
      if (length < 0x100) bytes[at++] = 0xd9;
      else {
        bytes[at++] = 0xda;
        bytes[at++] = length >>> 8;
      }
      bytes[at++] = length;
    }
    // For names and addresses faster than a native copy, which costs a view.
    for (let from = start; from < end; from++) bytes[at++] = utf8[from] as number;
    this.#length = at;
  }

  /** Begins an array of fewer than 65,536 values. */
  array(length: number): void {
    this.#sized(length, 16, 0x90, 0xdc);
  }

  /** Begins a map. Its size takes two bytes, as msgpackr writes those of plain objects. */
  map(size: number): void {
    this.#reserve(3);
    this.#bytes[this.#length++] = 0xde;
    this.#bytes[this.#length++] = size >>> 8;
    this.#bytes[this.#length++] = size;
  }

  /** False if it has more than ASCII. */
  #short(text: string): boolean {
    const bytes = this.#bytes;
    const start = this.#length;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 0x80) return false;
      bytes[start + 1 + i] = code;
    }
    bytes[start] = 0xa0 | text.length;
    this.#length = start + 1 + text.length;
    return true;
  }

  #long(text: string): void {
    const start = this.#length;
    // The longest head, so that the text is moved at most once.
    const written = this.#bytes.write(text, start + 5, 'utf8');
    const head = written < 32 ? 1 : written < 0x100 ? 2 : written < 0x10000 ? 3 : 5;
    if (head < 5) this.#bytes.copyWithin(start + head, start + 5, start + 5 + written);
    if (head === 1) this.#bytes[start] = 0xa0 | written;
    else if (head === 2) {
      this.#bytes[start] = 0xd9;
      this.#bytes[start + 1] = written;
    } else if (head === 3) {
      this.#bytes[start] = 0xda;
      this.#bytes.writeUInt16BE(written, start + 1);
    } else {
      this.#bytes[start] = 0xdb;
      this.#bytes.writeUInt32BE(written, start + 1);
    }
    this.#length = start + head + written;
  }

  #unsigned(value: number): void {
    this.#reserve(5);
    const bytes = this.#bytes;
    if (value < 0x80) bytes[this.#length++] = value;
    else if (value < 0x100) {
      bytes[this.#length++] = 0xcc;
      bytes[this.#length++] = value;
    } else if (value < 0x10000) {
      bytes[this.#length++] = 0xcd;
      this.#length = bytes.writeUInt16BE(value, this.#length);
    } else {
      bytes[this.#length++] = 0xce;
      this.#length = bytes.writeUInt32BE(value, this.#length);
    }
  }

  #negative(value: number): void {
    this.#reserve(5);
    const bytes = this.#bytes;
    if (value >= -0x20) bytes[this.#length++] = 0x100 + value;
    else if (value >= -0x80) {
      bytes[this.#length++] = 0xd0;
      this.#length = bytes.writeInt8(value, this.#length);
    } else if (value >= -0x8000) {
      bytes[this.#length++] = 0xd1;
      this.#length = bytes.writeInt16BE(value, this.#length);
    } else {
      bytes[this.#length++] = 0xd2;
      this.#length = bytes.writeInt32BE(value, this.#length);
    }
  }

  #sized(size: number, below: number, short: number, long: number): void {
    this.#reserve(3);
    if (size < below) {
      this.#bytes[this.#length++] = short | size;
      return;
    }
    this.#bytes[this.#length++] = long;
    this.#length = this.#bytes.writeUInt16BE(size, this.#length);
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#length + bytes, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
