// 32-bit words and bytes. Snapshots have bytes, never a Uint32Array: codecs without typed arrays
// return bare bytes, perhaps at an odd address.

/** `words[0, length)` as bytes in machine order; a view, so copy `words` if they will change. */
export function bytesOfWords(words: Uint32Array, length = words.length): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, length * 4);
}

/** A copy as words; drops bytes beyond a multiple of four. */
export function wordsOfBytes(bytes: Uint8Array): Uint32Array {
  const words = new Uint32Array(bytes.length >>> 2);
  new Uint8Array(words.buffer).set(bytes.subarray(0, words.length * 4));
  return words;
}

/** 128 bits as four unsigned words. */
export type Words4 = readonly [number, number, number, number];

/** 64 bits as two unsigned words. */
export type Words2 = readonly [number, number];
