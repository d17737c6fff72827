// Assertions for bugs, on in production. A refusal that a caller can cause is a Fault, never an
// assertion.

/** Ends the current turn or process with a clear message when a thing that must hold does not. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionFailed(message);
}

/**
 * Thrown by `assert`; the runtime dead-letters the message in `decide` and ends the process in
 * `apply`.
 */
export class AssertionFailed extends Error {
  override readonly name = 'AssertionFailed';
}
