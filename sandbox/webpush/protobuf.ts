// As much of the protobuf wire format as the browsers' push socket needs.

/** Numbers are varints, bytes and texts have their length before them. */
type WireField = readonly [number: number, value: number | string | Uint8Array];

const wireVarint = 0;
const wireFixed64 = 1;
const wireBytes = 2;
const wireFixed32 = 5;

export function varint(value: number | bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt(value);
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 128 : low);
  } while (rest > 0n);
  return bytes;
}

export function wireMessage(fields: readonly WireField[]): Buffer {
  const parts = fields.map(([number, value]) => {
    if (typeof value === 'number')
      return Buffer.from([...varint((number << 3) | wireVarint), ...varint(value)]);
    const bytes = Buffer.from(value as string);
    return Buffer.concat([
      Buffer.from([...varint((number << 3) | wireBytes), ...varint(bytes.length)]),
      bytes,
    ]);
  });
  return Buffer.concat(parts);
}

/** A field of eight bytes, lowest first. */
export function fixed64(number: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return Buffer.concat([Buffer.from(varint((number << 3) | wireFixed64)), bytes]);
}

/** The varint at `at`, and where it ends; undefined if more bytes must come first. */
export function readVarint(
  bytes: Buffer,
  at: number,
): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  let factor = 1;
  for (let end = at; end < bytes.length; end++) {
    const byte = bytes[end] as number;
    value += (byte & 127) * factor;
    if (byte < 128) return { value, end: end + 1 };
    factor *= 128;
  }
  return undefined;
}

/** The text of a field; undefined if the message lacks it or cannot be read. */
export function textField(message: Buffer, wanted: number): string | undefined {
  for (let at = 0; at < message.length; ) {
    const key = readVarint(message, at);
    if (key === undefined) return undefined;
    const number = Math.floor(key.value / 8);
    const wire = key.value % 8;
    if (wire === wireBytes) {
      const length = readVarint(message, key.end);
      if (length === undefined) return undefined;
      at = length.end + length.value;
      if (number === wanted) return message.subarray(length.end, at).toString();
    } else if (wire === wireVarint) {
      const value = readVarint(message, key.end);
      if (value === undefined) return undefined;
      at = value.end;
    } else if (wire === wireFixed64) at = key.end + 8;
    else if (wire === wireFixed32) at = key.end + 4;
    else return undefined;
  }
  return undefined;
}
