// Who is signed in, and signing in and out.

import { send } from './client.ts';
import { ApiError } from './errors.ts';

export type Scope = 'read' | 'write' | 'send' | 'admin';
export type Role = 'owner' | 'editor' | 'viewer';

interface Named {
  readonly id: string;
  readonly name: string;
}

export interface Branding {
  readonly productName: string;
  readonly logoUrl: string | null;
  readonly accentColor: string | null;
  readonly hideServiceBranding: boolean;
}

export interface SignedIn {
  readonly signedIn: true;
  readonly member: { readonly id: string; readonly email: string } | null;
  readonly key: Named | null;
  readonly org: Named;
  readonly orgs: readonly Named[];
  readonly role: Role | null;
  readonly scopes: readonly Scope[];
  readonly apps: readonly (Named & { readonly timezone: string })[];
  readonly mode: 'sandbox' | 'live';
  readonly version: string;
  readonly branding: Branding;
  readonly expiresAt: string;
  /** Of the sandbox, where messages arrive. */
  readonly inboxUrl?: string;
}

export interface SignedOut {
  readonly signedIn: false;
  /** No org exists yet. */
  readonly setup: boolean;
  readonly mode: 'sandbox' | 'live';
}

export type SessionState = SignedIn | SignedOut;

export async function readSession(): Promise<SessionState> {
  return (await (await send('GET', '/v1/session')).json()) as SessionState;
}

/** Proof of who signs in; `org` changes to another org of the same person. */
export type Proof =
  | { readonly apiKey: string }
  | { readonly link: string }
  | { readonly once: string }
  | { readonly org: string };

export async function signIn(proof: Proof): Promise<SignedIn> {
  const response = await send('POST', '/v1/session', { body: proof });
  const session = (await response.json()) as SessionState;
  if (session.signedIn) return session;
  throw new ApiError({
    message: 'You could not be signed in. Allow cookies for this address and try again.',
    status: 401,
    code: 'unauthorized',
  });
}

export async function askForLink(email: string): Promise<void> {
  await send('POST', '/v1/session/link', { body: { email } });
}

export async function readLink(
  token: string,
): Promise<{ readonly email: string; readonly org: Named }> {
  const response = await send('POST', '/v1/session/link/read', { body: { token } });
  return (await response.json()) as { email: string; org: Named };
}

export async function signOut(): Promise<void> {
  await send('DELETE', '/v1/session');
}
