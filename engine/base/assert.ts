// Assertions for bugs, on in production. What a caller can cause is a Fault instead.

/** Ends the turn or process with `message` if `condition` is false. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionFailed(message);
}

/** From `assert`: dead-letters the message in `decide`, ends the process in `apply`. */
export class AssertionFailed extends Error {
  override readonly name = 'AssertionFailed';
}
