// Answers that `early.ts` asked for before the scripts were there. Each serves one call: the next
// one asks again.

declare global {
  /** By address. */
  var engageEarly: Map<string, Promise<Response>> | undefined;
}

/** After that, what was answered is old. */
const freshMs = 10_000;

/**
 * `undefined` if nobody asked, or nobody answered. A change makes all of them old: after a sign-in,
 * the answer that nobody is signed in.
 */
export async function earlyAnswer(method: string, target: string): Promise<Response | undefined> {
  // Made here, it says that nothing needs to be asked early any more.
  globalThis.engageEarly ??= new Map();
  const early = globalThis.engageEarly;
  if (method !== 'GET') early.clear();
  const answer = early.get(target);
  if (answer === undefined) return undefined;
  early.delete(target);
  if (performance.now() > freshMs) return undefined;
  return answer.catch(() => undefined);
}
