// Finds texts that are no Unicode: JSON may write half of a surrogate pair as an escape
// (`"\ud800"`), JSON.parse takes it, and UTF-8 has no bytes for it, so that it would read back as
// something else than what was sent. Bytes that are valid UTF-8 hold none but by such an escape; so
// a body without one costs two searches, and its values are not walked.

const escapeStarts = [Buffer.from('\\ud'), Buffer.from('\\uD')] as const;

/**
 * Where a text that is no Unicode stands: its path, and whether it is a key of what stands there.
 */
interface BrokenText {
  readonly path: readonly PropertyKey[];
  readonly isKey: boolean;
}

/**
 * The first text of `value` that holds half of a surrogate pair; `body` are the bytes that it was
 * parsed from.
 */
export function brokenText(value: unknown, body: Uint8Array): BrokenText | undefined {
  return mayHoldBroken(body) ? firstIn(value, []) : undefined;
}

/** Whether a value parsed from these bytes may hold such a text at all; mostly it cannot. */
export function mayHoldBroken(body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return escapeStarts.some((start) => bytes.includes(start));
}

/** The first such text of a value, however it was made. */
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

/** With the flag `u` a pair is one character; what is left of the class is half of one. */
function isBroken(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}
