// Unicode's normal form NFC, in which one word is one text. A Mac and some keyboards write "ộ" as
// several characters, others as one. Names and values that are compared are stored in NFC; what
// must stay exact, such as an external user id, never comes here.

/** The text in NFC: the same one if it is. Most texts have no character that could combine. */
export function inNfc(text: string): string {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0x300) return text.normalize();
  return text;
}

/** The first key that is another one's text in another form. */
export function repeatedInNfc(object: object): string | undefined {
  const seen = new Set<string>();
  for (const key of Object.keys(object)) {
    const normal = key.normalize();
    if (seen.has(normal)) return key;
    seen.add(normal);
  }
  return undefined;
}

/** Of valid UTF-8. */
export function isNfc(bytes: Uint8Array, start: number, end: number): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString();
  return text === text.normalize();
}
