// An instant: how long ago, with the exact one, here and in UTC, on focus and hover.

import { useSyncExternalStore } from 'react';
import { exactTime, relativeTime } from '../time/relative.ts';

const tickMs = 15_000;
const secondMs = 1_000;

export function Time({ at }: { readonly at: string | number | null | undefined }) {
  const nowMs = useNow();
  if (at === null || at === undefined) return <span className="soft">–</span>;
  const atMs = typeof at === 'number' ? at : Date.parse(at);
  return (
    <time
      dateTime={new Date(atMs).toISOString()}
      title={`${exactTime(atMs)}\n${exactTime(atMs, 'UTC')}`}
    >
      {relativeTime(atMs, nowMs)}
    </time>
  );
}

/** The present, which moves every quarter of a minute; one clock for all that show it. */
export function useNow(): number {
  return useSyncExternalStore(watchClock, presentMs);
}

const watchers = new Set<() => void>();
let shownMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function watchClock(onTick: () => void): () => void {
  watchers.add(onTick);
  timer ??= setInterval(() => {
    shownMs = Date.now();
    for (const tell of [...watchers]) tell();
  }, tickMs);
  return () => {
    watchers.delete(onTick);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The same in one drawing, so it moves by itself only while nobody watches it. */
function presentMs(): number {
  if (watchers.size === 0 && Date.now() - shownMs > secondMs) shownMs = Date.now();
  return shownMs;
}
