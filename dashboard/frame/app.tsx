// The whole dashboard: who is signed in decides between the door and the frame.

import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { Router } from 'wouter';
import { type ApiError, asApiError } from '../api/errors.ts';
import { LiveContext } from '../api/live.ts';
import { liveFeeds } from '../api/live-feeds.ts';
import { makeQueryClient } from '../api/query-client.ts';
import { onReach } from '../api/reach.ts';
import {
  type ReadLink,
  readLink,
  readSession,
  type SessionState,
  signIn,
  signOut,
} from '../api/session.ts';
import { SessionContext, type SignedIn } from '../api/session-context.tsx';
import { base } from '../ui/address.ts';
import { listenToKeys } from '../ui/keys.ts';
import { late } from '../ui/late.tsx';
import { aroundNav } from '../ui/leave-guard.ts';
import { ErrorNote, Grey } from '../ui/note.tsx';
import { words } from '../words/en.ts';
import { Above } from './above.tsx';
import { wearBranding } from './accent.ts';
import { Shell } from './shell.tsx';

const SignIn = late(() => import('./sign-in.tsx').then((file) => file.SignIn));
const SignInByLink = late(() => import('./sign-in.tsx').then((file) => file.SignInByLink));

/** Who is signed in, or why nobody knows. */
interface Visit {
  readonly state?: SessionState;
  readonly error?: ApiError;
}

/** For a page whose frame is drawn, which stays until this is known. */
export function readVisit(): Promise<Visit> {
  return readSession().then(
    (state) => ({ state }),
    (failure: unknown) => ({ error: asApiError(failure) }),
  );
}

/** Whether the address itself signs in. */
export function bringsSignIn(): boolean {
  return /^#(?:once|link)=/.test(location.hash);
}

/** `visit`: where it is known already. */
export function Dashboard({ visit }: { readonly visit: Visit | undefined }) {
  const door = useDoor(visit);
  const client = useMemo(() => makeQueryClient(() => void door.ended()), [door.ended]);
  const feedOf = useMemo(() => liveFeeds(client), [client]);
  useEffect(listenToKeys, []);
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={client}>
        <LiveContext value={feedOf}>
          <Router base={base} aroundNav={aroundNav}>
            <Door
              door={door}
              onLeave={() => {
                client.clear();
                door.leave();
              }}
            />
          </Router>
          <Above />
        </LiveContext>
      </QueryClientProvider>
    </CSPProvider>
  );
}

/** Whoever signs in again in another tab keeps what they typed in this one. */
const cookieWaitMs = 700;

interface Link {
  readonly token: string;
  readonly email: string;
  readonly org: string;
  /** To choose from; empty if `org` is the one. */
  readonly orgs: ReadLink['orgs'];
}

function Door({
  door,
  onLeave,
}: {
  readonly door: ReturnType<typeof useDoor>;
  readonly onLeave: () => void;
}) {
  const { state, error, link, notice, reload } = door;
  const signedIn = state?.signedIn === true ? state : undefined;
  const value = useMemo(
    () => (signedIn === undefined ? undefined : { session: signedIn, leave: onLeave, reload }),
    [signedIn, onLeave, reload],
  );
  if (link !== undefined) return <SignInByLink {...link} onSignedIn={() => void reload()} />;
  if (error !== undefined)
    return (
      <main className="door">
        <div className="door-card">
          <ErrorNote error={error} onAgain={() => void reload()} />
        </div>
      </main>
    );
  if (state === undefined)
    return (
      <main className="door" aria-busy="true" aria-label={words.loading}>
        <div className="door-card late">
          <Grey rows={4} />
        </div>
      </main>
    );
  if (value === undefined)
    return (
      <SignIn
        state={state as Exclude<SessionState, SignedIn>}
        notice={notice}
        onSignedIn={() => void reload()}
      />
    );
  return (
    <SessionContext value={value}>
      <Shell />
    </SessionContext>
  );
}

/** Signs in with what the address brings, and reads who is signed in. */
function useDoor(visit: Visit | undefined) {
  const [state, setState] = useState(visit?.state);
  const [error, setError] = useState(visit?.error);
  const [link, setLink] = useState<Link>();
  /** Why the sign-in shows. */
  const [notice, setNotice] = useState<string>();

  const reload = useCallback(async () => {
    setError(undefined);
    setLink(undefined);
    try {
      const next = await readSession();
      if (next.signedIn) setNotice(undefined);
      setState(next);
    } catch (failure) {
      setError(asApiError(failure));
    }
  }, []);
  const ended = useCallback(async () => {
    // A sign-in in another tab ends this session a moment before its cookie is here.
    const now = await readSession().catch(() => undefined);
    if (now?.signedIn === false) await new Promise((done) => setTimeout(done, cookieWaitMs));
    setNotice(words.signIn.ended);
    await reload();
  }, [reload]);
  const leave = useCallback(() => {
    void signOut().then(reload, (failure: unknown) => setError(asApiError(failure)));
  }, [reload]);

  useEffect(() => {
    if (visit !== undefined) return;
    void (async () => {
      const fragment = new URLSearchParams(location.hash.slice(1));
      const once = fragment.get('once');
      const token = fragment.get('link');
      // The token must not stay in the address bar or the history.
      if (once !== null || token !== null)
        history.replaceState(null, '', location.pathname + location.search);
      try {
        if (once !== null) await signIn({ once });
        if (token !== null) {
          const { email, org, orgs } = await readLink(token);
          setLink({ token, email, org: org.name, orgs });
          return;
        }
      } catch (failure) {
        const { isOffline } = asApiError(failure);
        setNotice(isOffline ? words.errors.offline : words.signIn.linkOld);
      }
      await reload();
    })();
  }, [reload, visit]);

  const branding = state?.signedIn === true ? state.branding : undefined;
  useLayoutEffect(() => {
    if (branding !== undefined) wearBranding(branding);
  }, [branding]);

  const isOffline = error?.isOffline === true;
  useEffect(() => {
    if (!isOffline) return undefined;
    return onReach((isReached) => {
      if (isReached) void reload();
    });
  }, [isOffline, reload]);

  return { state, error, link, notice, reload, ended, leave };
}
