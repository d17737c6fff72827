// 32-bit words to bytes and back. Snapshots carry bytes and never a Uint32Array, because a codec
// without typed-array support turns one into bare bytes on the way back, which may also begin at an
// odd address.

/**
 * The bytes of `words[0, length)`, in this machine's order; a view, so copy `words` first if they
 * will change.
 */
export function bytesOfWords(words: Uint32Array, length = words.length): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, length * 4);
}

/**
 * A fresh copy of `bytes` as words. The length must be a multiple of four; bytes left over are
 * ignored.
 */
export function wordsOfBytes(bytes: Uint8Array): Uint32Array {
  const words = new Uint32Array(bytes.length >>> 2);
  new Uint8Array(words.buffer).set(bytes.subarray(0, words.length * 4));
  return words;
}

/** 128 bits as four unsigned words. */
export type Words4 = readonly [number, number, number, number];

/** 64 bits as two unsigned words. */
export type Words2 = readonly [number, number];
