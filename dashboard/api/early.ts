// Answers that `early.ts` asked for before the scripts were there. Each serves one call: the next one
// asks again.

declare global {
  /** By address. */
  var engageEarly: Map<string, Promise<Response>> | undefined;
}

/** After that, what was answered is old. */
const freshMs = 10_000;

/** `undefined` if nobody asked, or nobody answered. */
export async function earlyAnswer(method: string, target: string): Promise<Response | undefined> {
  const early = globalThis.engageEarly;
  const answer = method === 'GET' ? early?.get(target) : undefined;
  if (answer === undefined) return undefined;
  early?.delete(target);
  if (performance.now() > freshMs) return undefined;
  return answer.catch(() => undefined);
}
