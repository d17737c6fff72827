// Whether calls wait for room in a rate limit, so that the frame can say so with a thin line.

type Listener = (untilMs: number | undefined) => void;

const listeners = new Set<Listener>();
let waits = 0;

/** A call waits for so long. Returns what to call when it goes on. */
export function tellWaiting(seconds: number): () => void {
  waits++;
  tell(Date.now() + seconds * 1_000);
  return () => {
    waits--;
    if (waits === 0) tell(undefined);
  };
}

/** Called with the end of a wait, and with `undefined` when nobody waits. Returns how to stop. */
export function onWaiting(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(untilMs: number | undefined): void {
  for (const listener of listeners) listener(untilMs);
}
