// Whether calls wait for room in a rate limit, so that the frame can say so with a thin line.

type Listener = (untilMs: number | undefined) => void;

const listeners = new Set<Listener>();
let waits = 0;

/** Resolves after `seconds`, or rejects when `signal` aborts. */
export async function waiting(seconds: number, signal?: AbortSignal): Promise<void> {
  waits++;
  tell(Date.now() + seconds * 1_000);
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, seconds * 1_000);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    });
  } finally {
    waits--;
    if (waits === 0) tell(undefined);
  }
}

/** Called with the end of a wait, and with `undefined` when nobody waits. Returns how to stop. */
export function onWaiting(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(untilMs: number | undefined): void {
  for (const listener of listeners) listener(untilMs);
}
