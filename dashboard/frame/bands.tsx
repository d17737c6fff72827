// Thin bands above everything: sandbox mode, no connection, a rate limit that is waited out, a server
// whose clock is in doubt.

import { useEffect, useState, useSyncExternalStore } from 'react';
import { useRead } from '../api/queries.ts';
import { isServerReached, onReach } from '../api/reach.ts';
import { onWaiting } from '../api/waiting.ts';
import { Icon } from '../ui/icon.tsx';
import { words } from '../words/en.ts';
import { useSession } from './session-context.tsx';

const clockEveryMs = 10 * 60_000;

export function Bands() {
  const { session } = useSession();
  const isOnline = useSyncExternalStore(onConnection, () => navigator.onLine);
  const isReached = useSyncExternalStore(onReach, isServerReached);
  const wait = useWait();
  return (
    <aside className="bands" aria-label={words.frame.notices}>
      {session.mode === 'sandbox' && (
        <p className="band">
          {words.frame.sandbox}
          {session.inboxUrl !== undefined && (
            <a href={session.inboxUrl} target="_blank" rel="noreferrer">
              {words.frame.inbox}
              <Icon name="external" />
            </a>
          )}
        </p>
      )}
      {session.scopes.includes('admin') && <ClockBand />}
      {(!isOnline || !isReached) && (
        <p className="band bad" role="status">
          {isOnline ? words.frame.noServer : words.frame.offline}
        </p>
      )}
      {wait !== undefined && (
        <p className="band notice" role="status">
          {words.frame.busy(wait)}
        </p>
      )}
    </aside>
  );
}

function onConnection(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

/** In doubt, schedules wait or nothing expires: whoever sets things up must know why. */
function ClockBand() {
  const { data } = useRead('readReadiness', {}, { everyMs: clockEveryMs });
  const [warning] = data?.warnings ?? [];
  if (warning === undefined) return null;
  return (
    <p className="band notice" role="status">
      <strong>{words.frame.clock}</strong> {warning.message}
    </p>
  );
}

/** Seconds until a full rate limit has room again. */
function useWait(): number | undefined {
  const [untilMs, setUntil] = useState<number>();
  const [nowMs, setNow] = useState(Date.now);
  useEffect(() => onWaiting(setUntil), []);
  useEffect(() => {
    if (untilMs === undefined) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [untilMs]);
  return untilMs === undefined ? undefined : Math.max(1, Math.ceil((untilMs - nowMs) / 1_000));
}
