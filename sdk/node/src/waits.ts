// How long to wait before a call is made again, and the wait itself.

/** A server that asks for more is taken at its word by the caller, not waited for. */
export const longestWaitMs = 60_000;
const firstWaitMs = 500;
const lastWaitMs = 8_000;

/** `Retry-After` in milliseconds: seconds, or a date. `undefined` if there is none. */
export function askedWaitMs(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

/** Doubles with each attempt; half of it is by chance, so that many clients do not come at once. */
export function ownWaitMs(attempt: number, chance: number): number {
  const most = Math.min(lastWaitMs, firstWaitMs * 2 ** attempt);
  return most / 2 + (most / 2) * chance;
}

/** Rejects with the signal's reason when the caller gives up. */
export function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
