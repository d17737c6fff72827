// The signed-in person, for every screen: who, what they may do, and which app is open.

import { createContext, useContext } from 'react';
import { words } from '../words/en.ts';
import type { OpenedSession } from './generated.ts';

export type SignedIn = OpenedSession;

export type Scope = SignedIn['scopes'][number];

/** Whether this address may open an org: to open one that invited it accepts the invitation. */
export function mayOpen({ orgs, invitations }: SignedIn, orgId: string): boolean {
  return [...orgs, ...invitations].some(({ id }) => id === orgId);
}

interface SessionValue {
  readonly session: SignedIn;
  /** Ends the session, or shows the sign-in after it ended by itself. */
  readonly leave: () => void;
  /** After what changes the session's own data: an app made, a name changed. */
  readonly reload: () => Promise<void>;
}

export const SessionContext = createContext<SessionValue | undefined>(undefined);

export function useSession(): SessionValue {
  const value = useContext(SessionContext);
  if (value === undefined) throw new Error('no session around this screen');
  return value;
}

/** Why this person may not do what needs a scope; `undefined` if they may. */
export function useRefusal(...anyOf: readonly Scope[]): string | undefined {
  const { session } = useSession();
  if (anyOf.some((scope) => session.scopes.includes(scope))) return undefined;
  return words.refused(anyOf[0] ?? 'admin', session.role);
}

interface AppValue {
  readonly id: string;
  readonly name: string;
  readonly timezone: string;
}

export const AppContext = createContext<AppValue | undefined>(undefined);

/** The app whose screen is open. */
export function useApp(): AppValue {
  const value = useContext(AppContext);
  if (value === undefined) throw new Error('no app around this screen');
  return value;
}
