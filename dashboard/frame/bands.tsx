// What holds for every screen: sandbox mode in a band above it, which is there from the first
// paint; no connection, a rate limit that is waited out, a server whose clock is in doubt and a
// webhook that is off in notices over its lower edge: they come late and must not move what is
// under the pointer.

import { useEffect, useState, useSyncExternalStore } from 'react';
import { useRead } from '../api/queries.ts';
import { isServerReached, onReach } from '../api/reach.ts';
import { useSession } from '../api/session-context.tsx';
import { onWaiting } from '../api/waiting.ts';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { words } from '../words/en.ts';
import { OffNotice } from './off-notice.tsx';
import { UndoSends } from './undo-sends.tsx';

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
      <div className="late-notices">
        <UndoSends />
        {session.scopes.includes('admin') && <ClockNotice />}
        {session.scopes.includes('admin') && <OffNotice />}
        {(!isOnline || !isReached) && (
          <p className="late-notice bad" role="status">
            {isOnline ? words.frame.noServer : words.frame.offline}
          </p>
        )}
        {wait !== undefined && (
          <p className="late-notice" role="status">
            {words.frame.busy(wait)}
          </p>
        )}
      </div>
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
function ClockNotice() {
  const { data } = useRead('readReadiness', {}, { everyMs: clockEveryMs });
  const [hidden, setHidden] = useState<string>();
  const [warning] = data?.warnings ?? [];
  // Another warning shows again; a new one of the same kind says only by how many seconds.
  if (warning === undefined || warning.code === hidden) return null;
  return (
    <div className="late-notice" role="status">
      <p>
        <strong>{words.frame.clock}</strong> {warning.message}
      </p>
      <IconButton
        label={words.frame.hideNotice}
        icon="close"
        size="small"
        onClick={() => setHidden(warning.code)}
      />
    </div>
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
