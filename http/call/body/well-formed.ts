// Finds invalid Unicode. JSON may escape half of a surrogate pair (`"\ud800"`): JSON.parse accepts
// it, but UTF-8 has no bytes for it, so it would read back changed. Valid UTF-8 can hold one only
// by such an escape, so without one two searches suffice.

const escapeStarts = [Buffer.from('\\ud'), Buffer.from('\\uD')] as const;

/** An invalid text's path, and whether it is a key there. */
interface BrokenText {
  readonly path: readonly PropertyKey[];
  readonly isKey: boolean;
}

/** The first text in `value` with half of a surrogate pair; `value` was parsed from `body`. */
export function brokenText(value: unknown, body: Uint8Array): BrokenText | undefined {
  return mayHoldBroken(body) ? firstIn(value, []) : undefined;
}

/** Whether a value parsed from these bytes may hold such a text at all; most cannot. */
export function mayHoldBroken(body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return escapeStarts.some((start) => bytes.includes(start));
}

/** The first such text in a value of any origin. */
export function brokenTextIn(value: unknown): BrokenText | undefined {
  return firstIn(value, []);
}

function firstIn(value: unknown, path: readonly PropertyKey[]): BrokenText | undefined {
  if (typeof value === 'string') return isBroken(value) ? { path, isKey: false } : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const [key, member] of Object.entries(value)) {
    if (isBroken(key)) return { path, isKey: true };
    const found = firstIn(member, [...path, isList ? Number(key) : key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** With the flag `u` a pair is one character, so the class matches only half of one. */
function isBroken(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}
