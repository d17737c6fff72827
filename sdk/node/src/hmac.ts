// HMAC-SHA256 by Web Crypto, and comparing what it made without telling where texts differ.

/** The HMAC of a message. */
export async function hmacSha256(key: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  const subtle = (globalThis.crypto as typeof globalThis.crypto | undefined)?.subtle;
  if (subtle === undefined)
    throw new Error(
      'there is no Web Crypto here: use Node 20 or later, or start Node 18 with --experimental-global-webcrypto',
    );
  // Web Crypto refuses an empty key; HMAC fills a short one with zeros anyway.
  const bytes = key.length === 0 ? new Uint8Array(1) : key;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await subtle.importKey('raw', plain(bytes), algorithm, false, ['sign']);
  return new Uint8Array(await subtle.sign('HMAC', imported, plain(message)));
}

/** A copy in memory that is not shared: Web Crypto takes no other, and types tell them apart. */
function plain(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

/** In lower case. */
export function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** `undefined` for what is not base64. */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** `undefined` for what is not hex. */
export function bytesOfHex(text: string): Uint8Array | undefined {
  if (!/^([0-9a-f]{2})+$/.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Takes the same time wherever the first difference is. */
export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at++) difference |= (one[at] ?? 0) ^ (other[at] ?? 0);
  return difference === 0;
}
