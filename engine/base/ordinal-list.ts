// Ascending ordinals as varint distances, lowest bits first: mostly one byte in a slice.

/** Each ordinal at most once. */
export function packOrdinals(ordinals: ArrayLike<number>, count = ordinals.length): Uint8Array {
  const bytes = new Uint8Array(count * 5);
  let at = 0;
  let before = -1;
  for (let i = 0; i < count; i++) {
    const ordinal = ordinals[i] as number;
    let left = ordinal - before - 1;
    before = ordinal;
    while (left >= 0x80) {
      bytes[at++] = (left & 0x7f) | 0x80;
      left >>>= 7;
    }
    bytes[at++] = left;
  }
  return bytes.slice(0, at);
}

export function unpackOrdinals(bytes: Uint8Array): Uint32Array {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) if ((bytes[i] as number) < 0x80) count++;
  const ordinals = new Uint32Array(count);
  let before = -1;
  let at = 0;
  for (let i = 0; i < count; i++) {
    let distance = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes[at++] as number;
      distance += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
      scale *= 128;
    }
    before += distance + 1;
    ordinals[i] = before;
  }
  return ordinals;
}
