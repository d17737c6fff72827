// Whether the server answers. After a call that nobody answered it asks again every few seconds,
// and tells when somebody does, so that the screens can go on by themselves.

type Listener = (isReached: boolean) => void;

const againMs = 2_000;
const listeners = new Set<Listener>();
let isReached = true;

/** Of every call: whether it got an answer, of whatever status. */
export function tellReach(wasAnswered: boolean): void {
  if (wasAnswered === isReached) return;
  isReached = wasAnswered;
  if (!wasAnswered) setTimeout(() => void ask(), againMs);
  for (const listener of listeners) listener(isReached);
}

/** Called when the server stops to answer, and when it answers again. Returns how to stop. */
export function onReach(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function isServerReached(): boolean {
  return isReached;
}

async function ask(): Promise<void> {
  if (isReached) return;
  try {
    await fetch('/v1/session', { credentials: 'same-origin' });
    tellReach(true);
  } catch {
    setTimeout(() => void ask(), againMs);
  }
}
