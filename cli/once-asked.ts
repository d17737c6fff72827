// Asks to stop, counted as a person means them. The terminal signals every process of a group, a
// supervisor every process of a service, and npm and the primary pass signals on, so that one ask
// arrives two or three times.

const sameAskMs = 1_000;

/** A handler that drops signals within a second of the last one that it passed on. */
export function onceAsked(handle: () => void): () => void {
  let handledMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = performance.now();
    if (nowMs - handledMs < sameAskMs) return;
    handledMs = nowMs;
    handle();
  };
}
