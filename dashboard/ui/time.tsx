// An instant: how long ago, with the exact one, here and in UTC, on focus and hover.

import { useEffect, useState } from 'react';
import { exactTime, relativeTime } from '../time/relative.ts';

const tickMs = 15_000;

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

/** The present, which moves every quarter of a minute. */
export function useNow(): number {
  const [nowMs, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
